"""How French declines to answer."""

from __future__ import annotations

from ragproof.text.refusals.phrases import Phrases

_GAP = r"(?:,? [\w'/.-]+)"
_INFO = (
    r"(?:\w*'?informations?|infos?|renseignements?|réponses?|(?:d')?données|détails?|(?:d'|"
    r"l')?éléments?|mentions?|"
    r"précisions?|(?:d'|l')?indications?|(?:d'|l')?accès|connaissances?|conseils?|(?:d'|l')?avis|"
    r"références?|résultats?|"
    r"traces?|(?:d'|l')?idées?|rien|contenus?|documents?|articles?|explications?|chiffres?|"
    r"contexte|certitude|compétences?|"
    r"opinions?|passages?|diagnostics?|clauses?|moyens?)"
)
_SRC = (
    r"(?:documents?|documentations?|contextes?|textes?|sources?|passages?|(?:d'|l'|les |des |"
    r"ces )?extraits?|(?:d'|l')?articles?|"
    r"manuels?|guides?|contrats?|rapports?|(?:d'|l')?informations?|(?:d'|l')?éléments|"
    r"base de connaissances?|bases?|pages?|"
    r"politiques?|règlements?|notices?|données|résultats|bail|(?:d'|l')?accords?|conventions?|"
    r"fiches?|(?:d'|l')?études?|"
    r"chapitres?|sections?|paragraphes?|livrets?|fichiers?|dossiers?|notes?|courriels?|"
    r"brochures?|corpus|matériel|"
    r"archives?|compte rendu|ressources?|fragments?|faq|site)"
)
_DO = (
    r"(?:y |vous |te |le |la |l'|en |lui |me |leur )*(?:répondre|aider|fournir|donner|dire|"
    r"déterminer|trouver|confirmer|"
    r"indiquer|préciser|renseigner|conseiller|accéder|identifier|savoir|vérifier|affirmer|"
    r"établir|partager|proposer|"
    r"apporter|localiser|traiter|divulguer|assister|commenter|me prononcer|prononcer|poser|"
    r"émettre|offrir|communiquer|"
    r"estimer|conclure|retrouver|déduire|formuler|faire)"
)
_TOLD = (
    r"(?:mentionnée?s?|précisée?s?|indiquée?s?|spécifiée?s?|fournie?s?|disponibles?|donnée?s?|"
    r"abordée?s?|traitée?s?|"
    r"incluse?s?|communiquée?s?|présente?s?|documentée?s?|décrite?s?|évoquée?s?|détaillée?s?|"
    r"citée?s?|couverte?s?|"
    r"stipulée?s?|prévue?s?|renseignée?s?|explicitée?s?|contenue?s?|répertoriée?s?|connue?s?|"
    r"dite?s?|trouvée?s?|accessibles?|expliquée?s?)"
)
_NOT = r"(?:pas|aucune?|rien|nulle part|jamais|guère|d'aucune?|ni)"

