"""How Italian declines to answer."""

from __future__ import annotations

from ragproof.text.refusals.phrases import Phrases

_GAP = r"(?:,? [\w'/.-]+)"
_INFO = (
    r"(?:(?:\w+')?informazion[ei]|dat[oi]|dettagli[o]?|rispost[ae]|accesso|(?:un')?ide[ae]|"
    r"conoscenz[ae]|menzion[ei]|riferiment[oi]|nulla|"
    r"niente|risultat[oi]|contenut[oi]|consigli[o]?|consulenz[ae]|element[oi]|contesto|"
    r"indicazion[ei]|document[oi]|documentazione|"
    r"spiegazion[ei]|opinion[ei]|certezza|cifr[ae]|tracci[ae]|prov[ae]|articol[oi]|diagnosi|"
    r"raccomandazion[ei]|font[ei]|riscontr[oi]|accenn[oi]|notizi[ae]|clausol[ae])"
)
_SRC = (
    r"(?:(?:\w+')?(?:document[oi]|documentazione|contest[oi]|test[oi]|font[ei]|passagg(?:io|i)|"
    r"bran[oi]|articol[oi]|manual[ei]|guid[ae]|contratt[oi]|"
    r"rapport[oi]|relazion[ei]|informazion[ei]|base di conoscenza|basi?|pagin[ae]|politic(?:a|"
    r"he)|regolament[oi]|material[ei]|risultati|"
    r"sezion[ei]|paragraf[oi]|estratt[oi]|not[ae]|accord[oi]|stud(?:io|i)|bugiardin[oi]|"
    r"foglio illustrativo|opuscol[oi]|file|capitol[oi]|dati|"
    r"verbal[ei]|risors[ae]|faq|sito|polizz[ae]|frammenti?|lettera|sched[ae]))"
)
_DO = (
    r"(?:rispond|aiut|forni|offri|dar[elv]?\b|darl|darv|darti|dirl|dirti|dire|determin|trov|"
    r"conferm|indic|inform|acced|sapere|garanti|precis|identific|"
    r"consigli|condivid|localizz|verific|stabili|assist|comment|esprim|rivel|conosc|conclud|"
    r"dedurre|afferm|chiari|individu|diagnostic|raccomand|"
    r"specific|rilasci|fare|porre|formul|emett|soddisf|comunic)\w*"
)
_SAY = (
    r"(?:menzion|specific|indic|dic|chiari|dettagli|affront|tratta|parla|spieg|descriv|rispond|"
    r"riport|cita|citano|rivel|stabili|fa|fanno|defin|comment|prevede|"
    r"prevedono|accenn|precis|riferi|afferm|mostr|copr|illustr|enunci|discut)\w*"
)
_HOLD = (
    r"(?:contien|conteng|conten|fornisc|offr|includ|present|ha|hanno|dà|danno|reca|c'è|ci sono|"
    r"propon|riport)\w*"
)
_TOLD = (
    r"(?:menzionat|specificat|indicat|disponibil|inclus|dettagliat|present|fornit|documentat|"
    r"descritt|riportat|precisat|previst|"
    r"chiarit|spiegat|citat|contenut|rivelat|trattat|affrontat|chiar|trovat|reperibil|not|"
    r"desumibil|ricavabil|definit)[oaie]?"
)

