"""How English declines to answer."""

from __future__ import annotations

from ragproof.text.refusals import english_words as w
from ragproof.text.refusals.phrases import Phrases

_SPEAKER = (
    r"\bi(?:'m| am| can|'m only here)? (?:only|just) (?:able to |here to |allowed to )?(?:answer|"
    r"help|assist|respond)\b",
    r"^\W*(?:the |that )?(?:requested |relevant |specific )?(?:information|info|answer|data|"
    rf"details?)(?: (?:is|was))? (?:not (?:\w+ly )?{w.SAID}|un(?:available|known|"
    r"specified))(?=[^\w ]|$| in | here)",
    r"\bi(?:'m going to| will|'ll|'d)? (?:have to (?:pass|decline)|rather not|"
    r"prefer not to (?:answer|say|comment)|would rather not|came up (?:empty|short|blank))\b",
    rf"\b(?:i|we|and|but|search(?:es)?|{w.SRC}) c[ao]mes? up (?:empty|short|blank|with nothing)\b",
    rf"{w.LEAD}not that i(?:'m aware of| (?:can|could) (?:see|find|tell)| know of)\b",
    rf"{w.LEAD}(?:unknown|unclear|undetermined|indeterminable)(?: \w+){{0,3}}? (?:based on|from|"
    rf"given|in|with|per|according to)\b[^.;]{{0,40}}\b{w.SRC}",
    rf"\bi {w.DO_NOT}{w.LY} have (?:the |any )?(?:ability|means|tools?|permission|authority) to\b",
    rf"\bi{w.LY} {w.DO_NOT}{w.LY} (?:know|understand|recall|see|find|recogni[sz]e|feel (?:able|"
    r"comfortable|"
    r"qualified|confident)|think i (?:can|have)|believe i (?:can|have)|spot|come across)\b",
    rf"\bwe{w.LY} do(?:n'?t| not){w.LY} know(?: (?:that|this|about (?:that|this|it)|"
    rf"the answer))?{w.STOP}",
    rf"\b(?:i|we){w.LY}(?: |(?='))(?:(?:{w.DO_NOT}{w.LY} (?:currently )?have|"
    r"have(?:n'?t)?(?: got)? no|'ve (?:got )?no|"
    r"haven't(?: got)?|lack|have never had|hold no|"
    rf"possess no){w.LY}(?: [\w'-]+){{0,5}}? {w.INFO}{w.OF_IT})",
    rf"\bi(?:'m)?{w.LY} ?{w.CAN_NOT}{w.LY} (?:{w.ASK})\b",
    rf"\bi(?:'m)?{w.LY} {w.DO_NOT} (?:\w+ )?(?:provide|offer|give|discuss|share|answer|engage|"
    r"handle)\b",
    rf"\bwe{w.LY} ?{w.CAN_NOT}{w.LY} (?:answer|determine|tell|say|comment|respond|verify|confirm|"
    rf"(?:{w.ASK})(?: you)?(?: with)?(?: [\w'-]+){{0,4}}? (?:{w.RELATED}\b|(?:that|this){w.STOP}))",
    r"\bi(?:'m| am|'ve been| was)(?: \w+ly)? (?:not (?:\w+ly )?(?:sure|certain|aware|familiar|"
    r"clear|"
    r"positive|convinced|privy|informed)|unsure|uncertain|unaware|unfamiliar|clueless|at a loss|"
    r"afraid (?:that )?(?:i (?:don't|can't|cannot|couldn't)|(?:that|this)(?:'s| is) (?:not|"
    r"beyond|outside)))",
    r"\bi(?:'m| am|'ll have| have| must| need| would have)(?: \w+)? (?:to )?(?:declin\w+|"
    r"refrain\w*|pass)\b"
    r"(?: (?:to|from)? ?(?:answer|respond|this|that|comment)|\W*$| on (?:this|that))",
    r"\b(?:i |we )?(?:(?:really |honestly |truly )?have(?:n't)?|"
    r"'ve(?: got)?) (?:absolutely )?(?:no|not the "
    r"(?:faintest|slightest|foggiest)|(?:the )?(?:faintest|slightest|foggiest|"
    r"a)) (?:\w+ )?(?:idea|clue)\b",
    rf"{w.LEAD}(?:no idea|not a clue|no clue|beats me|dunno|don'?t know|do not know|idk|"
    r"couldn't say|"
    r"can't say|cannot say|hard to say|who knows|not sure|unsure|not certain|no comment|search me|"
    rf"can'?t tell|cannot tell)\b(?! why)",
    rf"{w.LEAD}(?:unable to|can(?:'?t|not| not)|could not|couldn't|not able to|did not|didn't|"
    r"failed to) "
    r"(?:answer\b|help\b|determine\b|(?:find|locate|provide|generate|give|produce|see|offer|"
    r"identify|"
    rf"retrieve)(?: [\w'-]+){{0,4}}? (?:{w.RELATED}|reply|result|reference|match)\b|"
    r"be (?:\w+ly )?(?:answered|"
    r"determined|inferred|derived|established|deduced))",
    rf"\b{w.QUESTION}(?: (?!if\b)[\w'-]+){{0,12}}?,?(?: quote,?)? (?:(?:is|are|was|were)(?:n'?t|"
    r" not| nowhere)"
    rf"(?: to be)?{w.LY} (?:{w.SAID}|in|within|here|there|something)|(?:can(?:'?t|not| not)|"
    r"could(?:n't| not)|"
    r"(?:does|did)(?:n't| not)) (?:\w+ )?(?:be|appear)(?: \w+ly)? ?(?:answered|found|determined|"
    r"given|"
    r"provided|derived|inferred|located|extracted|addressed|established|deduced|in|resolved|known|"
    r"identified|with)|(?:has|have) no (?:\w+ )?answer|remains? (?:unknown|unanswered|unclear|"
    r"open)|"
    r"(?:is|are|was) (?:\w+ly )?(?:unanswerable|unanswered|unknown|unclear|unavailable|missing|"
    r"absent|"
    r"un(?:related|connected) to|irrelevant|off[ -]topic|not (?:related|relevant|connected)))",
    r"\b(?:this|that|it|which|(?:the|your|this|that|such an?) (?:[\w-]+ )?(?:question|topic|"
    r"request|subject|"
    r"query|information|matter|inquiry|issue)|what you(?:'re| are)? ask\w*)(?:'s|"
    r"(?: \w+){0,3}? (?:is|was|are|"
    r"falls?|lies?|goes|seems?(?: to be)?|appears?(?: to be)?|sits?))(?: \w+ly| well| just|"
    r" a bit| to be| "
    r"far| something that(?:'s| is)){0,2} (?:outside|beyond|out of|not (?:within|in|part of|"
    r"covered (?:by|in|"
    r"within)|among|related to|relevant to|something|a topic|one)|unrelated to|"
    r"off)(?: of)? (?:(?:the|my|our|"
    r"its|this|any|these|those|that) )?(?:[\w-]+ )?(?:(?:scope|bounds|limits|range|remit|"
    r"coverage|reach|purview|domain|area)"
    rf"(?: of (?:(?:the|my|our|these|those|this|what) )?(?:[\w-]+ )?(?:{w.GENERIC}|knowledge|"
    r"expertise|i|we|"
    r"assistant|assistance|service|tool|bot|chat|conversation|my|training|handbook|manual|faqs?|corpus|"
    r"guide|"
    r"policy documents)|(?=[^\w ]|$| here| for (?:me|this)| and| so| to| i))|knowledge|"
    r"expertise|abilit|capabilit|training|"
    rf"competenc|what (?:i|we|is|the|my|these)|me{w.STOP}|us{w.STOP}|{w.GENERIC}|(?:i|we|"
    r"that) (?:can|have|know|"
    r"am|'m|are|could)|my )",
    r"(?:not something|nothing|isn'?t something|not anything) (?:that )?(?:i|we)(?:'m|"
    r"'re)? (?:can|have|know|"
    r"am|are|could|able)\b",
    rf"{w.LEAD}(?:this )?(?:outside|beyond|out of) (?:the |my |of )?(?:scope|knowledge)\b"
    r"(?! (?:for|in|of) (?!me\b|us\b|this\b|the\b|my\b))(?!:)",
    r"\bi only have (?:\w+ ){0,2}(?:information|data|access|details|documents?|documentation)\b",
    r"\bi(?:'d| would) need (?:[\w'-]+ ){1,8}to (?:answer|say|tell|determine|know|work)\b",
    r"\b(?:so|thus|therefore|hence),? [^.;]{0,60}\bcan(?:'?t|not| not) be (?:\w+ly )?(?:determined|"
    rf"answered|inferred|established|calculated|derived|known|verified){w.END}",
    rf"^\W*(?:based on|from|going by|given|with)\b[^.;]{{0,60}}\b{w.SRC}\b[^.;]{{0,20}}"
    r"\b(?:impossible|not possible|no way|hard|difficult)(?: for me)? to (?:\w+ly )?"
    r"(?:say|tell|determine|answer|know|establish|work out)\b",
    r"\babove my pay ?grade\b",
    r"(?:\bnot|n't|\bin|\bno)(?: [\w-]+){0,3}? ?(?:enough|sufficient|"
    r"adequate)(?: [\w-]+){0,3}? (?:information|"
    r"info|context|data|details?|evidence|material|"
    r"facts?)(?: [\w'-]+){0,10}? to (?:\w+ly )?(?:answer|"
    r"determine|say|tell|provide|respond|conclude|give|know|establish|identify|draw|make|work|form|"
    r"decide|figure|infer|compute|calculate|assess|judge|confirm|generate|support an)",
    r"(?:^|\b(?:have|there(?:'s| is)|is|was|with|due to|because of|"
    rf"to) )(?:{w.LEAD[1:]})?(?:not enough|insufficient|"
    r"inadequate|too little|lack of)(?: [\w-]+){0,2}? (?:information|info|context|data|details?)"
    r"(?: (?:is |was |has been )?(?:provided|available|given|supplied|present))?(?: (?:in|from|"
    r"within|about|on) "
    rf"(?:[\w-]+ ){{0,3}}{w.SRC}| about (?:this|that|it))?{w.END}",
    rf"\b(?:{w.SRC}|they|it|which){w.AFTER} (?:is|are|was|were)(?:n'?t| not|"
    r") ?(?:in)?(?:sufficient|enough|adequate|"
    r"detailed enough|complete enough)(?: \w+)? to (?:\w+ly )?(?:answer|determine|say|tell|give|"
    r"provide|conclude|"
    r"establish)",
    r"\b(?:impossible|not possible|no way|isn'?t possible|hard|"
    r"difficult)(?: for me)? to (?:\w+ly )?(?:say|tell|"
    r"determine|answer|know|infer|establish|conclude|ascertain|respond|give (?:an|a|you)|"
    r"provide (?:an|a)|"
    rf"identify|verify|work out)\b(?:[^.;]{{0,80}}?\b(?:from|based|with|given|without|using|"
    r"on the basis|"
    rf"as (?:the|no|there)|because (?:the|no|there)|since (?:the|no|there))\b|(?: \w+)?{w.END})",
    rf"\b(?:this|the) (?:assistant|chatbot|bot|tool) (?:{w.CAN_NOT}|"
    rf"{w.DO_NOT}) (?:\w+ly )?(?:answer|help|have|"
    r"provide|know)",
    r"\bmy (?:\w+ )?(?:knowledge|training|data|information|sources?|"
    r"expertise)(?: \w+){0,3}? (?:do|does|did)"
    r"(?:n't| not) (?:\w+ )?(?:include|contain|cover|extend|have|go|reach)",
    r"\bi (?:found|see|saw|have|find|know|located|could find|can find|can see|came up with|"
    r"hold) (?:nothing|no "
    rf"(?:[\w-]+ ){{0,3}}?{w.INFO})",
    rf"{w.LEAD}(?:nothing|no (?:[\w-]+ ){{0,2}}?(?:results?|information|answer|match(?:es)?|"
    r"documents?|articles?)) "
    rf"(?:[\w-]+ ){{0,2}}?(?:was |were |is |came |could be )?(?:found|up|returned|available|"
    rf"retrieved)\b(?!.{{0,24}}\b(?:when|if|unless|until|whenever)\b)",
    rf"^\W*(?:but |and |however,? |i |have |it |searched,? |looked,? ){{0,4}}(?:found|see|saw|"
    rf"turned up|came up with|returned) (?:nothing|no (?:[\w-]+ ){{0,3}}?{w.INFO})",
    r"\bi(?:'d| would|'ll| will)? (?:\w+ )?need (?:to (?:know|see|have) )?(?:some |"
    r"a bit )?(?:more|additional|further) (?:\w+ )?(?:information|context|details?)",
    r"\b(?:do|does)(?:n'?t| not) (?:\w+ )?(?:answer|address|help)(?: me| us)?"
    r"(?: with| to answer| answer)? (?:the|this|that|your) question\b",
    rf"(?:not|n't) something (?:that )?(?:the|any of the|these|those) (?:[\w-]+ ){{0,3}}?{w.SRC}\b",
    rf"{w.LEAD}(?:unanswerable|not answerable|no answer(?: (?:is |was )?(?:possible|available|"
    r"found|provided|present|given|exists))?)"
    r"(?=[^\w ]|$| from| based| in| with| given)",
)
_SOURCES = (
    rf"\b{w.GENERIC}{w.AFTER} {w.DO_NOT}{w.LY} (?:{w.SAY}|{w.HOLD}|help|go|support|let|"
    r"allow|permit|match|point|"
    r"extend|add)\b",
    rf"\b{w.SPECIFIC}{w.AFTER} {w.DO_NOT}{w.LY} (?:{w.SAY}\b|{w.HOLD}"
    rf"(?: [\w'-]+){{0,5}}? (?:{w.INFO}|"
    r"this|that|it|such|topic|question|subject|point|matter|date|price|number|reason|year|"
    r"definition|figure)\b)",
    rf"\b(?:it|they|this|that|which|these|those|and|nor|also)(?: {w.DO_NOT}|n't|"
    rf") ?(?:{w.DO_NOT}){w.LY} (?:mention|specify|state"
    r"|indicate|clarify|disclose|discuss|address|say|explain|reveal|(?:directly|specifically|"
    r"explicitly) \w+|"
    r"(?:provide|contain|include|give|offer|"
    rf"have)(?: [\w'-]+){{0,4}}? {w.INFO}{w.OF_IT})\b(?! a claim)",
    r"^\W*(?:(?:but|and|also|however|yet|still|nor|or|it|they|which|that|so|"
    rf"unfortunately),? ){{0,2}}{w.DO_NOT}{w.LY} (?:mention|specify|state|indicate|clarify|"
    r"disclose|discuss|address|say|"
    rf"explain|(?:provide|contain|include|give|offer)(?: [\w'-]+){{0,4}}? {w.INFO}{w.OF_IT})",
    r"\b(?:none|neither|nothing|not (?:one|a single one|any|a single)|no(?: single| other)?|"
    r"nor do(?:es)?)(?: of)?(?: "
    rf"[\w'-]+){{0,4}}? {w.SRC}{w.AFTER} (?:\w+ly )?(?:{w.SAYS}|is about|are about)\b",
    r"\b(?:none|neither|not one) (?:of (?:them|these|those|it|the\w*)|one|"
    rf"\w+){w.LY} (?:\w+ )?{w.SAYS}\b",
    rf"^\W*(?:\w+ )?(?:none|neither)(?: one)? {w.SAYS}\b",
    rf"\b(?:none|neither)(?: of)?(?: [\w'-]+){{0,3}}? {w.SRC}\b",
    rf"\b(?:nothing|nowhere|not anything|n't anything)(?: [\w'-]+){{0,8}}? (?:in|from|within|"
    r"among|across)(?: [\w'-]+)"
    rf"{{0,4}}? {w.SRC}\b(?! (?:prevents?|prohibits?|forbids?|stops?|bars?|keeps?|requires?|"
    r"obliges?|limits?))",
    r"\b(?:nowhere|not once) (?:in|do|does)\b",
    rf"\b(?:{w.SRC}{w.AFTER}|they|it|which|but|and) (?:never|nowhere|(?:fail|neglect|"
    rf"omit)s? to){w.LY} {w.SAYS}\b",
    rf"\b(?:{w.SRC}{w.AFTER}|they|it|which|and) (?:say|contain|offer|provide|have|ha|include|"
    r"mention|give|reveal|"
    rf"make|hold)s? (?:nothing|no (?:[\w-]+ ){{0,3}}?{w.INFO}|little (?:\w+ )?(?:information|"
    r"detail)?)\b",
    r"\bthere(?:'s| is| are| was| were| exists?|'re| does(?:n't| not) (?:seem|"
    rf"appear) to be)(?:n't| not)?{w.LY} "
    rf"(?:no|any|nothing|an?|enough)(?: (?:\w+-)?\w+){{0,3}}? ?(?:{w.INFO}) (?:of|about|on|"
    r"regarding|concerning|"
    rf"as to|given|provided|available|here|in (?:[\w'-]+ ){{0,4}}{w.SRC}|that (?:would|could|can|"
    r"answers|states|"
    r"specifies|explains|describes)|for (?:this|that)|to (?:answer|determine)|related|relating|"
    r"indicating|"
    rf"describing|explaining|on)\b{w.KEPT}",
    rf"\bthere(?:'s| is| are| was| were| exists?)(?:n't| not)?{w.LY} (?:no|any|"
    rf"not enough)(?: [\w-]+){{0,2}}? "
    rf"(?:information|mention|info|details?|answers?|explanation|guidance){w.STOP}",
    r"\bthere(?:'s| is| was| isn't| wasn't) (?:nothing|anything)(?: [\w'-]+){0,6}? (?:about|"
    r"on|in|regarding)\b",
    r"\b(?:is|are|remains?|stays?|'s|was|were) (?:\w+ly )?(?:silent|mute|quiet|vague|"
    r"non-?committal) (?:on|about|as "
    r"to|regarding|concerning|when)\b",
    rf"\b{w.SRC}{w.AFTER} (?:is|are|remains?|stays?) (?:\w+ly )?silent{w.END}",
    rf"\b(?:{w.SRC}{w.AFTER}|they|it) (?:lacks?|omits?|leaves? out|"
    rf"skips?)(?: [\w'-]+){{0,3}}? (?:{w.INFO}|specif\w+|"
    r"this|that)\b",
    r"\b(?:leaves?|left) (?:\w+ ){0,3}?(?:open|unanswered|unspecified|unaddressed)\b",
    r"\b(?:is|are|was|were|remains?|left|goes|go|stays?) (?:unspecified|unstated|unmentioned|"
    r"undocumented|"
    r"unanswered)\b",
    rf"\b{w.IS_NOT} {w.SAID}(?: [\w'-]+){{0,4}}? (?:in|by|within|from|on|among|based on|of|"
    r"anywhere in)"
    rf"(?: [\w'-]+){{0,4}}? {w.SRC}\b",
    rf"\b{w.IS_NOT} (?:mentioned|specified|stated|spelled out|indicated)(?: (?:here|anywhere|"
    r"explicitly|directly|"
    r"there|exactly|yet|clearly|at all)){0,2}(?=\W*$|[,:;(])",
    r"(?:^|\b(?:that|this|such|the|no|any|this|your|requested|specific|relevant|more|"
    r"further) )(?:[\w-]+ )?"
    r"(?:information|info|details?|answer|material|topic|"
    rf"question)(?: [\w'-]+){{0,8}}? {w.IS_NOT} {w.SAID}\b"
    rf"{w.KEPT}",
    rf"^\W*(?:\w+,? ){{0,2}}?(?:that|this|it|which)(?:'s| is| was)(?:n't| not){w.LY} (?:available|"
    r"known|covered|documented|"
    r"provided|included|given|mentioned|specified|stated|addressed|discussed|recorded|listed|"
    r"disclosed|described|"
    rf"found|explained|clear)(?:{w.END}| (?:in|by|within|from) (?:[\w'-]+ ){{0,4}}{w.SRC}\b)",
    rf"{w.LEAD}not (?:\w+ly )?(?:mentioned|specified|stated|given|available|provided|found|"
    r"disclosed|covered|"
    rf"addressed|discussed|documented|listed|included|indicated|known|answered)(?:{w.END}|[,:;(]|"
    r" (?:in|by|within|from|"
    rf"anywhere in)(?: [\w'-]+){{0,4}}? {w.SRC}\b)",
    rf"(?:{w.LEAD}|\b(?:there(?:'s| is| was| are| were)|with|make|made|find|found|see|saw|be|"
    r"contain\w*|provid\w+|"
    rf"includ\w+|giv\w+|offer\w*|has|have|had) )no (?:[\w-]+ ){{0,3}}?(?:information|info|"
    r"mention|details?|"
    r"reference|indication|data|discussion|explanation|answer|documentation|guidance)(?= (?:of|"
    r"about|on|"
    r"regarding|concerning|as to|to|for|in|is|was|were|are|has|could|can|given|provided|"
    r"available|found|"
    rf"specif\w+|that|anywhere|related|which)\b|[^\w ]|$){w.KEPT}",
    rf"\bno (?:[\w-]+ ){{0,3}}?(?:information|info|details?|mention|answers?|documents?|"
    r"references?|articles?|"
    rf"passages?|content|sources?|indication|guidance|documentation)(?: [\w'-]+){{0,8}}? (?:is|"
    r"are|was|were|has been|"
    rf"have been|can be|could be) {w.SAID}{w.OF_IT}(?! to\b){w.KEPT}",
    r"\bit(?:'s| is| remains| was)(?:n't)? (?:unclear|not (?:\w+ly )?(?:clear|stated|specified|"
    r"mentioned|indicated|"
    rf"explained|known|disclosed|said|possible to tell))(?: [\w'-]+){{0,8}}?(?:{w.STOP}| (?:from|"
    r"based|in|on|by|within) "
    rf"(?:[\w'-]+ ){{0,4}}{w.SRC})",
    rf"\bit (?:does not|doesn't) (?:seem|appear) (?:from|that|to)\b(?: [\w'-]+){{0,8}}? {w.SRC}",
    r"\b(?:can(?:not|'?t| not)|could(?: not|n't)|(?:is|are) (?:not possible|"
    r"impossible) to) be (?:\w+ly )?(?:determined|"
    r"answered|inferred|found|established|ascertained|derived|confirmed|verified|identified|"
    r"deduced|concluded|"
    r"located|extracted|given|provided|worked out|calculated|computed|known|gleaned|"
    r"discerned)(?: [\w'-]+){0,4}? "
    r"(?:from|based on|using|with|given|in|on the basis|by|within|without|through|"
    rf"anywhere)(?: [\w'-]+){{0,5}}? "
    rf"(?:{w.SRC}|what|it\b|them\b|this\b|that\b|these\b|those\b)\b",
    r"\bnothing (?:is|was|has been) (?:\w+ly )?(?:said|mentioned|stated|written|given|provided|"
    r"disclosed|found|recorded)\b",
    r"\b(?:is|are|was|were) (?:\w+ly )?(?:missing|absent|omitted|left out) (?:from|"
    rf"in) (?:[\w'-]+ ){{0,4}}?{w.SRC}\b",
    rf"\b{w.IS_NOT} (?:in|among|within|part of|anywhere in) (?:my|your|(?:any of )?(?:the|these|"
    r"those) (?:provided|given|available|retrieved|supplied|uploaded)|the (?:context|passages?|"
    rf"documents?|sources?|text|excerpts?)\b|any of) ?(?:[\w'-]+ ){{0,3}}?{w.SRC}?",
)
_ASIDES = (
    r"\W*(?:i'?m |i am |we'?re |we are )?(?:so |very |truly |really |terribly )?(?:sorry|afraid|"
    r"apologies)\b(?: "
    r"(?:about|for|to|that i)\b.{0,80})?",
    r"\W*(?:my |our )?(?:sincere )?(?:apologi[sz]e|apologies|i apologi[sz]e|we apologi[sz]e|"
    r"please accept)\b.{0,100}",
    r"\W*(?:thank|thanks|hello|hi|hey|dear|greetings|good (?:morning|day|afternoon|evening)|"
    r"(?:that(?:'s| is) )?(?:an? )?(?:\w+ )?(?:great|good|interesting|excellent) "
    r"question|best regards|kind regards|regards|sincerely|cheers|yours)\b.{0,60}",
    r"\W*(?:summary|conclusion|unfortunately|however|no|sadly|regrettably|sorry|note|explanation|reason|reasoning|"
    r"justification|"
    r"answer|context|but|and|while|some|they|it|for|so|well|hmm+|yet|still|therefore|that said|"
    r"in short)?\W*",
    r"\W*(?:(?:however|so|instead|therefore|alternatively|otherwise|also|and|then|perhaps|maybe|"
    r"in that case|meanwhile|in "
    r"the meantime),? )?(?:if you|if (?:the|there|that|this|it)|please|kindly|you(?:'d|'ll)?\b|"
    r"your|i(?:'d|'ll)?"
    rf" ?(?:\w+ ){{0,2}}(?:recommend|suggest|advise|encourage|urge|happy|glad|can try)|"
    r"we(?:'d)? (?:recommend|suggest|"
    r"advise)|it(?:'s| is|'d| would| may| might)(?: be)? (?:\w+ )?(?:best|better|recommended|"
    r"advisable|helpful|worth|"
    r"a good idea)|consider|try|for (?:more|further|additional|accurate|the|specific|detailed|"
    r"this|that|help|"
    r"up-to-date|assistance|any)|feel free|let me know|don't hesitate|do not hesitate|reach out|"
    r"contact|consult|"
    r"check|refer|visit|ask|see|speak|talk|call|e-?mail|to (?:get|find|obtain|learn|answer|help|"
    r"determine|know|"
    r"provide|be|give|receive)|our|the best|perhaps|maybe|someone|a|an|the|hr|in such|"
    rf"a quick)\b(?:.{{0,160}}?\b)?"
    rf"{w.CONSULT}\b.*",
    r"\W*(?:please |kindly |just |or |then |so )?(?:contact|consult|check|refer|visit|ask|see|"
    r"speak|talk|call|e-?mail|"
    r"reach out|get in touch|search|rephrase|clarify|try (?:re\w+|again|asking|searching|another|"
    r"different))\b.*",
    r"\W*(?:i hope|i wish|hope|i can (?:only|help|assist|try)|i(?:'d| would| will|'ll|'m|"
    r"am) (?:\w+ ){0,2}(?:happy|glad|able) "
    r"to (?:help|assist|look|answer|try)|is there anything|anything else|i only|i was trained|"
    r"i am (?:only|just|an?) "
    r"|i'm (?:only|just|an?) |as an? (?:ai|language|virtual|large)|my (?:knowledge|training|"
    r"information|role|"
    r"expertise|purpose)|here to help|let me know)\b.*",
    r"\W*(?:\w+,? )?(?:(?:the|this|that|your) (?:\w+ )?(?:question|query|request|user)\b"
    r"(?![^:]{0,9}:)|you (?:asked|are asking|"
    r"mentioned|want|wanted|may be|might be)|you're asking|i (?:looked|searched|checked|reviewed|"
    r"went|read|tried|"
    r"understand|see that you|have (?:searched|checked|reviewed|looked|read)|'ve (?:searched|"
    r"checked|reviewed|"
    r"looked|read)))\b.*",
    rf"\W*(?:[\w-]+,? ){{0,3}}?(?:(?:the|these|those|this|all|most|some|both|each|my|our|your|"
    r"any|what|only|several)\b"
    rf"(?: of)?(?: (?:the|these|those))?(?: [\w-]+){{0,3}}? )?{w.SRC}(?: \[?\d+\]?,?| (?:and|to|"
    r"through)(?: \[?\d+\]?)?)"
    rf"{{0,6}}(?: [\w'-]+){{0,5}}? (?:\w+ly )?{w.ABOUT}\b.*",
    r"\W*(?:however,? |instead,? |while |although |rather,? )?(?:they|it)(?: all|"
    r" both)? (?:\w+ly |do |does |instead )?"
    rf"{w.ABOUT}\b.*",
    r"\W*(?:this|that|it|the answer|an answer|answering|such)\b.{0,60}\b(?:would|may|might|could|"
    r"will|has to|needs? "
    r"to|depends?|requires?|varies|vary)\b.*",
    r"\W*(?:without|because|since|as|due to|given)\b.{0,60}\b(?:information|context|access|"
    r"details?|data|sources?|"
    r"documents?|passages?|more|not|no)\b.*",
    r"\W*(?:this|that) (?:is|may be|might be|could be) (?:\w+ )?(?:because|due|since)\b.*",
)
_ACCOUNTS = (
    r"\W*(?:but|while|and|although|though|however,?) (?:only|rather|not?|instead|they|it|that|"
    r"this|none|some|others?|other|each|"
    r"the (?:\w+ )?(?:contexts?|passages?|documents?))\b.*",
    r"\W*(?:some|others?|most|many|each)(?: of (?:them|these|the \w+))? (?:\w+ly )?(?:discuss|"
    r"mention|describe|talk|only|focus)\w*\b.*",
    r"\W*(?:they|(?:context|passage|document|source|excerpt|chunk|snippet)s?)\b.*",
    r"\W*.{0,80}\b(?:var(?:y|ies)|depends?|changes?|fluctuates?|over time|differs?|evolv\w+|"
    r"ongoing)\b[^\d]*",
    rf"\W*(?:[\w-]+,? ){{0,3}}?(?:the|these|those|this|all|most|some|both|each|it|they|context|"
    r"passage|document|in|"
    rf"only|there (?:is|are))\b(?!.{{0,30}}according)(?:.{{0,30}}?\b{w.SRC})\b.*",
    r"\W*(?:they|it)(?: \w+)? (?:do|does|only|also|just|instead|mention|discuss|state|provide|"
    r"focus|talk|describe)"
    r"\w*\b.*",
    r"\W*.{0,80}\b(?:is|are) (?:only )?mentioned\b.*",
    rf"\W*(?:based on|according to|from|given) (?:[\w'-]+ ){{0,4}}{w.SRC}\W*",
)

