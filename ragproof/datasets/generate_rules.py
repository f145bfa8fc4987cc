"""What must hold of a question that a model wrote, told by rule."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ragproof.text.answer_tokens import answer_tokens
from ragproof.text.language import languages

LONGEST = 600
"""Characters of a question."""
COPIED = 8
"""So many words in a row that the passage has too are a copy."""
COPIED_SHARE = 0.8
"""So are fewer, where they are so much of the question."""
ALIKE = 0.8
"""Questions that share so many of their words are near-duplicates."""
AGREES = 0.6
"""F1 of the words of two answers that say the same."""


def found(quote: str, text: str) -> tuple[int, int] | None:
    r"""Where the quote stands in the text, word for word, white space aside.

    >>> found("two  moons", "Mars has two\nmoons.")
    (9, 18)
    """
    words = quote.split()
    if not words:
        return None
    match = re.search(r"\s+".join(map(re.escape, words)), text)
    return match.span() if match else None


def flawed(question: str, answer: str, quote: str, passage: str) -> str | None:
    """Say why a question with its answer is no good; None where no rule objects."""
    if (why := ill_asked(question, passage)) is not None:
        return why
    if not answer_tokens(answer) or not answer.strip():
        return "there is no answer"
    if found(quote, passage) is None:
        return "the quote does not stand in the passage"
    if not contains(quote, answer):
        return "the answer does not stand in the quote"
    if contains(question, answer):
        return "the answer stands in the question"
    return None


def ill_asked(question: str, passage: str) -> str | None:
    """Say why a question is no good whatever its answer; None where no rule objects."""
    if not question.strip():
        return "the model found nothing to ask"
    if len(question) > LONGEST:
        return f"the question is longer than {LONGEST} characters"
    if is_copied(question, passage):
        return "the question is copied from the passage"
    if not speaks_like(question, passage):
        return "the question is in another language than the passage"
    return None


def contains(text: str, part: str) -> bool:
    """Whether the words of the part stand in the text in a row, case and punctuation aside.

    >>> contains("It weighs 118 kg.", "118 KG"), contains("1180 kg", "118")
    (True, False)
    """
    inside, words = answer_tokens(text), answer_tokens(part)
    size = len(words)
    return any(inside[at : at + size] == words for at in range(len(inside) - size + 1))


def is_copied(question: str, passage: str) -> bool:
    """Whether the question is, or holds, a stretch of the passage.

    >>> is_copied("The pump runs at night?", "The pump runs at night and rests by day.")
    True
    >>> is_copied("When does the pump rest?", "The pump runs at night and rests by day.")
    False
    """
    asked, said = answer_tokens(question), answer_tokens(passage)
    run = _longest_run(asked, said)
    enough = max(4, COPIED_SHARE * len(asked))
    unspaced = sum(len(token) == 1 for token in asked) > len(asked) / 2
    return run >= (2 * COPIED if unspaced else COPIED) or run >= enough


def _longest_run(one: Sequence[str], other: Sequence[str]) -> int:
    """The most tokens in a row that both have."""
    best, row = 0, [0] * (len(other) + 1)
    for token in one:
        before = row
        row = [0] * (len(other) + 1)
        for at, against in enumerate(other, 1):
            if token == against:
                row[at] = before[at - 1] + 1
        best = max(best, *row)
    return best


def speaks_like(question: str, passage: str) -> bool:
    """Whether the question may be in the language of the passage, as far as a rule can tell.

    >>> speaks_like("Wann ruht die Pumpe?", "The pump runs at night and it rests by day.")
    False
    """
    spoken, asked = set(languages(passage)), set(languages(question))
    return not (spoken and asked) or bool(spoken & asked)


def agrees(one: str, other: str) -> bool:
    """Whether two short answers say the same: one holds the other, or most words are shared.

    >>> agrees("118 kg", "It is 118 kg"), agrees("118 kg", "96 kg")
    (True, False)
    """
    if not answer_tokens(one) or not answer_tokens(other):
        return False
    if contains(one, other) or contains(other, one):
        return True
    left, right = answer_tokens(one), answer_tokens(other)
    shared = sum(min(left.count(token), right.count(token)) for token in set(left))
    numbers = {token for token in (*left, *right) if any(map(str.isdigit, token))}
    same_numbers = all((token in left) == (token in right) for token in numbers)
    return same_numbers and 2 * shared / (len(left) + len(right)) >= AGREES


class Asked:
    """Questions that are there already, to be told from near-duplicates.

    Questions of nearly the same words that have different answers, because they name different
    things, are none; the same question with another answer is.
    """

    def __init__(self) -> None:
        self._known: dict[str, tuple[frozenset[str], str | None]] = {}

    def add(self, name: str, question: str, answer: str | None) -> None:
        """Note a question; an unanswerable one has no answer."""
        self._known[name] = frozenset(answer_tokens(question)), answer

    def like(self, question: str, answer: str | None) -> str | None:
        """Name a question that is nearly the same; None where there is none.

        >>> asked = Asked()
        >>> asked.add("q1", "How heavy is the X2?", "118 kg")
        >>> asked.like("How heavy is the X3?", "96 kg"), asked.like("Is the X2 how heavy?", "9 kg")
        (None, 'q1')
        """
        tokens = frozenset(answer_tokens(question))
        return next(self._alike(tokens, answer), None)

    def _alike(self, tokens: frozenset[str], answer: str | None) -> Iterator[str]:
        for name, (known, other) in self._known.items():
            either = len(known | tokens)
            if not either or len(known & tokens) / either < ALIKE:
                continue
            both = answer is not None and other is not None
            same = agrees(answer or "", other or "") if both else answer is other
            if known == tokens or same:
                yield name


_TURNS = {
    "negation": {
        "en": "not no never except without none neither nor nothing nobody unless isn't doesn't "
        "don't can't cannot won't aren't wasn't shouldn't excluding other",
        "de": "nicht kein keine keinen keinem keiner nie niemals ohne ausser außer weder nichts",
        "fr": "pas ne non jamais sans sauf hormis aucun aucune rien ni excepté",
        "es": "no nunca sin excepto salvo ningún ninguna ninguno nada ni jamás",
    },
    "quantifier": {
        "en": "only all every each at least most none any both more than fewer less no always",
        "de": "nur alle allen jeder jede jedes mindestens höchstens kein keine beide mehr weniger",
        "fr": "seul seule seulement tous toutes chaque moins plus aucun aucune que",
        "es": "solo sólo único todos todas cada menos más ningún ninguna",
    },
}
"""Words on which such a question turns, in the languages that are looked into."""


def lacks_turn(question: str, challenge: str) -> str | None:
    """Say that a question has no word of the kind it is to turn on; None where that is not known.

    >>> lacks_turn("Which of the pumps is not for the outside?", "negation")
    >>> lacks_turn("Which of the pumps is for the outside?", "negation")
    'the question has no negation'
    """
    spoken = languages(question)
    known = _TURNS[challenge]
    if not spoken or any(code not in known for code in spoken):
        return None
    words = set(re.findall(r"[^\W\d_]+(?:'\w+)?", question.lower().replace("\u2019", "'")))
    if any(words & set(known[code].split()) for code in spoken):
        return None
    return f"the question has no {challenge}"


def is_reworded(original: str, other: str) -> bool:
    """Whether the two differ, and have half of their words in common.

    >>> is_reworded("How heavy is the X2?", "How heavy is the X3?")
    True
    """
    one, two = answer_tokens(original), answer_tokens(other)
    shared = set(one) & set(two)
    return one != two and 2 * len(shared) >= min(len(set(one)), len(set(two)))
