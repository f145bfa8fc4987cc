"""How Spanish declines to answer."""

from __future__ import annotations

from ragproof.text.refusals.phrases import Phrases

_GAP = r"(?:,? [\w'/.-]+)"
_INFO = (
    r"(?:información|informaciones|datos?|detalles?|respuestas?|acceso|ideas?|conocimientos?|"
    r"mención|menciones|referencias?|"
    r"nada|constancia|registros?|resultados?|contenidos?|consejos?|asesoramiento|asesoría|"
    r"elementos|contexto|indicación|"
    r"indicaciones|documentos?|documentación|explicación|opinión|opiniones|certeza|cifras?|"
    r"pistas?|coincidencias|evidencia|artículos?|diagnósticos?|recomendaciones|"
    r"fuentes?|antecedentes|cláusulas?)"
)
_SRC = (
    r"(?:documentos?|documentación|contextos?|textos?|fuentes?|pasajes?|fragmentos?|extractos?|"
    r"artículos?|manual(?:es)?|"
    r"guías?|contratos?|informes?|información|base de conocimientos?|bases?|páginas?|políticas?|"
    r"reglamentos?|material(?:es)?|"
    r"resultados|secciones|sección|párrafos?|notas?|convenios?|estudios?|prospectos?|folletos?|"
    r"archivos?|acuerdos?|"
    r"capítulos?|datos|correos?|expedientes?|actas?|recursos|faq|sitio|normativa|póliza)"
)
_DO = (
    r"(?:respond|contest|ayud|proporcion|ofrec|dar|decir|determin|encontr|confirm|indic|brind|"
    r"facilit|acced|saber|asegur|"
    r"precis|identific|asesor|compart|localiz|verific|hall|establec|asist|coment|opin|emit|revel|"
    r"suministr|aport|conoc|concluir|inferir|garantiz|deducir|diagnostic|aconsej|recomend|"
    r"especific)\w*"
)
_SAY = (
    r"(?:mencion|especific|indic|dic|dij|aclar|detall|precis|abord|trat|habl|expli[cq]|describ|"
    r"respond|señal|figur|recog|revel|"
    r"establec|hac|contempl|defin|coment|alud|estipul|refier|refer|cita|inform|cubr|mostr|"
    r"muestr)\w*"
)
_HOLD = (
    r"(?:contien|conten|contuv|proporcion|ofrec|inclu|aport|da|dan|tien|brind|facilit|suministr|"
    r"hay|present)\w*"
)
_TOLD = (
    r"(?:mencionad|especificad|indicad|disponible|incluid|detallad|presente|proporcionad|recogid|"
    r"documentad|descrit|"
    r"precisad|contemplad|aclarad|explicad|señalad|contenid|facilitad|revelad|reflejad|claro|"
    r"clara)[oa]?s?"
)