ITALIAN = Phrases(
    cues=r"non|nessun\w*|nulla|niente|né|impossibile|incapace|ignoro|fuori|oltre|esula\w*|"
    r"insufficient\w*|silenzio|tace|tacciono|manca\w*|privo|"
    r"privi|senza|neppure|nemmeno|mai|sconosciut\w*|boh|neanche|trascende",
    anchors=rf"{_INFO}|{_SRC}|{_DO}|{_SAY}|{_TOLD}|so|saprei|posso|possiamo|ho|abbiamo|trovo|vedo|"
    r"sono|riesco|conosco|ignoro|idea|domanda|risposta|questo|ciò|"
    r"tema|argomento|possibile|impossibile|boh|potrei|nulla|niente|dispongo|\w*idea",
    speaker=(
        r"\bnon (?:lo |la |ne )?(?:so|saprei)\b(?! che non)",
        r"\b(?:non ne ho idea|non ho (?:la minima |alcuna |nessuna )?idea|nessuna idea|lo ignoro|"
        r"ignoro|boh|sono incapace)\b",
        r"\bnon (?:le |ti |vi |lo |la |mi )?(?:posso|potrei|riesco a|riesco|sono riuscit[oa] a|"
        rf"ho potuto)\b{_GAP}{{0,3}}? ?\b{_DO}",
        rf"\bnon (?:possiamo|riusciamo a|siamo in grado di)\b{_GAP}{{0,2}}? ?\b(?:rispond|"
        rf"determin|conferm|dire|(?:{_DO}){_GAP}{{0,4}}? {_INFO})\w*",
        r"\bnon (?:sono (?:\w+ )?(?:in grado|sicur|cert|autorizzat|qualificat|abilitat|"
        r"nella posizione|a conoscenza|al corrente)\w*|mi è possibile|mi risulta|conosco|vedo|"
        r"trovo|ho (?:trovato|visto|"
        r"individuato|reperito|rintracciato)|ho modo)\b",
        r"\bnon (?:ho|dispongo|possiedo|abbiamo|disponiamo|mi sono state fornite|"
        rf"mi risultano)\b{_GAP}{{0,5}}? ?\b{_INFO}\b",
        r"\bnon (?:è|sarebbe|risulta|è stato|"
        rf"mi è)(?: \w+)? ?possibile\b{_GAP}{{0,2}}? ?\b(?:rispondere|determinare|sapere|dire|"
        r"precisare|dare|stabilire|dedurre|fornire|concludere|ricavare|identificare|"
        r"calcolare|confermare|affermare|offrire|trovare|risalire|individuare|desumere)\w*\b",
        r"\b(?:è|risulta) (?:impossibile|difficile) (?:rispondere|determinare|sapere|dire|"
        r"precisare|stabilire|dedurre)\b",
        rf"\bnon (?:si può|si riesce a|si possono)\b{_GAP}{{0,2}}? ?\b(?:rispondere|determinare|"
        r"sapere|dedurre|precisare|stabilire|concludere|affermare|dire)\b",
        rf"\bnon (?:consent|permett)\w+{_GAP}{{0,2}}? ?\b(?:di )?(?:rispondere|determinare|"
        r"sapere|stabilire|dedurre|identificare|una risposta)\b",
        r"\b(?:domanda|richiesta|questo|ciò|argomento|tema|questione|quesito|"
        rf"quanto)\b{_GAP}{{0,5}}? ?\b(?:fuori|oltre|esula\w*|va oltre|supera|non (?:rientra|"
        r"fa parte|riguarda|è pertinente|è attinente|è correlata|ha))\b"
        rf"{_GAP}{{0,4}}? ?\b(?:ambito|portata|conoscenz[ae]|{_SRC}|competenz[ae]|tema|dominio|"
        r"attinenza|capacità|campo|(?:dall'|nell'|dell'|l')ambito|dalle|mie)\b",
        r"^\W*(?:è )?fuori (?:dal mio|dal|dalla mia|dalla) (?:ambito|portata|campo|conoscenza)\b",
        rf"\b(?:domanda|risposta)\b{_GAP}{{0,12}}? non (?:può|è|si trova|compare|figura|ha|viene|"
        rf"risulta|c'è)\b{_GAP}{{0,4}}? ?\b(?:essere|{_TOLD}|rispo\w*|ne[il]\w*|determin\w*|"
        r"risposta|possibile|data)?",
        rf"\b(?:non|senza)\b{_GAP}{{0,3}}? ?\b(?:(?:sufficient[ei]|"
        rf"abbastanza)\b{_GAP}{{0,2}}? ?\b{_INFO}|{_INFO}(?: \w+)? sufficient[ei])\b",
        rf"\b{_INFO}\b{_GAP}{{0,6}}? ?\b(?:insufficient[ei]|non (?:è|sono|"
        r"basta\w*)(?: sufficient[ei])?)\b",
        r"\binsufficient[ei] (?:per|a) (?:\w+ )?(?:rispondere|determinare|stabilire|dare)",
        rf"\b(?:manca|mancano|mi mancano)\b{_GAP}{{0,3}}? {_INFO}\b",
    ),
    sources=(
        r"\b(?:esso|essa|essi|esse|questo|questa) non (?:lo |la |si )?(?:menzion|specific|indic|"
        r"dice|dettagli|precis|chiari)\w*",
        rf"\b{_SRC}\b{_GAP}{{0,7}}? (?:non|mai|neppure) (?:si |lo |la |ne |ci |"
        rf"vi )*(?:esplicitamente |specificamente |chiaramente )?{_SAY}",
        rf"\b(?:nulla|niente)\b{_GAP}{{0,5}}? (?:in|ne[il]\w*|"
        rf"nell'\w+) ?(?:[\w'-]+ ){{0,3}}?{_SRC}\b",
        rf"\b{_SRC}\b{_GAP}{{0,7}}? non (?:si |lo |la |ne |ci |"
        rf"vi )*{_HOLD}{_GAP}{{0,4}}? ?\b(?:{_INFO}|quest[aeio]|tal[ei]|ciò)\b",
        rf"\b{_SRC}\b{_GAP}{{0,7}}? non (?:è|sono|viene|vengono|c'è|ci sono|si trova\w*|compare|"
        rf"compaiono|figura\w*|risulta\w*|si fa)\b{_GAP}{{0,3}}? ?\b(?:{_TOLD}|{_INFO}|cenno|$)",
        rf"\b(?:nessun[oa]?|nulla|niente)\b{_GAP}{{0,5}}? ?\b(?:{_SRC}|di essi|di esse|di questi|"
        rf"di loro)\b{_GAP}{{0,4}}? ?\b(?:{_SAY}|{_HOLD})",
        r"\bnon (?:si (?:menzion|specific|indic|dettagli|precis|dice|chiari|descriv|spiega|parla|"
        r"fa (?:cenno|menzione|riferimento))\w*|viene (?:\w+mente )?(?:menzionat|specificat|"
        r"indicat|precisat|dett|chiarit|riportat|fornit)\w*)",
        r"\bnon (?:c'è|ci sono|esistono?|risultano?|compaiono?|è stata|sono state|ho|vi è|"
        r"vi sono|è presente|sono presenti|"
        rf"figura\w*)\b{_GAP}{{0,3}}? ?\b(?:trovat[ae] (?:\w+ ){{0,3}})?(?:{_INFO}\b|"
        rf"ne[il]\w* (?:\w+ ){{0,3}}{_SRC}\b|\W*$)(?!.{{0,40}}(?:conservat|perdit|memorizzat|"
        r"condivis))",
        r"\bnon (?:è|sono|viene|vengono|risulta\w*|è stat[oa]|"
        rf"sono stat[ei])\b{_GAP}{{0,2}}? ?\b{_TOLD}{_GAP}{{0,3}}? ?\b(?:ne[il]\w*|nell'\w+|in|"
        rf"da|dai|dal|dalle|tra)\b{_GAP}{{0,4}}? ?\b{_SRC}\b",
        r"\bnon (?:è|sono|è stat[oa]|sono stat[ei]) (?:\w+mente )?(?:menzionat|specificat|"
        r"indicat|precisat)[oaie](?=\W*$|[,;:])",
        r"\b(?:quest[ae]|tal[ei]|l'|quell[ae]|queste )?(?:informazion[ei]|risposta|dato|"
        rf"dettaglio)\b{_GAP}{{0,3}}? non (?:è|si trova|compare|figura|sono|risulta|viene|"
        rf"c'è)\b{_GAP}{{0,2}}? ?\b(?:{_TOLD}|ne[il]\w*|\W*$)?",
        rf"\bnessuna? {_INFO}\b(?:\W*$|{_GAP}{{0,6}}? ?\b(?:è |su|sul|sulla|sui|sulle|a riguardo|"
        rf"disponibile|trovat\w+|in merito|al riguardo))(?!.{{0,40}}(?:memorizzat|raccolt|"
        r"condivis|conservat))",
        rf"\b{_SRC}{_GAP}{{0,4}}? (?:tace|tacciono|omette|omettono|(?:non )?dic\w+ nulla|"
        r"nulla dic\w+)\b",
        rf"^\W*(?:ma |e |però )?nessun[oa]?\b{_GAP}{{0,3}}? ?\b{_SAY}",
        r"^\W*(?:ma |e |però )?non (?:si )?(?:menzion|specific|indic|dic|dettagli|chiari|riport|"
        r"parl)\w*",
        r"\b(?:nulla|niente) (?:su|sul|sulla|a riguardo|al riguardo|in merito|viene detto|"
        r"è detto|è riportato)\b",
    ),
    condition=r"\b(?:se|quando|qualora|nel caso|finché|ogni volta|significa che|errore|"
    r"messaggio)\b",
    turn=r"(?:^|[,;:\u2014] ?| )(?=(?:ma|tuttavia|però|comunque|nonostante|sebbene|anche se|"
    r"invece|ciononostante|mentre)\b)"
    r"|, (?=(?:forse|probabilmente|magari|credo|penso|suppongo|potrebbe)\b)",
    conclusion=r"^\W*(?:quindi|pertanto|perciò|dunque|in conclusione|di conseguenza|per questo)\b",
    concession=r"^\W*(?:sebbene|benché|nonostante|anche se|pur|mentre|malgrado)\b[^,]{1,300},",
    asides=(
        r"\W*(?:no|nota|ma|tuttavia|però|risposta)\W*",
        r"\W*(?:mi dispiace|mi spiace|spiacente|sono spiacente|scusa\w*|purtroppo|"
        r"sfortunatamente|chiedo scusa|mi scuso|ciao|salve|buongiorno|grazie|cordiali saluti|"
        r"buona domanda|ottima domanda|siamo spiacenti)\b.{0,40}",
        r"\W*(?:\w+,? )?(?:per favore|si prega|consult[ai]\w*|contatt[ai]\w*|chied[aei]\w*|"
        r"verific[ah]\w*|controll[aio]\w*|si rivolga|rivolg\w+|le (?:consiglio|suggerisco|"
        r"raccomando)|ti (?:consiglio|suggerisco)|consiglio|suggerisco|si consiglia|è (?:meglio|"
        r"consigliabile|opportuno)|"
        r"sarebbe (?:meglio|opportuno)|può|puoi|potrebbe|potresti|dovrebbe|dovresti|"
        r"per (?:ulteriori|maggiori|ottenere|sapere|qualsiasi|favore)|se (?:hai|ha|vuoi|vuole|"
        r"desideri|desidera|mi|puoi|può|serve|avete)|non esit\w+|sarò|resto|posso aiutar\w+|"
        r"posso solo|"
        r"il (?:suo|tuo) (?:medico|avvocato|consulente)|meglio|provi a riformul\w+|"
        r"prova a riformul\w+|forse .{0,40}(?:può|possono))\b.*",
        r"\W*(?:in quanto|come (?:ia|intelligenza|modello|assistente)|sono (?:un|una|solo)|"
        r"la mia|le mie|il mio|ho (?:cercato|controllato|consultato|esaminato|verificato)|"
        r"dopo aver)\b.*",
        r"\W*(?:la|questa|la tua|la sua) (?:domanda|richiesta)\b.*",
        r"\W*(?:(?:i|gli|le|il|lo|la|quest[ei]|tutt[ei]|ne[il]\w*|"
        rf"l')\b(?: [\w'-]+){{0,3}}? ?)?{_SRC}\b{_GAP}{{0,6}}? ?\b(?:tratta|parla|descriv|"
        r"affront|si concentr|concentr|si riferi|riguard|si limit|limit|discut|"
        r"spieg|present|copr|solo|soltanto|menzion|raccont|verton|analizz|narr|illustr|citano|"
        r"cita|offr|includ|contien|conteng|fornisc)\w*\b(?![^\n]*\d).*",
        r"\W*(?:ciò|questo|la risposta)\b.{0,40}\b(?:dipend|richied|potrebbe|può variare)\w*\b.*",
        r"\W*(?:senza|perché|poiché|dato che|siccome|in mancanza)\b.{0,100}",
    ),
    accounts=(
        rf"\W*(?:[\w'-]+,? ){{0,3}}?(?:i|gli|le|il|lo|la|quest[aeio]|tutti|ne[il]\w*|l'|"
        rf"solo)\b(?!.{{0,20}}(?:secondo|base))(?:.{{0,30}}?\b{_SRC})\b.*",
        r"\W*(?:essi|esse|solo) (?:tratt|parl|descriv|menzion|affront)\w*\b.*",
    ),
)
