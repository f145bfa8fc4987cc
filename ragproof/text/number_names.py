"""What numbers are called, in some languages; German and Italian build theirs in one word.

A word that is another word in another language counts there only in a text of its own language,
unless a number stands beside it.
"""

# letters of other scripts are what this is about

from __future__ import annotations


def _listed(words: str, *, first: float = 0, step: float = 1) -> dict[str, float]:
    """The words by their place; those joined by a bar are one number."""
    return {
        word: float(first + step * place)
        for place, same in enumerate(words.split())
        for word in same.split("|")
    }


_TENS = {"first": 20, "step": 10}
ENGLISH = _listed(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
) | _listed("twenty thirty forty|fourty fifty sixty seventy eighty ninety", **_TENS)
_FRENCH = _listed(
    "zéro un|une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze "
    "seize"
) | _listed(
    "vingt|vingts trente quarante cinquante soixante septante huitante|octante nonante", **_TENS
)
_SPANISH = (
    _listed(
        "cero uno|un|una dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce "
        "quince dieciséis|dieciseis diecisiete dieciocho diecinueve veinte "
        "veintiuno|veintiún|veintiun|veintiuna veintidós|veintidos veintitrés|veintitres "
        "veinticuatro veinticinco veintiséis|veintiseis veintisiete veintiocho veintinueve"
    )
    | _listed("treinta cuarenta cincuenta sesenta setenta ochenta noventa", first=30, step=10)
    | _listed(
        "cien|ciento doscientos|doscientas trescientos|trescientas cuatrocientos|cuatrocientas "
        "quinientos|quinientas seiscientos|seiscientas setecientos|setecientas "
        "ochocientos|ochocientas novecientos|novecientas",
        first=100,
        step=100,
    )
)
_PORTUGUESE = (
    _listed(
        "zero um|uma dois|duas três quatro cinco seis sete oito nove dez onze doze treze "
        "catorze|quatorze quinze dezesseis|dezasseis dezessete|dezassete dezoito "
        "dezenove|dezanove"
    )
    | _listed("vinte trinta quarenta cinquenta sessenta setenta oitenta noventa", **_TENS)
    | _listed(
        "cem|cento duzentos|duzentas trezentos|trezentas quatrocentos|quatrocentas "
        "quinhentos|quinhentas seiscentos|seiscentas setecentos|setecentas "
        "oitocentos|oitocentas novecentos|novecentas",
        first=100,
        step=100,
    )
)
_HINDI = _listed(
    "शून्य एक दो तीन चार पांच|पाँच छह|छः|छ सात आठ नौ दस ग्यारह बारह तेरह "
    "चौदह पंद्रह|पन्द्रह सोलह सत्रह अठारह|अट्ठारह उन्नीस बीस इक्कीस "
    "बाईस|बाइस तेईस|तेइस चौबीस पच्चीस छब्बीस सत्ताईस|सत्ताइस अट्ठाईस|अट्ठाइस "
    "उनतीस|उन्तीस तीस इकतीस|इकत्तीस बत्तीस तैंतीस|तेंतीस चौंतीस पैंतीस "
    "छत्तीस सैंतीस अड़तीस उनतालीस|उन्तालीस चालीस इकतालीस बयालीस तैंतालीस "
    "चौवालीस|चवालीस पैंतालीस छियालीस सैंतालीस अड़तालीस उनचास|उन्चास पचास "
    "इक्यावन बावन तिरपन|तिरेपन चौवन|चौअन पचपन छप्पन सत्तावन अट्ठावन|अठावन "
    "उनसठ साठ इकसठ बासठ तिरसठ|तिरेसठ चौंसठ पैंसठ छियासठ सड़सठ अड़सठ उनहत्तर "
    "सत्तर इकहत्तर बहत्तर तिहत्तर चौहत्तर पचहत्तर छिहत्तर सतहत्तर अठहत्तर "
    "उनासी|उन्नासी अस्सी इक्यासी बयासी तिरासी चौरासी पचासी छियासी सत्तासी "
    "अट्ठासी|अठासी नवासी नब्बे इक्यानवे|इक्यानबे बानवे|बानबे तिरानवे|तिरानबे "
    "चौरानवे|चौरानबे पचानवे|पंचानवे|पचानबे छियानवे|छियानबे सत्तानवे|सत्तानबे "
    "अट्ठानवे|अट्ठानबे निन्यानवे|निन्यानबे"
) | {"डेढ़": 1.5, "ढाई": 2.5}
_ARABIC_ONES = _listed(
    "واحد|واحدة|أحد|إحدى اثنان|اثنين|اثنا|اثني|اثنتان|اثنتين|اثنتا|اثنتي "
    "ثلاثة|ثلاث أربعة|أربع خمسة|خمس ستة|ست سبعة|سبع ثمانية|ثماني|ثمان "
    "تسعة|تسع",
    first=1,
)
ARABIC_TENS = _listed(
    "عشرون|عشرين ثلاثون|ثلاثين أربعون|أربعين خمسون|خمسين ستون|ستين "
    "سبعون|سبعين ثمانون|ثمانين تسعون|تسعين",
    **_TENS,
)
_ARABIC = (
    _ARABIC_ONES
    | ARABIC_TENS
    | _listed(
        "مئة|مائة مئتان|مئتين|مئتا|مائتان|مائتين|مائتا ثلاثمئة|ثلاثمائة "
        "أربعمئة|أربعمائة خمسمئة|خمسمائة ستمئة|ستمائة سبعمئة|سبعمائة "
        "ثمانمئة|ثمانمائة|ثمانيمئة تسعمئة|تسعمائة",
        first=100,
        step=100,
    )
    | {"ألفان": 2000.0, "ألفين": 2000.0}
)
AND = "و"
"""Arabic writes its `and` into the next word."""
_ARABIC |= {AND + word: value for word, value in _ARABIC.items()}
ARABIC_TENS |= {AND + word: value for word, value in ARABIC_TENS.items()}
TEENS = frozenset({"عشر", "عشرة"})
"""In Arabic ten behind a number makes it one of the teens; alone it may be of `nineteenth`."""
TEEN = 10.0