FRENCH = Phrases(
    cues=r"ne|n'.*|aucune?|rien|pas|impossible|incapable|j'ignore|l'ignore|ignore|hors|dehors|"
    r"au-delà|sort\w*|dépass\w*|muette?s?|insuffisant\w*|"
    r"manqu\w*|nulle|sans|désolée?|inconnue?s?|incapacité|silencieu\w*|indisponible",
    anchors=rf"je|j'.*|nous|{_INFO}|{_SRC}|{_TOLD}|(?:\w+')?(?:question|réponse|sujet|demande|"
    r"requête|idée)s?|mentionn\w*|précis\w*|indiqu\w*|spécifi\w*|"
    r"répon\w*|déterminer|savoir|sais|dire|dit|disent|cela|ceci|impossible",
    speaker=(
        r"\bje (?:ne |n')(?:(?:le|la|les|vous|en|y|me|suis|l) ?'?)*(?:sais|connais|vois|trouve|"
        r"parviens|saurais|possède|comprends|"
        r"détiens|dispose)\b",
        r"\bje (?:ne |n')(?:(?:vous|le|la|l|y|en|te) ?'?)*(?:peux|puis|pourrais|"
        r"pourrai)\b(?: (?:pas|malheureusement|donc|hélas|"
        rf"actuellement|rien|pas non plus|vous|guère|aucunement)){{0,4}} {_DO}\b",
        rf"\bje (?:ne |n')(?:suis|serais)\b{_GAP}{{0,2}}? (?:pas|"
        rf"ni)\b{_GAP}{{0,3}}? ?\b(?:en mesure|capable|sûre?|certaine?|habilitée?|autorisée?|"
        r"qualifiée?|compétente?|au courant|en position|apte|médecin|avocate?|à même|informée?|"
        r"programmée?)",
        rf"\bje (?:suis|me trouve|reste)\b{_GAP}{{0,2}}? (?:incapable|dans l'incapacité|"
        r"dans l'impossibilité)\b",
        rf"\b(?:je|nous) n'(?:ai|avons)\b{_GAP}{{0,3}}? {_NOT}\b{_GAP}{{0,6}}? ?\b(?:{_INFO}|"
        r"trouvé\w*|pu|réussi|vu|repéré|localisé|identifié)\b",
        rf"\b(?:je|nous) n'(?:ai|avons)\b{_GAP}{{0,4}}? (?:trouvé|vu|repéré|relevé|identifié|"
        rf"localisé) (?:{_NOT}|nulle)\b",
        rf"\bnous ne (?:disposons|trouvons|possédons|savons|pouvons)\b{_GAP}{{0,2}}? (?:pas|"
        rf"aucune?|d'aucune?|malheureusement)\b{_GAP}{{0,5}}? "
        rf"?(?:{_INFO}|répondre|si\b|déterminer)",
        r"\bj'ignore\b|\bj'en ignore\b|\bje l'ignore\b",
        r"\b(?:aucune idée|pas la moindre idée|je donne ma langue)\b",
        r"\b(?:impossible|pas possible|impossible pour moi|ne permet\w* pas|"
        rf"difficile)\b{_GAP}{{0,3}}? (?:de |d'|à )(?:vous |y |le |l'|en )*(?:répondre|"
        r"déterminer|dire|"
        r"savoir|préciser|conclure|établir|connaître|affirmer|donner|fournir|identifier|"
        rf"trouver (?:\w+ ){{0,3}}{_INFO}|déduire|estimer)\b",
        r"\b(?:question|cela|ceci|ça|c'est|sujet|demande|requête|point|information|il|"
        rf"elle)\b{_GAP}{{0,5}}? ?\b(?:sort|dépasse|est|se situe|se trouve|relève|"
        rf"fait|concerne|entre|échappe|va)\b{_GAP}{{0,3}}? ?\b(?:cadre|champ|périmètre|domaine|"
        r"portée|hors|dehors|au-delà|pas partie|pas (?:le|la|de|du|dans|en)|compétences?|"
        r"connaissances?|sort|mes|des)\b"
        rf"(?:{_GAP}{{0,5}}? (?:{_SRC}|compétences?|connaissances?|mes|domaine|ce que je|mon|"
        r"sujet|champ|expertise|portée|cadre|assistant)\b|\W*$)",
        rf"\b(?:question|réponse)\b{_GAP}{{0,12}}? (?:ne peut|n'a pas|n'est pas|reste|ne figure|"
        rf"ne se trouve|n'apparaît|ne peuvent)\b{_GAP}{{0,4}}? ?"
        rf"(?:être|trouver?|réponse|sans|dans|{_TOLD}|pas|déterminée?|répondre)\b",
        r"\bil n'y a pas de réponse\b|\bsans réponse possible\b|\brien trouvé\b|"
        r"\brien à ce sujet\b|\bon ne peut pas (?:répondre|déterminer|savoir|conclure|dire)\b",
        rf"\b(?:pas|manque|peu|trop peu)\b{_GAP}{{0,1}}? ?\b(?:suffisamment|assez|d'informations|"
        rf"de données|d'éléments|de détails|de contexte)\b{_GAP}{{0,2}}? ?\b(?:d'|de )?{_INFO}?",
        rf"\b{_INFO}\b{_GAP}{{0,6}}? ?\b(?:insuffisante?s?|pas suffisante?s?|ne suffi\w+ pas)\b",
        r"\binsuffisante?s? pour (?:\w+ )?(?:répondre|déterminer|dire|établir|donner)",
        r"\bje (?:ne )?(?:préfère|dois)\b(?: \w+){0,2}? (?:ne pas|m'abstenir|décliner|refuser)\b",
    ),
    sources=(
        rf"\b{_SRC}\b{_GAP}{{0,8}}? (?:ne |n')(?:(?:le|la|les|l|nous|vous|en|y|me|s|"
        r"se) ?'?)*(?:mentionn|précis|indiqu|spécifi|dis|dit|répond|abord|trait|parl|évoqu|"
        rf"décri|expliqu|signal|cit|stipul|prévoi|détaill|révèl|permett|permet|fait|font|"
        r"figur|concern|compren|énonc|clarifi|communiqu|définit|définiss|"
        rf"évoqu)\w*{_GAP}{{0,3}}? {_NOT}\b",
        rf"\b{_SRC}\b{_GAP}{{0,6}}? (?:ne |n')(?:contien|conten|comport|propos|offr|inclu|fourni|"
        r"donn|apport|présent|livr|a|ont|dispos)\w* (?:pas|aucune?|"
        rf"rien)\b{_GAP}{{0,4}}? ?\b(?:cette |ces |d'|l'|la |de )?{_INFO}\b",
        rf"\baucune?\b{_GAP}{{0,4}}? {_SRC}\b{_GAP}{{0,6}}? (?:ne |n')",
        rf"\baucune? (?:d'(?:entre )?(?:eux|elles)|ne|n')\b{_GAP}{{0,1}}? ?\b(?:ne |"
        r"n')?(?:mentionn|précis|indiqu|donn|répond|dit|parl|spécifi|fourni|évoqu|trait|"
        r"abord)\w*",
        r"\b(?:aucune?|pas d'|pas de|nulle) ?(?:autre |"
        rf"réelle )?{_INFO}\b(?={_GAP}{{0,8}} (?:n'est|ne |n'a|n'y|trouvée?s?|disponibles?|sur|"
        r"concernant|à ce sujet|à propos|dans|relative?|"
        rf"fournie?s?|permettant|là-dessus|pertinente?)|\W*$)(?!.{{0,60}}(?:stocké|enregistré|"
        r"collecté|transmis|partagé|nécessaire|requis|conservé))",
        r"\b(?:il n'y a|il n'existe|il ne figure|on ne trouve|ne figure|ne se trouve|n'apparaît|"
        rf"n'apparaissent|ne figurent|ne ressort)\b{_GAP}{{0,3}}? (?:pas|aucune?|nulle part|"
        r"rien)\b"
        rf"{_GAP}{{0,4}}? ?\b(?:{_INFO}|dans|de ces|à ce sujet|{_SRC})\b",
        rf"\b(?:n'est|ne sont|n'a|n'ont|n'était|n'étaient|ne serait)\b{_GAP}{{0,2}}? (?:pas|"
        rf"nulle part|jamais)\b{_GAP}{{0,3}}? ?\b{_TOLD}{_GAP}{{0,3}}? (?:dans|par|parmi|"
        rf"au sein)\b{_GAP}{{0,4}}? {_SRC}\b",
        rf"\b(?:n'est|ne sont|n'a|n'ont|n'était)\b{_GAP}{{0,2}}? (?:pas|nulle part|"
        r"jamais)(?: \w+ment)? ?(?:été )?(?:mentionnée?s?|précisée?s?|indiquée?s?|"
        r"spécifiée?s?)(?=\W*$|[,;:.]| ici)",
        r"\b(?:cette |l'|ces |telle |l')?(?:information|donnée|réponse|cela|ceci|"
        rf"détail)s?\b{_GAP}{{0,4}}? (?:n'est|ne sont|n'a|ne figure|"
        rf"n'apparaît)\b{_GAP}{{0,2}}? (?:pas|nulle part)\b{_GAP}{{0,2}}? ?\b(?:{_TOLD}|dans|"
        r"été)?",
        r"\b(?:reste|restent|est|sont|demeure\w*)\b (?:totalement )?(?:muette?s?|silencieu\w+|"
        r"vagues?)\b",
        r"^\W*(?:mais |et )?(?:ne |n')(?:mentionn|précis|indiqu|dis|spécifi|donn|abord|"
        rf"répond)\w*{_GAP}{{0,2}}? {_NOT}\b",
        r"\b(?:il|elle|ils|elles|qui|cela|ce(?:lui|lle)-ci)\b (?:ne |n')(?:y )?(?:mentionn|"
        rf"précis|indiqu|spécifi|abord|évoqu)\w* {_NOT}\b",
        rf"\brien (?:dans|sur|à propos|concernant|n'est|ne)\b{_GAP}{{0,6}}? ?\b(?:{_SRC}|{_TOLD}|"
        r"mentionn\w*|indiqu\w*|précis\w*)\b",
        r"^\W*(?:non|pas) (?:mentionné|précisé|spécifié|indiqué|renseigné|communiqué|"
        r"disponible)e?\b",
    ),
    condition=r"\b(?:si|s'il|s'ils|lorsque?|quand|en cas|tant que|signifie que|erreur|message)\b",
    turn=r"(?:^|[,;:\u2014] ?| )(?=(?:mais|cependant|toutefois|néanmoins|pourtant|en revanche|"
    r"par contre|or,|tandis que|alors que)\b)"
    r"|, (?=(?:peut-être|probablement|sans doute|je (?:pense|crois|dirais)|il (?:se peut|"
    r"semble))\b)",
    conclusion=r"^\W*(?:donc|par conséquent|ainsi|en conclusion|c'est pourquoi|dès lors|"
    r"de ce fait)\b",
    concession=r"^\W*(?:bien que|bien qu'|quoique|même si|alors que|tandis que|si)\b[^,]{1,300},",
    asides=(
        r"\W*(?:non|mais|cependant|toutefois|remarque|réponse|donc)\W*",
        r"\W*(?:je (?:suis|vous prie|m'excuse|regrette|présente)\b.{0,60}|désolée?|navrée?|"
        r"pardon|excusez.{0,30}|toutes mes excuses|malheureusement|hélas|"
        r"bonjour.{0,20}|merci.{0,50}|cordialement.{0,40}|bonne question)\W*(?:désolée?|"
        r"navrée?)?\W*",
        r"\W*(?:\w+,? )?(?:veuillez|merci de|consultez|contactez|adressez|demandez|vérifiez|"
        r"essayez de|rapprochez|reformulez|précisez|renseignez|référez|"
        r"reportez|n'hésitez|je vous (?:recommande|conseille|invite|suggère)|il (?:est|serait|"
        r"convient|faudrait|vaut)|vous (?:pouvez|pourriez|devriez|devrez)|"
        r"pour (?:plus|en savoir|toute|obtenir|cela|répondre|de plus)|si vous|je (?:reste|serai|"
        r"peux vous aider|peux (?:uniquement|seulement))|votre (?:médecin|avocat|gestionnaire)|"
        r"le (?:service|mieux)|l'équipe|mieux vaut)\b.*",
        r"\W*(?:en tant qu|je suis (?:un|une)|mes? (?:connaissances?|formation|données|rôle)|"
        r"j'ai (?:cherché|consulté|parcouru|vérifié|examiné))\b.*",
        r"\W*(?:la|cette|votre|vous|votre) (?:question|demande|demandez|souhaitez|requête)\b.*",
        r"\W*(?:(?:les|le|la|l'|ces|cet?|cette|tous|mes|vos|seuls?|"
        rf"dans)\b(?: [\w'-]+){{0,3}}? ?)?{_SRC}\b{_GAP}{{0,6}}? ?\b(?:trait|décri|parl|abord|"
        r"port|concern|évoqu|discut|expliqu|"
        r"présent|se concentr|concentr|se limit|limit|relat|racont|explor|ne .{0,20}que|"
        r"uniquement|seulement|mentionn|cit|donn|fourniss|fournit|contien)\w*\b(?![^\n]*\d).*",
        r"\W*(?:cela|ceci|ça|la réponse)\b.{0,40}\b(?:dépend|nécessit|exig|pourrait|peut varier|"
        r"requ)\w*\b.*",
        r"\W*(?:sans|car|puisque|parce|faute|étant donné)\b.{0,100}",
    ),
    accounts=(
        rf"\W*(?:[\w'-]+,? ){{0,3}}?(?:les|le|la|l'|ces|cet?|cette|tous|dans|ils|elles|il|"
        rf"elle)(?:\b|(?<='))(?!.{{0,20}}(?:selon|d'après))(?:.{{0,30}}?\b{_SRC})\b.*",
        r"\W*(?:ils|elles|il|elle) (?:ne )?(?:trait|parl|décri|mentionn|évoqu|abord|discut)\w*\b.*",
    ),
)
