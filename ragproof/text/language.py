"""Which of a few languages a text is in, told by its script and its smallest words.

This is no language identification: it tells eleven languages from each other and from whatever
else is written in their scripts, so that a rule about words is not tried on a language whose
words it does not know.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict

from ragproof.text.folding import folded

_ENOUGH = 6
"""Words in lower case without one that is known: then the language is another."""
_FEW = 2
"""Letters that are a sign, not a text: π."""
_LOOKED_AT = 400
"""Letters that are looked at; after some hundred words nothing changes."""
_SCRIPTS = {
    "latin": re.compile("[a-z]+"),
    "han": re.compile("[\u3400-\u9fff\U00020000-\U0003ffff]"),
    "kana": re.compile("[\u3040-\u30ff]"),
    "cyrillic": re.compile("[\u0400-\u052f]+"),
    "arabic": re.compile("[\u0600-\u06ff\u0750-\u077f]+"),
    "devanagari": re.compile("[\u0900-\u097f]+"),
    "other": re.compile(
        "[\u0370-\u03ff\u0530-\u08ff\u0980-\u1cff\u1f00-\u1fff\u2c00-\u2dff\ua000-\ud7ff]+"
    ),
}
_SPACES = str.maketrans(dict.fromkeys('.,;:!?"()[]{}*_/\\-0123456789\u2026\u2014\u00bf\u00a1', " "))
_SMALL = {
    "en": "a s t the of and to in is are was were it that this for on with not be by from have "
    "has had do does did an you your i we my they there their would can could should "
    "which what who when where why how if but or as at no any about please than into its "
    "only will been me so sorry can't more all",
    "de": "der die das und ist nicht ein eine einen einem einer ich sie es wir mit von zu den "
    "dem des fur auf im in kann keine kein wird werden sind war aber auch nur als oder "
    "wenn dazu leider ihre ihr haben hat aus uber bei nach wie zum zur sich dass weiß "
    "weiss wurde diese dieser dieses am er ja jedoch wer was wo kosten noch mein meine "
    "vor mehr",
    "fr": "le la les de des du un une et est dans que qui ne pas pour sur par avec ce cette ces "
    "je vous nous il elle ils au aux plus sont n'est c'est en mais ou votre mon sa son se "
    "leur aucune aucun ai été ont peut y sans comme quand ete a cela ceci ca mes tes ses "
    "nos vos j'ai tres etre fait deux cet",
    "es": "el la los las de del que y en un una por para con no se su es lo al como mas pero "
    "sobre esta este esa ese eso son fue hay le mi si sin cuando donde quien puede tengo "
    "ni o tiene muy ya sus yo nos ser ha a estoy esos esas dar he desde hasta entre cada",
    "pt": "o os as de do da dos das que e em um uma por para com nao se na no nas nos ao seu "
    "sua mais mas sobre esta este essa esse isso sao foi ha voce sem quando onde quem "
    "pode tenho eu nem ou tem muito ja seus pelo pela ser a estou meu minha ate entre "
    "pelos",
    "it": "il lo la i gli le di del della dei delle che e in un una per con non si su sul sono "
    "piu ma questo questa questi nel nella nei al alla dal dalla come mi da ha ho o se "
    "cui anche suo sua puo dove quando chi ne era essere ci mio mia miei cosa stato a tra "
    "fra degli nell sulla",
    "nl": "de het een en van ik niet is dat die in te zijn op met voor er maar om hij als dan "
    "aan geen deze dit naar ook uit bij wordt werd kan weet heb heeft over wij uw mijn "
    "door nog",
    "sv": "och att det som en ett inte jag ar pa med for av den till har om vi kan men fran vet "
    "ingen eller nar var finns mig din denna detta",
    "da": "og at det som en et ikke jeg er pa med for af den til har om vi kan men fra ved "
    "ingen eller nar hvad hvor findes mig din denne dette der blev",
    "fi": "ja on ei en se etta han ole mutta kun niin myos joka mika tama voi tai ovat oli jos "
    "tieda minulla siita",
    "pl": "nie na sie do to jest ze jak co ale po od za dla tego ma czy by jego przez lub oraz "
    "wiem sa byl byla moze ta",
    "cs": "je se na ze to do pro by ale jak za jsem ve jsou neni nevim co tak nebo byl byla "
    "ktery podle",
    "hu": "az es hogy nem egy is ez van meg de mint volt csak vagy ha nincs tudom erre azt",
    "ro": "si in de la nu este cu pe un ca sa din pentru care mai ce sunt stiu dar prin fost "
    "sau aceasta acest am are",
    "tr": "ve bir bu da de icin ile degil ne var cok ama gibi daha mi olarak yok bilmiyorum "
    "olan hakkinda kadar sonra bilgi",
    "id": "yang dan di tidak ini itu dengan untuk dari pada dalam adalah saya akan ada tentang "
    "karena atau oleh juga bisa tahu kami anda sebagai informasi",
    "vi": "va cua la khong co cho trong duoc mot voi nay toi nguoi cac nhung thi den ve biet "
    "thong tin de tu",
    "ca": "el els la les de del que en un una per amb no es al dels com mes pero aquest aquesta "
    "son hi ha jo si ni ho meva",
    "hr": "je na se da za od su ne ali kao iz koji to nije bio ili po ja sam znam nema",
    "sw": "na ya wa kwa ni katika za la si hii hiyo kuwa lakini sijui hakuna au cha",
    "tl": "ang ng sa na ay mga ko at ito para ako siya may kung alam po",
    "et": "ja on ei et see ta oli kui aga ka mis ning voi selle ma tea",
    "lt": "ir yra ne kad su apie is tai kaip bet ar nera as zinau",
    "af": "die en van nie is in dat wat het om vir met op ek sy word te maar weet",
    "sq": "dhe ne te nje nuk per me eshte qe nga ka por si une di kjo",
}
_SPOKEN: dict[str, list[str]] = defaultdict(list)
for _code, _words in _SMALL.items():
    for _word in dict.fromkeys(_words.split()):
        _SPOKEN[_word].append(_code)
LATIN = ("en", "de", "fr", "es", "pt", "it")
COVERED = (*LATIN, "zh", "ja", "ru", "ar", "hi")
"""The languages that can be told, by ISO 639-1 code."""

_FOREIGN = {
    "cyrillic": re.compile("[іїєґўђјљњћџѓќѕәғқңөұүһ]|\\b(?:това|съм|със|беше|както|няма|зная)\\b"),
    "arabic": re.compile("[\u067e\u0686\u0698\u06a9\u06af\u06cc\u06d2\u0679\u0688\u0691\u06ba]"),
    "devanagari": re.compile(
        r"(?<!\S)(?:आहे|आहेत|नाही|आणि|मध्ये|मला|छ|छैन|छन्|मलाई|थियो|गर्न|हुन्छ|अस्ति|च)(?![^\s।,.])"
    ),
}
_OF_SCRIPT = {"cyrillic": "ru", "arabic": "ar", "devanagari": "hi"}


def languages(text: str) -> tuple[str, ...]:
    """Name the languages that the text may be in, the likeliest; none where it is another.

    A text too short to tell, a name or a number, may be in any language of its script.

    >>> languages("Der Vertrag sagt dazu nichts."), languages("Dat weet ik niet.")
    (('de',), ())
    >>> languages("資料に記載がありません。")
    ('ja',)
    """
    plain = folded(text[:_LOOKED_AT])
    if len(plain) < 2 * _ENOUGH and sum(map(str.isalpha, plain)) <= _FEW:
        return LATIN
    script = _script(plain)
    if script == "latin":
        return _latin(text[:_LOOKED_AT], plain)
    if script in _OF_SCRIPT:
        return () if len(_FOREIGN[script].findall(plain)) > 1 else (_OF_SCRIPT[script],)
    return {"han": ("zh",), "kana": ("ja",)}.get(script, ())


def _script(plain: str) -> str:
    """The script of most words; a sign of a script without spaces counts as half of one."""
    if plain.isascii():
        return "latin"
    sizes = {name: len(script.findall(plain)) for name, script in _SCRIPTS.items()}
    signs = sizes["han"] + sizes["kana"]
    sizes["kana" if sizes["kana"] else "han"] = signs // 2 + signs % 2
    if sizes["kana"] and sizes["han"]:
        sizes["han"] = 0
    return max(sizes, key=lambda name: sizes[name])


def _latin(text: str, plain: str) -> tuple[str, ...]:
    votes = Counter[str]()
    for word, count in Counter(plain.translate(_SPACES).split()).items():
        for code in _SPOKEN.get(word, ()):
            votes[code] += count
    best = max((votes[code] for code in LATIN), default=0)
    ahead = max(votes.values(), default=0) - best
    if ahead > 1 or (ahead == 1 and _is_running(text)) or (not votes and _is_long(text)):
        return ()
    return tuple(code for code in LATIN if votes[code] == best)


def _is_running(text: str) -> bool:
    """Whether the words are those of a sentence; names have capitals: Vincent van Gogh."""
    words = text.split()[1:]
    return sum(map(str.islower, words)) >= 0.7 * len(words)


def _is_long(text: str) -> bool:
    words = text.split()
    return sum(1 for word in words if word.isalpha() and word.islower()) >= _ENOUGH