SPANISH = Phrases(
    cues=r"no|ningun[oa]?s?|ningún|nada|ni|imposible|incapaz|desconozco|ignoro|fuera|allá|"
    r"insuficiente\w*|silencio|falta\w*|carec\w*|sin|"
    r"tampoco|nunca|desconoc\w*|excede|omite\w*",
    anchors=rf"{_INFO}|{_SRC}|{_DO}|{_SAY}|{_TOLD}|sé|puedo|podemos|tengo|encontr\w*|encuentro|estoy|"
    r"soy|conozco|desconozco|ignoro|idea|pregunta|respuesta|esto|"
    r"eso|tema|consulta|imposible|posible|capaz|consta|logré|logro|veo|he|hallé|consigo|conseguí",
    speaker=(
        r"\bno (?:lo |la |le |los )?sé\b(?=$|[^\w ]| (?:quién|quien|cuándo|dónde|cómo|cuál|"
        r"cuáles|si|nada|exactamente|con|la|el|eso|que|qué|cuanto|cuánto|cuántos|a|de|muy|"
        r"realmente|bien)\b)",
        r"\b(?:lo )?(?:desconozco|ignoro)\b",
        r"\bno (?:le |te |les |os |me |la |lo |se lo )?(?:puedo|podría|pude|"
        rf"podré)\b{_GAP}{{0,3}}? ?\b{_DO}",
        rf"\bno (?:podemos|pudimos)\b{_GAP}{{0,3}}? ?\b(?:respond|contest|determin|confirm|decir|"
        rf"(?:{_DO}){_GAP}{{0,4}}? {_INFO})\w*",
        r"\bno (?:soy capaz|estoy (?:\w+ )?(?:segur|autorizad|en condiciones|en posición|"
        r"capacitad|al tanto|cualificad|calificad|habilitad|facultad)\w*|me es posible|"
        r"me consta|lo conozco|conozco|logré|logro|consigo|conseguí|encuentro|encontré|hallé|"
        r"veo|vi|localicé|localizo|detecté|tengo (?:ni )?(?:la )?(?:menor |más mínima )?idea|"
        r"sabría)\b",
        r"\bno (?:tengo|dispongo|cuento|poseo|disponemos|tenemos|contamos|hallo|manejo|"
        rf"obtuve)\b{_GAP}{{0,5}}? ?\b(?:{_INFO}|la respuesta|lo sé)\b",
        r"\bno (?:he|hemos) (?:podido|encontrado|logrado|hallado|conseguido|visto|localizado|"
        r"sido capaz)\b",
        r"\b(?:ni idea|ni la menor idea|no sabría decir\w*|soy incapaz|incapaz de (?:responder|"
        r"determinar|ayudar))\b",
        r"\b(?:no (?:es|resulta|sería|me es|fue|ha sido|permit\w+)(?: \w+)?|es|resulta|"
        r"me es) ?(?:posible|imposible|difícil)?\b (?:responder|determinar|saber|contestar|"
        r"decir|precisar|conocer|dar|"
        r"establecer|inferir|ofrecer|proporcionar|concluir|extraer|identificar|deducir|calcular|"
        r"confirmar)\w*\b",
        rf"\bno se (?:puede|pudo|podría|logra|permite)\b{_GAP}{{0,2}}? ?\b(?:responder|"
        r"determinar|contestar|saber|inferir|precisar|establecer|deducir|"
        r"extraer|concluir|conocer|dar|afirmar|encontrar (?:la |una )?(?:respuesta|información))\b",
        r"\b(?:pregunta|consulta|esto|eso|tema|ello|cuestión|solicitud|"
        rf"petición)\b{_GAP}{{0,5}}? ?\b(?:fuera|más allá|excede|escapa|sobrepasa|no (?:está|"
        r"entra|forma parte|corresponde|pertenece|guarda|tiene))\b"
        rf"{_GAP}{{0,4}}? ?\b(?:alcance|ámbito|conocimientos?|{_SRC}|competencias?|tema|dominio|"
        r"relación|capacidad\w*|relacionad\w*)\b",
        r"^\W*(?:lo siento,? |lamentablemente,? |está |queda )?fuera (?:de mi|del) (?:alcance|"
        r"ámbito|conocimiento)",
        rf"\b(?:pregunta|respuesta)\b{_GAP}{{0,12}}? no (?:puede|se puede|está|aparece|figura|"
        rf"se encuentra|tiene|es|consta)\b{_GAP}{{0,4}}? ?\b(?:ser|{_TOLD}|respond\w*|contest\w*|"
        r"en|determin\w*|respuesta|posible)",
        rf"\b(?:no|sin)\b{_GAP}{{0,3}}? ?suficientes?\b{_GAP}{{0,2}}? ?\b{_INFO}\b|"
        rf"\b{_INFO}\b{_GAP}{{0,6}}? ?\b(?:insuficientes?|no (?:es|son|basta|bastan|"
        r"resulta)(?: suficientes?)?)\b",
        rf"\b(?:insuficientes?)(?: {_INFO})? para (?:\w+ )?(?:responder|determinar|contestar|"
        r"saber|dar)",
        r"\b(?:falta|faltan|carezco|"
        rf"carecemos)\b{_GAP}{{0,3}}? {_INFO}\b{_GAP}{{0,3}}? ?\b(?:para (?:responder|determinar|"
        r"contestar|poder)|sobre|acerca|respecto|\W*$)?",
    ),
    sources=(
        r"\b(?:este|esta|esto|ello|él|ella|ellos|ellas) no (?:lo |la )?(?:mencion|especific|"
        r"indic|dice|detall|precis|aclara)\w*",
        rf"\b{_SRC}\b{_GAP}{{0,7}}? (?:no|nunca|tampoco) (?:se |lo |la |le |nos |los |"
        rf"me )*(?:explícitamente |específicamente |claramente )?{_SAY}",
        rf"\bnada\b{_GAP}{{0,6}}? en (?:[\w'-]+ ){{0,3}}?{_SRC}\b",
        rf"\b{_SRC}\b{_GAP}{{0,7}}? (?:no|nunca|tampoco) (?:se |lo |la |le |nos |los |"
        rf"me )*{_HOLD}{_GAP}{{0,4}}? ?\b(?:{_INFO}|es[eoa]s?|est[eoa]s?|lo)\b",
        rf"\b{_SRC}\b{_GAP}{{0,7}}? (?:no|nunca) (?:está|están|fue|fueron|ha sido|es|son|"
        r"aparece\w*|figura\w*|viene\w*|consta\w*|hay|existe\w*|incluy\w*|"
        rf"contien\w*)\b{_GAP}{{0,3}}? ?\b(?:{_TOLD}|{_INFO}|ese|esa|esto|$)",
        rf"\b(?:ningun[oa]|ningún|nada)\b{_GAP}{{0,5}}? ?\b(?:{_SRC}|de ellos|de ellas|ellos|"
        rf"ellas|estos|estas)\b{_GAP}{{0,4}}? ?\b(?:{_SAY}|{_HOLD})",
        r"\bno se (?:mencion|especific|indic|detall|precis|dic|aclara|describ|explica|señala|"
        r"hace (?:mención|referencia)|comenta|habla)\w*(?! (?:en el servidor|al usuario))",
        r"\bno se (?:proporcion|encuentr|encontr|facilit|inclu|hall|ofrec|da|aport|dispone|"
        rf"tiene|ha|han|recog)\w*\b{_GAP}{{0,4}}? ?\b(?:{_INFO}|encontrado|"
        rf"{_TOLD})\b(?!.{{0,40}}(?:almacen|compart))",
        r"\bno (?:hay|existen?|consta|constan|aparecen?|figuran?|"
        rf"hubo)\b{_GAP}{{0,3}}? ?\b(?:{_INFO}\b|"
        rf"en (?:\w+ ){{0,3}}{_SRC}\b)(?!.{{0,40}}(?:almacen|pérdida))",
        r"\bno (?:está|están|fue|fueron|ha sido|es|son|aparece\w*|figura\w*|viene\w*|"
        rf"se encuentra\w*|consta\w*)\b{_GAP}{{0,2}}? ?\b{_TOLD}{_GAP}{{0,3}}? ?\b(?:en|por|"
        rf"dentro)\b{_GAP}{{0,4}}? {_SRC}\b",
        r"\b(?:no|nunca) (?:está|están|fue|fueron|ha sido|es|son|viene\w*)\b (?:mencionad|"
        r"especificad|indicad)[oa]s?(?=\W*$|[,;:])",
        r"\b(?:esa |esta |la |dicha |esas |ese |este |dicho )(?:información|respuesta|dato|"
        rf"detalle)s?\b{_GAP}{{0,3}}? no (?:está|se encuentra|aparece|figura|es|fue|consta|"
        rf"se)\b{_GAP}{{0,2}}? ?\b(?:{_TOLD}|en|\W*$)?",
        rf"\b(?:guardan?|mantienen?) silencio\b|\b{_SRC}{_GAP}{{0,4}}? (?:carece\w*|omite\w*|"
        r"callan?)\b",
        rf"^\W*(?:pero |y |aunque )?(?:ningun[oa]|ningún)\b{_GAP}{{0,3}}? ?\b{_SAY}",
        r"^\W*(?:pero |y )?(?:no|tampoco) (?:se )?(?:mencion|especific|indic|dice|detall|precis|"
        r"aclara)\w*",
        r"^\W*sin (?:información|datos|mención|respuesta)\b",
    ),
    condition=r"\b(?:si|cuando|en caso|mientras|hasta que|siempre que|significa que|error|"
    r"mensaje)\b",
    turn=r"(?:^|[,;:\u2014] ?| )(?=(?:pero|sin embargo|no obstante|aunque|aun así|en cambio|"
    r"mientras que|por el contrario)\b)"
    r"|, (?=(?:quizás?|tal vez|probablemente|posiblemente|creo|pienso|supongo|podría)\b)",
    conclusion=r"^\W*(?:por (?:lo )?tanto|por ello|por eso|así que|en conclusión|en consecuencia|"
    r"por consiguiente)\b",
    concession=r"^\W*(?:aunque|si bien|pese a|a pesar de|mientras que|aun cuando)\b[^,]{1,300},",
    asides=(
        r"\W*(?:no|nota|pero|sin embargo|respuesta|además)\W*",
        r"\W*(?:lo siento|lo lamento|lamento|perdón|perdone|disculp\w+|lamentablemente|"
        r"desafortunadamente|desgraciadamente|mis disculpas|hola|gracias|buenos días|"
        r"saludos|un saludo|buena pregunta|me temo)\b.{0,40}",
        r"\W*(?:\w+,? )?(?:por favor|consulte?|contact[ea]\w*|comuní[qc]ue?\w*|pregunt[ea]\w*|"
        r"revis[ea]\w*|verifi[qc]\w*|acud[ae]\w*|dirí[jg]\w*|póngase|ponte|le (?:recomiendo|"
        r"sugiero|aconsejo|"
        r"invito)|te (?:recomiendo|sugiero|aconsejo)|recomiendo|sugiero|se recomienda|"
        r"es (?:mejor|recomendable|aconsejable)|sería (?:mejor|recomendable)|puede|puedes|podría|"
        r"podrías|debería|deberías|para (?:más|mayor|obtener|"
        r"conocer|cualquier|ello|eso)|si (?:tiene|tienes|necesita|necesitas|desea|deseas|me|"
        r"quiere|quieres|usted|puede|puedes|lo)|no dude\w*|estaré|con gusto|puedo ayudar|"
        r"solo puedo|únicamente|su (?:médico|abogado|gestor)|lo mejor|intente reformul\w*|"
        r"quizás? .{0,40}(?:pueda|puedan))\b.*",
        r"\W*(?:como (?:ia|inteligencia|modelo|asistente|una ia|un modelo)|soy (?:un|una)|"
        r"mi (?:conocimiento|formación|información|función|entrenamiento)|he (?:buscado|revisado|"
        r"consultado)|busqué|revisé|consulté|tras (?:buscar|revisar|consultar))\b.*",
        r"\W*(?:la|esta|tu|su|usted|me) (?:pregunta|preguntas|pregunta|consulta|solicitud)\b.*",
        r"\W*(?:(?:los|las|el|la|estos|estas|este|esta|todos|todas|mis|sus|"
        rf"en)\b(?: [\w'-]+){{0,3}}? )?{_SRC}\b{_GAP}{{0,6}}? ?\b(?:trat|habl|describ|abord|"
        r"se centr|centr|se refier|se limit|"
        r"discut|expli[cq]|present|cubr|solo|sólo|únicamente|mencion|relat|vers|analiz|cuent|"
        r"narr|menciona|ofrec|inclu|contien)\w*\b(?![^\n]*\d).*",
        r"\W*(?:esto|eso|ello|la respuesta)\b.{0,40}\b(?:depend|requ|podría|puede variar)\w*\b.*",
        r"\W*(?:sin|porque|ya que|dado que|debido|puesto que)\b.{0,100}",
    ),
    accounts=(
        rf"\W*(?:[\w'-]+,? ){{0,3}}?(?:los|las|el|la|est[oae]s?|todos|en|ellos|"
        rf"solo)\b(?!.{{0,20}}(?:según|acuerdo))(?:.{{0,30}}?\b{_SRC})\b.*",
        r"\W*(?:ellos|ellas|solo|sólo|únicamente) (?:trat|habl|describ|mencion|abord)\w*\b.*",
    ),
)