NUMBERS: dict[str, float] = {
    **_ARABIC,
    **dict.fromkeys(TEENS, TEEN),
    **_HINDI,
    **_PORTUGUESE,
    **_SPANISH,
    **_FRENCH,
    **ENGLISH,
}
"""Word in lower case to number; what two languages write alike is the same number."""
ONES = frozenset(word for word, value in NUMBERS.items() if value == 1)
"""No numbers by themselves: pronouns and articles more often."""
SCORES = frozenset({"vingt", "vingts"})
"""Four of them are eighty."""
MULTIPLES: dict[str, float] = {
    "dozen": 12,
    **dict.fromkeys(("hundred", "cent", "cents", "सौ"), 100),
    **dict.fromkeys(
        ("thousand", "mille", "mil", "हज़ार", "हजार", "ألف", "ألفا", "ألفاً", "آلاف"), 1e3
    ),
    "लाख": 1e5,
    "million": 1e6,
    "करोड़": 1e7,
    "billion": 1e9,
    "trillion": 1e12,
}
"""What multiplies the number before it. Of most languages units read the millions."""
CENTS = frozenset({"cent", "cents", "ciento", "cento"})
"""They are of coins and percents, too."""
ENGLISH_ALONE = frozenset(ENGLISH) - frozenset(_FRENCH)
_TEN_TO_SIXTEEN = "dix onze douze treize quatorze quinze seize"
FRENCH_TEENS = frozenset(
    f"{_TEN_TO_SIXTEEN} dixième onzième douzième treizième quatorzième quinzième seizième".split()
)
"""They follow sixty and eighty."""

ORDINALS: dict[str, float] = (
    _listed("first second third fourth fifth sixth seventh eighth ninth tenth", first=1)
    | _listed(
        "eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth "
        "nineteenth",
        first=11,
    )
    | _listed(
        "twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth", **_TENS
    )
    | {"hundredth": 100.0, "twice": 2.0, "thrice": 3.0, "zweimal": 2.0, "dreimal": 3.0}
    | _listed(
        "unième deuxième troisième quatrième cinquième sixième septième huitième neuvième dixième "
        "onzième douzième treizième quatorzième quinzième seizième",
        first=1,
    )
    | _listed("vingtième trentième quarantième cinquantième soixantième", **_TENS)
)
"""Numbers of a row, and of times: a source has them, an answer is not held to them."""
TIMES = frozenset({"twice", "thrice", "zweimal", "dreimal"})
"""They continue no number."""
UNCOUNTED = frozenset({"first", "second", "unième"})
"""They are ordinals that count only behind a number: twenty-first."""
_SINCE = 1900
DECADES = {
    word: (_SINCE + value, value)
    for word, value in _listed(
        "twenties thirties forties fifties sixties seventies eighties nineties", **_TENS
    ).items()
}
"""Of the last century, as in most texts."""

HALVES = dict.fromkeys(("half", "hälfte", "moitié", "mitad", "metà", "metade", "आधा", "आधे"), 50.0)
HALF_OF = frozenset(["halbe", "halben", "demi", "media", "medio", "meia", "meio", "mezza", "mezzo"])
"""Half of the unit behind them: eine halbe Stunde."""
PARTS: dict[str, float] = {
    "quarter": 25.0,
    "viertel": 25.0,
    "quart": 25.0,
    "cuarto": 25.0,
    "third": 100 / 3,
    "drittel": 100 / 3,
    "tiers": 100 / 3,
    "tercio": 100 / 3,
    "terço": 100 / 3,
    "terzo": 100 / 3,
    "fifth": 20.0,
    "fünftel": 20.0,
    "tenth": 10.0,
    "zehntel": 10.0,
}
"""A share in words, in percent, where `a`, `one` or the like stands before it."""
SEVERAL: dict[str, float] = {
    "halves": 50.0,
    "quarters": 25.0,
    "viertel": 25.0,
    "quarts": 25.0,
    "cuartos": 25.0,
    "quarti": 25.0,
    "thirds": 100 / 3,
    "drittel": 100 / 3,
    "tiers": 100 / 3,
    "tercios": 100 / 3,
    "terços": 100 / 3,
    "terzi": 100 / 3,
    "fifths": 20.0,
    "fünftel": 20.0,
    "tenths": 10.0,
    "zehntel": 10.0,
}
"""One of several such: three quarters."""

OWNED: dict[str, tuple[str, ...]] = {
    word: tuple(languages.split("|"))
    for languages, words in {
        "es": "dos once quince",
        "fr": "cent cents sept dix seize neuf quart",
        "de": "elf",
        "pt": "dez doze cem sete",
        "it": "sei due otto tre venti",
        "es|pt": "mil",
        "fr|it": "mille",
        "fr|es": "uno",
    }.items()
    for word in words.split()
}
"""Words that are other words elsewhere, and the languages where they are numbers."""
