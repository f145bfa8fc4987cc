"""How Portuguese declines to answer."""

from __future__ import annotations

from ragproof.text.refusals.phrases import Phrases

_GAP = r"(?:,? [\w'/.-]+)"
_INFO = (
    r"(?:informaç(?:ão|ões)|dados?|detalhes?|respostas?|acesso|ideias?|conhecimentos?|menç(?:ão|"
    r"ões)|referências?|nada|"
    r"registros?|registos?|resultados?|conteúdos?|conselhos?|aconselhamento|elementos|contexto|"
    r"indicaç(?:ão|ões)|"
    r"documentos?|documentação|explicação|opini(?:ão|ões)|certeza|números|pistas?|evidências?|"
    r"artigos?|diagnósticos?|"
    r"recomendaç(?:ão|ões)|fontes?|orientaç(?:ão|ões)|trechos?|cláusulas?)"
)
_SRC = (
    r"(?:documentos?|documentação|contextos?|textos?|fontes?|trechos?|passagens|passagem|"
    r"artigos?|manual|manuais|guias?|"
    r"contratos?|relatórios?|informações|base de conhecimentos?|bases?|páginas?|políticas?|"
    r"regulamentos?|materia(?:l|is)|"
    r"resultados|seções|seção|secções|secção|parágrafos?|notas?|acordos?|estudos?|bulas?|"
    r"folhetos?|arquivos?|ficheiros?|"
    r"capítulos?|dados|excertos?|editais|edital|atas?|recursos|faq|site|apólice|fragmentos?|"
    r"convenção)"
)
_DO = (
    r"(?:respond|ajud|fornec|oferec|dar\b|dizer|determin|encontr|confirm|indic|inform|acess|"
    r"saber|garant|precis|"
    r"identific|aconselh|compartilh|partilh|localiz|verific|estabelec|auxili|coment|opin|emit|"
    r"revel|prest|conhec|conclu|inferir|"
    r"afirm|esclarec|deduz|diagnostic|recomend|especific|orient|atend)\w*"
)
_SAY = (
    r"(?:mencion|especific|inform|indic|diz|dizem|esclarec|detalh|abord|trata|tratam|fala|falam|"
    r"explic|descrev|respond|cita|citam|"
    r"revel|estabelec|faz|fazem|contempl|defin|coment|estipul|refer|aponta|consta|menciona|prevê|"
    r"preveem|mostra|cobre|cobrem|deixa)\w*"
)
_HOLD = (
    r"(?:contém|contêm|conte|fornec|oferec|inclu|traz|trazem|apresent|dá|dão|tem|têm|possu|há|"
    r"disponibiliz)\w*"
)
_TOLD = (
    r"(?:mencionad|especificad|indicad|disponíve(?:l|is)|disponibilizad|incluíd|detalhad|"
    r"presente|fornecid|documentad|descrit|informad|"
    r"precisad|contemplad|esclarecid|explicad|apontad|contid|revelad|citad|abordad|clar|"
    r"encontrad|conhecid)[oa]?s?"
)

