"""Words and turns that English phrases of declining are made of."""

from __future__ import annotations

LEAD = (
    r"^(?:\W*\b(?:so |very |truly )?(?:sorry|unfortunately|sadly|no|hmm+|well|regrettably|alas|so|"
    r"ok(?:ay)?|honestly|i'?m afraid|apologies|therefore|thus|hence|however|but|and|as such|"
    r"overall|currently|it seems|it appears|n/a|explanation|reason(?:ing)?|note|justification)"
    r"\b\W*){0,4}\W*"
)
LY = r"(?: (?:\w+ly|even|yet|just|still|also|quite|otherwise|at this time|at present|in fact)){0,2}"
END = r"(?=(?: (?:here|there|anywhere|yet|now|either|right now|at this time|at all|though))*\W*$)"
STOP = r"(?=(?: (?:here|there|anywhere|yet|now|either|today|currently|at all))*(?:[^\w '-]|$))"
DO_NOT = r"(?:do|does|did)(?:n'?t| not)"
CAN_NOT = (
    r"(?:can(?:'?t|not| not)|could(?:n'?t| not)|(?:am|are|was|were|'m|'re|be|been) "
    r"(?:\w+ly )?(?:not (?:\w+ly )?able|unable|not (?:in a position|equipped|qualified|"
    r"authori[sz]ed|"
    r"allowed|permitted|going|comfortable)|wasn'?t able) to|(?:have|has|"
    r"'ve) been (?:\w+ )?unable to|(?:haven'?t|'ve not|have not) been able to|(?:was|were|"
    r"are)n'?t able to|"
    r"wo(?:n't| not)|will not(?: be able to)?|won't be able to|(?:have|need|must|'ll have|'d have)"
    r" (?:to )?(?:decline|refrain)(?: to| from)?|fail(?:ed)? to)"
)
INFO = (
    r"(?:information|info|data|details?|knowledge|access|answers?|context|records?|ideas?|clues?|"
    r"anything|evidence|documentation|materials?|insights?|guidance|references?|sources?|specifics|"
    r"facts?|figures?|reply|response|way to|means to|ability to|opinions?|beliefs?|preferences|"
    r"feelings|articles?|mentions?|results?|passages?|documents?|content|visibility|indication|"
    r"explanation|discussion|statement|clarity|coverage|material|match(?:es)?|enough|sections?|entry|entries|chapters?)"
)
OF_IT = (
    r"(?= (?:about|on|of|for|regarding|concerning|to|that|which|in|within|from|here|at|available|"
    r"as|"
    r"with|related|relating|relevant|specific\w*|whether|and|or|beyond|needed|necessary|required|"
    r"you|"
    r"right|yet|given|provided|based|because|since|due|currently|there|where|what|how|who|when|why|"
    r"either|by|pertaining|necessary|matching|covering|explaining|answering|describing|"
    r"indicating)\b"
    r"|[^\w ]|$)"
)
GENERIC = (
    r"(?:contexts?|passages?|documents?|docs?|documentation|texts?|sources?(?! code)|materials?|"
    r"excerpts?|articles?|snippets?|search results?|knowledge ?base|chunks?|paragraphs?|"
    r"references?|extracts?|"
    r"(?:information|data|content|details) (?:provided|available|given|supplied|above|at hand|here|"
    r"i have|you (?:\w+ ){0,2}(?:provided|shared|gave)))"
)
SPECIFIC = (
    r"(?:10-[kq]s?|data ?sets?|manuals?|handbooks?|guides?|guidelines?|database|results|records|"
    r"transcripts?|corpus|wiki|"
    r"faqs?|notes?|content|readme|reports?|polic(?:y|ies)|contracts?|agreements?|filings?|leases?|"
    r"letters?|abstracts?|papers?|stud(?:y|ies)|changelogs?|release notes|spec(?:ification)?s?|"
    r"brochures?|catalog(?:ue)?s?|datasheets?|leaflets?|summar(?:y|ies)|entr(?:y|ies)|"
    r"help cent(?:er|"
    r"re)|(?:web)?sites?|web ?pages?|pages?|files|uploads|attachments?|index|books?|chapters?|"
    r"sections?|"
    r"api reference|reference|tickets?|e?mails?|minutes|memos?|slides|deck|presentations?|tables?|"
    r"prospectus|labels?|instructions?|terms|history|conversation|textbook|posts?|invoices?|logs|"
    r"information|data|judg[e]?ments?|rulings?|charts?|resources?)"
)
SRC = f"(?:{GENERIC}|{SPECIFIC})"
AFTER = r"(?:(?: [\w'/.-]+| quote| \[?\d+\]?,?){0,6}?)"
SAY = (
    r"(?:say|mention|state|specify|indicate|address|discuss|explain|describe|disclose|reveal|tell|"
    r"clarify|answer|report|note|list|refer|touch|elaborate|detail|identify|name|define|confirm|"
    r"talk|go into|make (?:clear|any|mention)|speak|quantify|suggest|shed|seem to|appear to|"
    r"outline|"
    r"break (?:out|down)|spell|cite|relate|deal|comment|directly|explicitly|specifically|clearly)"
)
HOLD = (
    r"(?:cover|contain|provide|include|have|offer|supply|present|hold|give|show|feature|document)"
)
SAYS = (
    r"(?:say|mention|state|specif(?:y|ie)|indicate|addresse|discusse?|explain|describe|disclose|"
    r"reveal|tell|clarif(?:y|ie)|answer|report|list|give|provide|contain|cover|include|"
    r"identif(?:y|ie)|define|show|confirm|directly|explicitly|specifically|clearly|actually|name|"
    r"offer|talk|refer|note|detail|have|ha|seem|appear|relate|deal)s?"
)
SAID = (
    r"(?:mentioned|specified|stated|provided|given|discussed|addressed|disclosed|listed|included|"
    r"described|covered|found|present|available|indicated|explained|clear|contained|defined|named|"
    r"documented|recorded|shown|reported|detailed|answered|known|identified|spelled out|revealed|"
    r"noted|clarified|referenced|quantified|evident|apparent|part|published|supplied|visible|"
    r"answerable|explicit|set out|broken out|broken down|outlined|cited)"
)
IS = r"(?:is|are|was|were|be|been|'s|being)"
IS_NOT = rf"{IS}(?:n'?t| not| never| nowhere|n't| neither){LY}"
ASK = (
    r"answer|help|assist|provide|give|offer|find|locate|see|determine|say|tell|confirm|verify|"
    r"share|"
    r"comment|speculate|respond|reply|access|identify|discuss|disclose|advise|guess|address|"
    r"establish|ascertain|infer|conclude|specify|state|generate|fulfil|comply|do that|do this|"
    r"engage|"
    r"support|look|retrieve|work out|figure|make|come up|be (?:sure|certain|of)|produce|predict|"
    r"browse|"
    r"recall|name|supply|point|extract|derive|pinpoint|calculate|compute|deduce|speak|open|"
    r"accurately|"
    r"definitively|reliably|confidently|properly|responsibly|really|currently|directly|report|list|"
    r"describe|explain|know|judge|estimate|fully|answering|providing|giving|form|have|search|quote|"
    r"pull|check|weigh|render|definitely|honestly|safely|be able|diagnose|prescribe|interpret|"
    r"assess"
)
QUESTION = (
    r"(?:(?:the|this|that|your|an?) )?(?:\w+ )?(?:answers?|questions?|quer(?:y|ies)|requests?)"
)
RELATED = (
    r"(?:information|answers?|details?|data|advice|response|guidance|questions?|requests?|"
    r"quer(?:y|ies)|"
    r"records?|mention|anything|article|documentation|opinions?|figure|diagnos\w+|recommendations?|"
    r"inquir(?:y|ies)|matter|topic)"
)
KEPT = (
    r"(?!.{0,80}\b(?:is|are|was|were|be|gets?) (?:\w+ly )?(?:stored|collected|shared|sent|kept|"
    r"retained|transmitted|lost|saved|logged|required|needed|sold|transferred|recorded|exchanged|"
    r"passed|used|processed|leaked|deleted|changed|necessary|written|returned|exposed)\b)"
)