ENGLISH = Phrases(
    cues=r".*n't|not?|none|nor|nothing|nowhere|never|neither|without|un(?:able|sure|certain|aware|"
    r"familiar|known|clear|"
    r"answer\w*|specified|stated|mentioned|documented|related|available|addressed)|insufficient|"
    r"inadequate|cant|dont|"
    r"cannot|outside|beyond|out|silent|lacks?|lacking|declin\w*|refrain\w*|omit\w*|fail\w*|dunno|"
    r"beats|idk|need|"
    r"impossible|difficult|hard|leaves?|left|mute|vague|clueless|above|irrelevant|missing|absent|"
    r"too|pass|little|"
    r"quiet|skips?|n/a|na|null|inconclusive|neglects?|loss|search|only|just|empty|short|blank|"
    r"rather|off",
    anchors=rf"i(?:'\w+)?|we(?:'\w+)?|my|me|our|{w.SRC}|{w.INFO}|{w.RELATED}|none|neither|question\w*|"
    r"idk|dunno|idea|mention\w*|specif\w+|stat(?:e|es|ed|ing)|indicate\w*|clarif\w+|disclos\w+|"
    r"discuss\w*|address\w*|say|says|said|explain\w*|reveal\w*|determine\w*|tell|know\w*|scope|"
    r"nam(?:e|es|ed)|unanswer\w*|un(?:specified|stated|mentioned|documented)|silent|clear|unclear|sure|available|"
    r"describe\w*|provided|find|found|nothing|nowhere|covered|included|documented|recorded|listed|"
    r"answer\w*|asking",
    speaker=_SPEAKER,
    sources=_SOURCES,
    condition=r"\b(?:(?:must|should|to|may|will) (?:state|declare|certify|confirm|say) that|if|"
    r"when|whenever|unless|in case|should|until|where|once|after|before|"
    r"to users who|"
    r"anyone who|"
    r"means?(?: that)?|says|that says|message|error|warning|returns?|prints?|raises?)\b",
    turn=r"(?:^|[,;:\u2014(] ?| )(?=(?:but|however|though|although|yet|nevertheless|nonetheless|"
    r"that said|still,|"
    r"having said that|instead,|regardless|in any case|fortunately|luckily|on the other hand|"
    r"whereas|while)\b)"
    r"|, (?=(?:so|hence|thus|therefore) (?!.{0,80}\b(?:not?|cannot|unable|impossible|"
    r"un\w+|need|hard)\b|.{0,80}n't))"
    r"|, (?=(?:and )?(?:maybe|perhaps|possibly|probably|presumably|likely|most likely|i think|"
    r"i believe|i(?:'d)? guess|i suspect|"
    r"my (?:best )?guess|(?:it|this|that) (?:might|may|could|is|was|seems|appears|looks)|it's)\b)",
    conclusion=r"^\W*(?:therefore|thus|hence|so|consequently|as a result|in conclusion|overall|"
    r"in summary|as such|"
    r"for (?:this|that|these) reasons?|in short|accordingly|(?:based on|given|from|"
    r"going by) (?:the|what|these|this))\b",
    concession=r"^\W*(?:while|although|though|even though|whilst|despite|whereas|even if|"
    r"as much as)\b[^,]{1,300},",
    asides=_ASIDES,
    accounts=_ACCOUNTS,
)