PORTUGUESE = Phrases(
    cues=r"não|nao|nenhum\w*|nada|nem|impossível|incapaz|desconheço|ignoro|fora|além|"
    r"insuficiente\w*|silencia\w*|silente|omiss\w*|falta\w*|"
    r"carec\w*|sem|tampouco|nunca|desconhec\w*|foge|extrapola|omite\w*",
    anchors=rf"{_INFO}|{_SRC}|{_DO}|{_SAY}|{_TOLD}|sei|posso|podemos|tenho|temos|encontr\w*|achei|"
    r"estou|sou|consigo|consegui|desconheço|ignoro|"
    r"ideia|pergunta|resposta|isso|isto|tema|assunto|possível|consta|faço|saberia|vejo|questão",
    speaker=(
        r"\bnão (?:o |a )?(?:sei|saberia|faço (?:a )?(?:menor )?id[eé]ia|fazemos ideia|"
        r"tenho (?:a )?(?:menor )?id[eé]ia)\b",
        r"\b(?:desconheço|ignoro|nem ideia|sei lá|sou incapaz)\b",
        r"\bnão (?:lhe |te |o |a |me )?(?:posso|poderia|pude|poderei|consigo|consegui|"
        rf"conseguiria)\b{_GAP}{{0,3}}? ?\b{_DO}",
        rf"\bnão (?:podemos|conseguimos|pudemos)\b{_GAP}{{0,3}}? ?\b(?:respond|determin|confirm|"
        rf"dizer|(?:{_DO}){_GAP}{{0,4}}? {_INFO})\w*",
        r"\bnão (?:sou capaz|estou (?:\w+ )?(?:cert|segur|apt|autorizad|em condiç|em posição|"
        r"habilitad|capacitad|qualificad)\w*|tenho (?:\w+ )?(?:certeza|como|condições)|"
        r"me é possível|"
        r"conheço|vejo|vi|encontro|encontrei|achei|localizei|localizo|identifiquei|"
        r"foi possível (?:encontrar|determinar|localizar|identificar|responder|obter))\b",
        r"\bnão (?:tenho|disponho|possuo|temos|dispomos|possuímos|conto|obtive|"
        rf"me foi)\b{_GAP}{{0,5}}? ?\b{_INFO}\b",
        r"\bnão (?:é|seria|foi|se torna|me é)(?: \w+)? ?(?:possível|"
        rf"viável)\b{_GAP}{{0,2}}? ?\b(?:responder|determinar|saber|dizer|precisar|dar|"
        r"estabelecer|inferir|"
        r"fornecer|concluir|extrair|identificar|deduzir|calcular|confirmar|afirmar|oferecer|"
        r"encontrar)\w*\b",
        r"\b(?:é|fica|torna-se) (?:impossível|difícil) (?:responder|determinar|saber|dizer|"
        r"precisar|inferir|concluir)\b",
        rf"\bnão se (?:pode|consegue)\b{_GAP}{{0,2}}? ?\b(?:responder|determinar|saber|inferir|"
        r"precisar|estabelecer|deduzir|concluir|afirmar)\b",
        rf"\bnão permit\w+{_GAP}{{0,2}}? ?\b(?:responder|determinar|saber|concluir|inferir|"
        r"identificar|uma resposta)\b",
        r"\b(?:pergunta|questão|isso|isto|assunto|tema|solicitação|pedido|"
        rf"dúvida)\b{_GAP}{{0,5}}? ?\b(?:fora|além|foge|extrapola|ultrapassa|excede|não (?:está|"
        r"faz parte|pertence|tem|se enquadra|diz))\b"
        rf"{_GAP}{{0,4}}? ?\b(?:escopo|âmbito|alcance|conhecimentos?|{_SRC}|competências?|tema|"
        r"domínio|relação|capacidade\w*|respeito)\b",
        r"^\W*(?:está |fica )?fora (?:do|de) (?:meu |seu )?(?:escopo|âmbito|alcance|"
        r"conhecimento)\b",
        rf"\b(?:pergunta|resposta|questão)\b{_GAP}{{0,12}}? não (?:pode|consta|está|aparece|"
        rf"se encontra|tem|é|foi)\b{_GAP}{{0,4}}? ?\b(?:ser|{_TOLD}|respond\w*|n[oa]s?|"
        r"determin\w*|resposta|possível)",
        rf"\b(?:não|sem)\b{_GAP}{{0,3}}? ?\b(?:(?:suficientes?|"
        rf"bastantes?)\b{_GAP}{{0,2}}? ?\b{_INFO}|{_INFO}(?: \w+)? suficientes?)\b",
        rf"\b{_INFO}\b{_GAP}{{0,6}}? ?\b(?:insuficientes?|não (?:é|são|"
        r"basta\w*)(?: suficientes?)?)\b",
        r"\binsuficientes? para (?:\w+ )?(?:responder|determinar|saber|dar)",
        rf"\b(?:falta|faltam|careço|carecemos)\b(?:-me)?{_GAP}{{0,3}}? {_INFO}\b",
    ),
    sources=(
        r"\b(?:ele|ela|eles|elas|este|esta|isso) não (?:o |a |se )?(?:mencion|especific|inform|"
        r"indic|diz|detalh|precis|esclarec)\w*",
        rf"\b{_SRC}\b{_GAP}{{0,7}}? (?:não|nunca|tampouco) (?:se |o |a |nos |"
        rf"me )*(?:explicitamente |especificamente |claramente )?{_SAY}",
        rf"\bnada\b{_GAP}{{0,6}}? (?:n[oa]s?|em) (?:[\w'-]+ ){{0,3}}?{_SRC}\b",
        rf"\b{_SRC}\b{_GAP}{{0,7}}? (?:não|nunca|tampouco) (?:se |o |a |nos |"
        rf"me )*{_HOLD}{_GAP}{{0,4}}? ?\b(?:{_INFO}|ess[ae]s?|est[ae]s?|isso|isto)\b",
        rf"\b{_SRC}\b{_GAP}{{0,7}}? não (?:está|estão|foi|foram|é|são|aparece\w*|consta\w*|há|"
        rf"existe\w*|se encontra\w*)\b{_GAP}{{0,3}}? ?\b(?:{_TOLD}|{_INFO}|$)",
        rf"\b(?:nenhum[a]?|nada)\b{_GAP}{{0,5}}? ?\b(?:{_SRC}|deles|"
        rf"delas)\b{_GAP}{{0,4}}? ?\b(?:{_SAY}|{_HOLD})",
        r"\bnão se (?:mencion|especific|indic|inform|detalh|precis|diz|esclarec|descrev|explica|"
        r"fala)\w*",
        r"\bnão (?:há|existem?|constam?|aparecem?|encontrei|houve|foi|"
        rf"foram)\b{_GAP}{{0,3}}? ?\b(?:(?:encontrad|"
        rf"localizad)[oa]s? (?:\w+ ){{0,3}})?(?:{_INFO}\b|"
        rf"n[oa]s? (?:\w+ ){{0,3}}{_SRC}\b)(?!.{{0,40}}(?:armazen|perda|perdid|compartilhad))",
        r"\bnão (?:está|estão|foi|foram|é|são|aparece\w*|consta\w*|vem|"
        rf"se encontra\w*)\b{_GAP}{{0,2}}? ?\b{_TOLD}{_GAP}{{0,3}}? ?\b(?:n[oa]s?|por|pel[oa]s?|"
        rf"em|dentro)\b{_GAP}{{0,4}}? ?\b{_SRC}\b",
        r"\bnão (?:está|estão|foi|foram|é|são) (?:\w+mente )?(?:mencionad|especificad|indicad|"
        r"informad)[oa]s?(?=\W*$|[,;:])",
        r"\b(?:essa |esta |a |tal |esse |este |essas )(?:informaç(?:ão|ões)|resposta|dado|"
        rf"detalhe)s?\b{_GAP}{{0,3}}? não (?:está|se encontra|consta|aparece|é|foi|estão|"
        rf"constam)\b{_GAP}{{0,2}}? ?\b(?:{_TOLD}|n[oa]s?|\W*$)?",
        rf"\b(?:nenhuma|sem) {_INFO}\b(?:\W*$|{_GAP}{{0,6}}? ?\b(?:sobre|a respeito|disponível|"
        rf"encontrad\w+))(?!.{{0,40}}(?:armazenad|coletad|compartilhad))",
        rf"\b{_SRC}{_GAP}{{0,4}}? (?:silencia\w*|é silente|é omiss[oa]|são omissos|carece\w*|"
        r"omite\w*|nada (?:diz|dizem|menciona\w*|fala\w*|informa\w*|consta))\b",
        rf"^\W*(?:mas |e |porém )?nenhum[a]?\b{_GAP}{{0,3}}? ?\b{_SAY}",
        r"^\W*(?:mas |e |porém )?não (?:se )?(?:mencion|especific|indic|inform|diz\b|detalh|"
        r"esclarec)\w*",
        r"\bnada (?:sobre|a respeito|consta|encontrei|foi encontrado|é dito|se diz)\b",
    ),
    condition=r"\b(?:se|quando|caso|enquanto|até que|sempre que|significa que|erro|"
    r"mensagem)\b(?!\w)",
    turn=r"(?:^|[,;:\u2014] ?| )(?=(?:mas|porém|contudo|no entanto|entretanto|todavia|embora|"
    r"ainda assim|por outro lado|enquanto)\b)"
    r"|, (?=(?:talvez|provavelmente|possivelmente|acho|creio|acredito|penso|pode ser)\b)",
    conclusion=r"^\W*(?:portanto|por isso|assim|logo|em conclusão|sendo assim|desse modo|"
    r"dessa forma|"
    r"por conseguinte)\b",
    concession=r"^\W*(?:embora|apesar de|ainda que|mesmo que|enquanto|se bem que)\b[^,]{1,300},",
    asides=(
        r"\W*(?:não|nota|mas|porém|no entanto|resposta)\W*",
        r"\W*(?:sinto muito|lamento|desculp\w+|peço desculpas?|infelizmente|lamentavelmente|"
        r"perdão|olá|oi|bom dia|boa tarde|obrigad[oa]|agradeço|"
        r"atenciosamente|cordialmente|boa pergunta)\b.{0,40}",
        r"\W*(?:\w+,? )?(?:por favor|consult[ea]\w*|contat[ea]\w*|contact[ea]\w*|"
        r"entre em contato|entre em contacto|pergunt[ea]\w*|verifi[qc]\w*|procur[ea]\w*|"
        r"recomendo|sugiro|aconselho|recomenda-se|é (?:melhor|recomendável|"
        r"aconselhável)|seria (?:melhor|recomendável)|você (?:pode|poderia|deve|deveria)|pode|"
        r"poderá|deve|para (?:mais|maiores|obter|saber|qualquer|isso)|se (?:você|precisar|quiser|"
        r"tiver|desejar|puder|houver)|caso|não hesite|fico|estou à|terei|"
        r"posso ajudar|só posso|apenas posso|seu (?:médico|advogado|gestor)|o ideal|"
        r"tente reformul\w*|talvez .{0,40}possa\w*|dirija-se)\b.*",
        r"\W*(?:como (?:ia|inteligência|modelo|assistente|uma ia|um modelo)|sou (?:um|uma)|"
        r"meu (?:conhecimento|treinamento|papel)|minha|pesquisei|procurei|busquei|revisei|"
        r"consultei|verifiquei|após (?:buscar|revisar|consultar))\b.*",
        r"\W*(?:a|esta|essa|sua|tua|você) (?:pergunta|perguntou|questão|solicitação)\b.*",
        r"\W*(?:(?:os|as|o|a|estes|estas|esses|essas|este|esta|esse|essa|todos|todas|meus|"
        rf"n[oa]s?)\b(?: [\w'-]+){{0,3}}? )?{_SRC}\b{_GAP}{{0,6}}? ?\b(?:trat|fala|falam|descrev|"
        r"abord|se concentr|concentr|se refer|refer|se limit|"
        r"discut|expli[cq]|apresent|cobre|só|apenas|somente|mencion|relat|vers|analis|cont[ae]m|"
        r"narr|oferec|inclu|fornec)\w*\b(?![^\n]*\d).*",
        r"\W*(?:isso|isto|a resposta)\b.{0,40}\b(?:depend|requ|exig|poderia|pode variar)\w*\b.*",
        r"\W*(?:sem|porque|pois|já que|uma vez que|dado que|devido)\b.{0,100}",
    ),
    accounts=(
        rf"\W*(?:[\w'-]+,? ){{0,3}}?(?:os|as|o|a|est[ae]s?|ess[ae]s?|todos|n[oa]s?|eles|"
        rf"apenas)\b(?!.{{0,20}}(?:segundo|acordo))(?:.{{0,30}}?\b{_SRC})\b.*",
        r"\W*(?:eles|elas|só|apenas) (?:trat|fal|descrev|mencion|abord)\w*\b.*",
    ),
)