ABOUT = (
    r"(?:(?:discuss|describ|talk|focus|concern|deal|touch|pertain|revolv|centre|center|relat|"
    r"explor|"
    r"examin|look|cover|address|explain|outlin|refer|speak|summari[sz]|review|introduc)\w*|"
    r"(?:is|are|was|were|seem|appear)\w* (?:\w+ ){0,3}?(?:about|related|relating|concerned|limited|"
    r"focused|on)|(?:only|mainly|primarily|mostly|merely|just|simply|generally|largely) \w+"
    r"(?=[^\d]*$)|(?:do |does )?"
    r"(?:mention|list|name|give|includ|contain|provid|note|offer|present|have|has)\w*"
    r"(?! that\b)(?=[^\d]*$)|(?:do |does )?(?:provid|give|contain|offer|includ|have|has)\w* "
    r"(?:[\w-]+ ){0,3}(?:information|details?|background|context|examples|data))"
)
CONSULT = (
    r"(?:contact\w*|consult\w*|check\w*|refer\w*|reach\w*|ask\w*|visit\w*|provid\w*|shar\w*|"
    r"clarif\w*|"
    r"rephras\w*|let me know|speak\w*|talk\w*|see|look\w*|search\w*|verif\w*|review\w*|call\w*|"
    r"e-?mail\w*|"
    r"seek\w*|specif\w*|giv\w*|upload\w*|get in touch|turn(?:ing)? to|get(?:ting)? in touch|"
    r"submit\w*|"
    r"open(?:ing)? a|find(?: out)?|watch|read(?:ing)?|stay tuned|keep an eye|feel free|try(?:ing)? "
    r"(?:re\w+|again|ask\w+|search\w+|check\w+|contact\w+|another|a different|different|other)|"
    r"assist\w*|help\w*|happy|glad|hesitate|be (?:able|the best)|elaborate|point|raise)"
)
