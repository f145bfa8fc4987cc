"""How German declines to answer."""

from __future__ import annotations

from ragproof.text.refusals.phrases import Phrases

_GAP = r"(?:,? [\w'/.-]+)"
_NOT = r"(?:nicht|kein\w*|nichts|nirgends|nirgendwo|weder|unmöglich|noch nicht)"
_INFO = (
    r"(?:\w*informationen?|infos?|\w*angaben?|details?|\w*daten|\w*auskunft|\w*auskünfte|"
    r"antwort\w*|\w*hinweise?n?|"
    r"\w*kenntniss?e?|aussagen?|regelung\w*|erwähnung|ahnung|unterlagen|eintrag|einträge|"
    r"ergebnis\w*|treffer|"
    r"zugriff|belege?|einzelheiten|zahlen|wissen|\w*beratung|\w*empfehlung\w*|diagnose\w*|"
    r"ratschläge?|"
    r"meinung|stellungnahme|bezug|passendes|inhalte?|artikel|quellen?|dokumente?|vorgaben?|"
    r"erkenntnisse|"
    r"schimmer|plan davon)"
)
_SRC = (
    r"(?:\w*(?:dokument|kontext|text|quelle|unterlage|passage|abschnitt|abschnitte|artikel|"
    r"handbuch|handbücher|vertrag|"
    r"verträge|auszug|auszüge|bericht|material|richtlinie|seite|datenbank|suchergebnis|anleitung|"
    r"ausschnitt|"
    r"stelle|schreiben|studie|dokumentation|wissensbasis|vereinbarung|faq|notiz|protokoll|"
    r"beitrag|beiträge|akte|"
    r"absatz|absätze|datei|leitfaden|broschüre|beipackzettel|packungsbeilage|ordnung|information|"
    r"angabe|kapitel)(?:e|en|n|es|s|ern|em)?)"
)
_DO = (
    r"(?:beantworte\w*|antworten|sagen|finden|ermitteln|feststellen|bestimmen|helfen|"
    r"weiterhelfen|geben|"
    r"machen|liefern|nennen|bereitstellen|beurteilen|bestätigen|entnehmen|herausfinden|angeben|"
    r"anbieten|"
    r"teilen|erteilen|leisten|erkennen|ableiten|äußern|beraten|unterstützen|zugreifen|einsehen|"
    r"entdecken|dienen|"
    r"mitteilen|treffen|weiß|wissen|kommentieren|erklären|einschätzen|klären|gefunden|entdeckt|"
    r"erschließen|"
    r"verraten|bieten|stellen|bewerten|prüfen)"
)
_TOLD = (
    r"(?:erwähnt|genannt|angegeben|aufgeführt|beschrieben|enthalten|ersichtlich|vermerkt|"
    r"thematisiert|behandelt|"
    r"erläutert|spezifiziert|beantwortet|dokumentiert|ausgewiesen|festgehalten|definiert|"
    r"erklärt|verzeichnet|hinterlegt|geregelt|festgelegt|gesagt|aufgelistet|präzisiert|vorhanden|"
    r"gegeben|"
    r"verfügbar|angesprochen|abgedeckt|konkretisiert|zu finden|zu entnehmen|zu lesen|bekannt)"
)

