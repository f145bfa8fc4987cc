"""Names of languages, and how often each was given and expected."""

from __future__ import annotations

import re

from ragproof.core import MissingInput, SetRun
from ragproof.core.needs import EXPECTED_LANGUAGE, LANGUAGE, REPEAT
from ragproof.metrics.label_f1 import Labelled

_OLD = {"iw": "he", "in": "id", "ji": "yi", "jw": "jv", "mo": "ro"}
"""Codes that ISO 639 withdrew, and detectors still give."""
_OF_THREE = re.findall(
    r"[a-z]+",
    "afr af amh am ara ar arb ar asm as aze az azj az bel be ben bn bos bs bul bg cat ca ces cs "
    "cze cs cmn zh cym cy wel cy dan da deu de ger de ell el gre el eng en epo eo est et ekk et "
    "eus eu baq eu fas fa per fa pes fa fin fi fra fr fre fr gle ga glg gl guj gu hat ht hau ha "
    "heb he hin hi hrv hr hun hu hye hy arm hy ibo ig ind id isl is ice is ita it jav jv jpn ja "
    "kan kn kat ka geo ka kaz kk khm km kor ko kur ku kmr ku lao lo lat la lav lv lvs lv lit lt "
    "ltz lb mal ml mar mr mkd mk mac mk mlg mg plt mg mlt mt mon mn khk mn msa ms zsm ms may ms "
    "mya my bur my nep ne npi ne nld nl dut nl nno nn nob nb nor no oci oc ori or ory or pan pa "
    "pol pl por pt pus ps pbt ps ron ro rum ro rus ru sin si slk sk slo sk slv sl snd sd som so "
    "spa es sqi sq alb sq als sq srp sr sun su swa sw swh sw swe sv tam ta tat tt tel te tgk tg "
    "tgl tl tha th tuk tk tur tr uig ug ukr uk urd ur uzb uz uzn uz vie vi xho xh yid yi ydd yi "
    "yor yo zho zh chi zh zul zu",
)
_SAME = _OLD | dict(zip(_OF_THREE[::2], _OF_THREE[1::2], strict=True))
"""Codes of ISO 639 that mean what a shorter or newer one does."""


UNDETERMINED = "und"
"""BCP 47's code for a language that was not told."""
_UNTOLD = frozenset({"", "un", "unknown", UNDETERMINED})


def recognised(run: SetRun, *, subtags: bool) -> Labelled:
    """Count over the labelled documents of a set; what was left open is undetermined.

    Raises MissingInput where no document has a language.
    """
    wanted = [code(one, subtags=subtags) for one in run[EXPECTED_LANGUAGE]]
    told = run.get(LANGUAGE)
    if all(one is None for one in told):
        raise MissingInput(LANGUAGE.reason)
    got = [UNDETERMINED if one is None else code(one, subtags=subtags) for one in told]
    trials = run.get(REPEAT)
    return Labelled.of(got, wanted, len(set(trials)))


def code(tag: str, *, subtags: bool) -> str:
    """A language tag in lower case with hyphens; without `subtags` only its first part.

    What says that the language is not known is `und`.

    >>> code("zh_Hans", subtags=False), code("zh_Hans", subtags=True)
    ('zh', 'zh-hans')
    >>> code("iw", subtags=False), code("deu_Latn", subtags=False)
    ('he', 'de')
    >>> code("Unknown", subtags=False), code("", subtags=False)
    ('und', 'und')
    """
    first, hyphen, rest = tag.strip().lower().replace("_", "-").partition("-")
    if first in _UNTOLD:
        return UNDETERMINED
    first = _SAME.get(first, first)
    return f"{first}{hyphen}{rest}" if subtags else first