GERMAN = Phrases(
    cues=r"nicht\w*|kein\w*|nirgend\w*|weder|un\w+|überfragt|außerhalb|über\w+|schweig\w*|fehl\w*|"
    r"leider|ohne|kaum|wenig\w*|mangel\w*",
    anchors=rf"ich|wir|mir|uns|{_INFO}|{_SRC}|{_TOLD}|{_DO}|frage|anfrage|thema|nenn\w*|erwähn\w*|"
    r"sag\w*|beantwort\w*|hervor\w*|ersichtlich|"
    r"weiß|darüber|hierzu|darauf|davon|dazu|unmöglich",
    speaker=(
        rf"\b(?:ich weiß|weiß ich)\b{_GAP}{{0,5}}? (?:nicht|nichts|kein\w*|keinen)\b",
        rf"\bich\b{_GAP}{{0,5}}? nicht{_GAP}{{0,2}}? weiß\b",
        r"^\W*(?:(?:das )?weiß (?:ich )?(?:leider )?nicht|keine ahnung|"
        r"keinen? (?:blassen )?schimmer)\b",
        r"\bkeine? (?:blasse )?ahnung\b",
        r"\b(?:ich (?:kann|konnte|könnte|darf|möchte|will|werde)|(?:kann|konnte|könnte|darf|"
        rf"möchte|werde) ich)\b{_GAP}{{0,14}}? {_NOT}"
        rf"{_GAP}{{0,9}}? {_DO}\b",
        r"\b(?:wir (?:können|konnten)|(?:können|"
        rf"konnten) wir)\b{_GAP}{{0,10}}? {_NOT}{_GAP}{{0,4}}? (?:{_INFO}{_GAP}{{0,8}}? {_DO}"
        r"|beantworten|weiterhelfen|sagen)\b",
        r"\b(?:(?:ich|wir) (?:habe|haben|hatte|besitze|verfüge\w*)|(?:habe|verfüge|besitze) ich|"
        r"(?:haben|verfügen) wir|"
        r"(?:mir|uns) liegen|liegen (?:mir|uns)|(?:mir|uns) (?:fehlen|fehlt|ist|sind)|(?:fehlen|"
        rf"fehlt) (?:mir|uns))\b{_GAP}{{0,14}}? "
        rf"(?:{_NOT}|(?:die|das|der) (?:nötige|notwendige)\w*|"
        rf"die)?{_GAP}{{0,3}}? ?\b{_INFO}\b(?<!die informationen)",
        rf"\b(?:ich habe|habe ich)\b{_GAP}{{0,12}}? (?:nichts|kein\w*){_GAP}{{0,12}}? gefunden\b",
        rf"\b(?:mir|uns) (?:leider )?(?:ist|sind|liegt|liegen)\b{_GAP}{{0,6}}? (?:nicht bekannt|"
        r"nichts|unbekannt)",
        rf"\b(?:finde|sehe|fand|entdecke) ich\b{_GAP}{{0,12}}? (?:nichts|kein\w*|nicht)\b",
        rf"\b(?:ich|ich selbst) (?:finde|sehe|fand|sah|entdecke)\b{_GAP}{{0,8}}? (?:nichts|"
        r"kein\w*|nicht)\b",
        r"\b(?:ich bin|bin ich)\b(?: \w+){0,4}? (?:nicht|kein\w*|überfragt|außerstande|"
        r"unsicher)(?: \w+){0,4}?\b",
        rf"(?:\b(?:frage|anfrage|antwort)\b{_GAP}{{0,10}}?|\b(?:das|dies|sie|es|sich|daher|somit|"
        rf"hierzu|dazu)) (?:leider )?(?:lässt|kann|konnte|können|lassen)\b{_GAP}{{0,10}}? "
        rf"nicht{_GAP}{{0,6}}? (?:beantwort\w+|sagen|ermitteln?t?|bestimm\w+|feststellen|"
        r"festgestellt|"
        r"entnehmen|entnommen|ableiten|abgeleitet|klären|geklärt|herausfinden|beurteilen|"
        r"ermittelt)\b",
        rf"\b(?:lässt|lassen) sich{_GAP}{{0,12}}? (?:nicht|kein\w*){_GAP}{{0,6}}? (?:beantworten|"
        r"sagen|ermitteln|bestimmen|feststellen|"
        r"entnehmen|ableiten|klären|finden|beurteilen|herauslesen|erkennen)\b",
        rf"\b(?:nicht möglich|unmöglich|keine möglichkeit)\b{_GAP}{{0,10}}? ?\b(?:beantworten|"
        r"zu sagen|bestimmen|ermitteln|"
        r"zu geben|feststellen|zu treffen|beurteilen)\b",
        rf"\bkann{_GAP}{{0,12}}? nicht (?:\w+ ){{0,3}}?(?:beantwortet|bestimmt|ermittelt|"
        r"entnommen|abgeleitet)\b",
        rf"\b(?:frage|anfrage|das|dies|thema|es)\b{_GAP}{{0,6}}? (?:liegt|ist|fällt|gehört|geht|"
        rf"übersteigt|überschreitet|hat)\b{_GAP}{{0,4}}? "
        r"(?:außerhalb|nicht im|nicht in (?:meine\w*|den)|über|nicht zu|meine\w*|nichts mit|"
        rf"nicht mit|den)\b{_GAP}{{0,4}}? "
        rf"(?:rahmens?|umfangs?|bereichs?|wissens?|{_SRC}|kenntnis\w*|kompetenz\w*|"
        r"zuständigkeit\w*|möglichkeiten|themenbereich\w*|"
        r"hinaus|aufgabe\w*|fachgebiet\w*)\b",
        rf"\b(?:nicht|zu)\b{_GAP}{{0,2}}? ?\b(?:genug|genügend\w*|ausreichend\w*|hinreichend\w*|"
        rf"wenig|wenige){_GAP}{{0,4}}? {_INFO}\b",
        rf"\b(?:{_INFO}|{_SRC})\b{_GAP}{{0,8}}? (?:(?:nicht|un)(?: \w+)? ?(?:aus\b|ausreichend|"
        rf"zureichend|genug)|reich\w+{_GAP}{{0,6}}? nicht)",
        rf"\bunzureichend\w* {_INFO}\b",
        rf"\b(?:kein\w*|nichts)(?: \w+)? ?(?:{_INFO}|passend\w*)?{_GAP}{{0,8}}? (?:gefunden|"
        r"auffindbar)\b",
        r"\bnicht beantwortbar\b|\bnicht zu beantworten\b|\bbleibt unbeantwortet\b",
        r"^\W*(?:leider )?(?:dazu |darüber |hierzu |hierüber |davon |"
        rf"zu diesem thema )?(?:leider )?keine?(?:rlei)? {_INFO}\b(?!.{{0,60}}(?:gespeichert|"
        r"erhoben|übertragen|nötig|erforderlich))",
    ),
    sources=(
        rf"\b{_SRC}\b{_GAP}{{0,8}}? (?:erwähn|nenn|sag|beantwort|spezifizier|beschreib|geh|"
        r"thematisier|äußer|definier|regel|"
        r"bezieh|präzisier|behandel|erläuter|erklär|verrat|verrät|leg|geb|gib|mach|liefer|biet|"
        r"führ|steh|zeig|informier|klär|konkretisier|find|nimm|"
        rf"treff|triff|deck|enthält|enthalt|enthielt|verlier)\w*{_GAP}{{0,10}}? (?:nicht|nichts|"
        rf"nirgends|nirgendwo|kein wort|keinerlei|kein\w*{_GAP}{{0,3}}? {_INFO})\b",
        r"\b(?:steht|stehen|findet sich|finden sich|gibt es|es gibt|findet man|liegen|liegt|"
        rf"fehlen|fehlt|findet|finden|fand\w*|sind|ist)\b{_GAP}{{0,12}}? "
        rf"(?:nichts|kein\w*{_GAP}{{0,3}}? {_INFO}|jede\w* (?:angabe|hinweis|information))\b",
        rf"\b(?:fehlen|fehlt)\b{_GAP}{{0,8}}? {_INFO}\b{_GAP}{{0,8}}? {_SRC}|"
        rf"{_SRC}\b{_GAP}{{0,5}}? (?:fehlen|fehlt)\b{_GAP}{{0,6}}? {_INFO}\b",
        rf"\b{_SRC}\b(?:{_GAP}{{0,4}}? (?:schweig\w*|bleib\w* vage)|{_GAP}{{0,12}}? (?:nicht|"
        rf"nirgends|nirgendwo){_GAP}{{0,3}}? {_TOLD})\b",
        r"\b(?:steht|stehen|stand) (?:leider )?(?:nicht|nirgends|nirgendwo|"
        r"nichts)(?: \w+)? ?\b(?:im|in|auf|drin|darin|dazu|darüber)\b",
        rf"\b(?:nicht|nirgends|nirgendwo){_GAP}{{0,3}}? {_TOLD}\b(?={_GAP}{{0,3}} {_SRC})",
        rf"\b(?:wird|werden|ist|sind|wurde|wurden)\b{_GAP}{{0,10}}? (?:nicht|nirgends|"
        rf"nirgendwo){_GAP}{{0,2}}? "
        r"(?:erwähnt|genannt|angegeben|ersichtlich|spezifiziert|vermerkt|näher beschrieben|"
        r"präzisiert|beschrieben|aufgeführt|thematisiert)\b",
        r"\b(?:diese |die |das |dies|eine )?(?:informationen?|angaben?|antwort|das|"
        rf"dies)\b{_GAP}{{0,6}}? (?:ist|sind|wird|liegt|liegen|steht|wurde)\b{_GAP}{{0,4}}? "
        rf"nicht{_GAP}{{0,3}}? (?:{_TOLD}|vor)\s*\W*$",
        rf"\b(?:geht|gehen|ging)\b{_GAP}{{0,14}}? nicht{_GAP}{{0,4}}? hervor\b|"
        r"\bnicht hervor(?:geht|gehen)?\b",
        r"\bnicht (?:zu )?(?:entnehmen|ersichtlich|erkennbar)\b",
        r"\b(?:kein\w*|nichts)\b (?:davon|der|dieser|von|einzige\w*|"
        rf"in)\b{_GAP}{{0,5}}? ?\b(?:{_SRC}|ihnen|nenn\w*|erwähn\w*|geb\w*|gib\w*|enthält)\b",
        rf"\bkein\w* {_SRC}\b{_GAP}{{0,5}}? (?:nennt|erwähnt|enthält|gibt|sagt|beschreibt|"
        r"beantwortet)\b",
        r"^\W*(?:jedoch |auch |aber )?(?:nennen|nennt|erwähnen|erwähnt|sagen|sagt|beantworten|"
        rf"enthalten|enthält|geben|keine?r?s?)\b{_GAP}{{0,8}}? "
        rf"(?:nicht|nichts|kein\w* {_INFO}|nennt|erwähnt|sagt|beantwortet)\b",
        rf"^\W*(?:nicht|nirgends) (?:\w+ )?{_TOLD}\b",
        rf"(?:^\W*(?:\w+ )?|\b{_SRC}\b{_GAP}{{0,8}}? )(?:nennen|nennt|erwähnen|erwähnt|"
        rf"spezifizier\w+|präzisier\w+)\b{_GAP}{{0,4}}? kein\w*\b",
    ),
    condition=r"\b(?:wenn|falls|sofern|sobald|bis|solange|fehler|meldung|bedeutet|heißt)\b",
    turn=r"(?:^|[,;:\u2014] ?)(?=(?:aber|jedoch|allerdings|dennoch|trotzdem|doch|hingegen|"
    r"stattdessen|während)\b)"
    r"|, (?=(?:\w+ ){1,8}?(?:jedoch|aber|allerdings|hingegen|dagegen)\b)"
    r"|, (?=(?:vielleicht|möglicherweise|vermutlich|wahrscheinlich|ich (?:glaube|vermute|denke)|"
    r"es (?:könnte|dürfte))\b)",
    conclusion=r"^\W*(?:daher|deshalb|somit|folglich|also|deswegen|insgesamt|aus diesem grund)\b",
    concession=r"^\W*(?:obwohl|obgleich|wenngleich|auch wenn|zwar|während)\b[^,]{1,300},",
    asides=(
        r"\W*(?:nein|hinweis|jedoch|aber|allerdings|leider|also|doch|antwort)\W*",
        r"\W*(?:es )?(?:tut mir|tut uns)?(?: \w+)? ?(?:leid|leider|entschuldigung|"
        r"entschuldige\w*|verzeihung|sorry|bedauer\w*|hallo|guten tag|"
        r"liebe\w*|vielen dank|danke|gute frage|mit freundlichen grüßen|viele grüße)\b.{0,50}",
        r"\W*(?:\w+ ){0,6}?(?:bitte|wenden|empfehle\w*|empfiehlt|rate|raten|fragen|frag|"
        r"konsultier\w*|kontaktier\w*|prüf\w*|überprüf\w*|am besten|"
        r"hilft|helfe|helfen|weiterhelfen|schauen|sehen sie|lesen sie|vielleicht|sollten|könnte|"
        r"wissen|sprechen|suchen|teilen sie|stellen sie|"
        r"präzisier\w*|nachschlagen|nachsehen)\b.*\b(?:wenden|wende|fragen|frag|kontakt\w*|"
        r"konsultier\w*|prüf\w*|überprüf\w*|helfen|helfe|hilft|"
        r"weiterhelfen|arzt|ärztin|anwalt|support|kundendienst|kundenservice|personalabteilung|"
        r"webseite|website|nachsehen|nachschlagen|schauen|an|"
        r"mehr|weitere|bereit|stellen|präzisier\w*|umformulier\w*|mit|nach|zuständig\w*)\b.*",
        r"\W*(?:wenn|falls|sofern|gerne?|ich (?:helfe|kann (?:ihnen |dir )?(?:gern|nur)|hoffe|"
        r"bin (?:ein|nur)|habe (?:die|in|alle) .{0,60}"
        r"(?:durchsucht|geprüft|gesucht))|als (?:ki|künstliche|sprachmodell|ai)|mein (?:wissen|"
        r"training)|meine)\b.*",
        r"\W*(?:(?:die|der|das|diese|dieser|dieses|alle|in|im|meine|ihre|"
        rf"beide)\b(?: [\w-]+){{0,4}}? )?{_SRC}\b{_GAP}{{0,6}}? ?\b(?:behandel|"
        r"beschreib|erklär|erläuter|handel|befass|beschäftig|beziehen|bezieht|geht|gehen|"
        r"thematisier|konzentrier|sprechen|spricht|schilder|"
        r"betreffen|betrifft|nur|lediglich|ausschließlich|drehen|dreht|berichten|berichtet|"
        r"stellen|stellt|zwar|nennen|nennt|erwähn|enthalten|enthält)\w*\b(?![^\n]*\d).*",
        r"\W*(?:die|diese|ihre|deine|sie|du) (?:frage|fragen|fragst|anfrage)\b.*",
        r"\W*(?:das|dies|die antwort)\b.{0,40}\b(?:hängt|würde|erfordert|könnte)\b.*",
        r"\W*(?:ohne|da|weil|aufgrund|mangels)\b.{0,80}",
    ),
    accounts=(
        rf"\W*(?:[\w-]+,? ){{0,3}}?(?:die|der|das|diese\w*|alle|in|im|es|dort|sie|"
        rf"darin)\b(?!.{{0,20}}(?:laut|zufolge))(?:.{{0,30}}?\b{_SRC})\b.*",
        r"\W*(?:sie|es|darin|dort) (?:\w+ )?(?:behandel|beschreib|nenn|geh|sprech|handel|"
        r"erwähn)\w*\b.*",
    ),
)
