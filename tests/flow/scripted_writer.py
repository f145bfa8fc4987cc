"""A model that writes questions: as well, or as badly, as a test wants it to."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field

PASSAGE = re.compile(r"<passage-(\w+)[^>]*>\n(.*?)\n</passage-\1>", re.DOTALL)
OTHER = re.compile(r"<other-(\w+)>\n(.*?)\n</other-\1>", re.DOTALL)
QUESTION = re.compile(r"<question-(\w+)>\n(.*?)\n</question-\1>", re.DOTALL)
HISTORY = re.compile(r"<history-(\w+)>\n(.*?)\n</history-\1>", re.DOTALL)
FACT = re.compile(r"The (\w+) (?:weighs|was built in|belongs to) (\w+)")


def corpus() -> dict[str, str]:
    """Documents that state facts a question can be asked about: three passages each."""
    names = ("Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Gorse", "Hazel")
    texts = {}
    for at, name in enumerate(names):
        filler = f"It has been kept in the yard since the spring, beside the gate number {at}."
        texts[f"{name.lower()}.md"] = (
            f"# {name}\n\n## Weight\n\nThe {name} weighs {at}17kg. {filler} Nobody lifts it alone "
            f"without a {name} crane.\n\n## Year\n\nThe {name} was built in 19{at}3. {filler} "
            f"Those who saw it then still speak of the {name} with respect.\n\n## Owner\n\n"
            f"The {name} belongs to Owner{at}x. {filler} Papers for the {name} lie in the office.\n"
        )
    return texts


MANNERS = {
    "seems to answer it": "and mind what others say of theirs",
    "reads almost": "to the last detail, please",
    "short name": "the one in our own yard here",
    "original_quote": "supposing that we look at just this one thing",
}
"""Part of a task to how its questions end, so that no two kinds ask the same."""


def ending(system: str) -> str:
    return next((f", {end}?" for part, end in MANNERS.items() if part in system), "?")


def fact(text: str) -> tuple[str, str, str]:
    """What a passage states: sentence, thing, value."""
    found = FACT.search(text)
    assert found is not None, text
    return found[0], found[1], found[2]


def asks(sentence: str, thing: str) -> str:
    """A question for the fact, in words of its own."""
    for verb, word in (("weighs", "How heavy is"), ("built", "What is the year of")):
        if verb in sentence:
            return f"{word} {thing}?"
    return f"Whose property is {thing}?"


def good(system: str, user: str) -> str:
    """Write a good question, and judge as a careful reader would."""
    if '"verdict"' in system:
        return json.dumps(checked(user))
    sentence, thing, value = fact(PASSAGE.search(user)[2])  # type: ignore[index]
    end = ending(system)
    asked = asks(sentence, thing).replace("?", end)
    draft = {"question": asked, "answer": value, "quote": sentence}
    if '"missing"' in system:
        return json.dumps({"question": f"What colour is {thing}?", "missing": "its colour"})
    if '"standalone"' in system:
        talk = {"first_question": f"What do you know of {thing}?", "first_answer": "A good deal."}
        follow_up = draft["question"].replace(thing, "it")
        return json.dumps({**draft, **talk, "question": follow_up, "standalone": draft["question"]})
    if (other := OTHER.search(user)) is not None:
        second, name, figure = fact(other[2])
        if '"quote_b"' in system:
            joined = {"question": f"{thing} and {name}: what of the former?", "answer": value}
            return json.dumps({**joined, "quote_a": sentence, "quote_b": second})
        if '"original_quote"' in system:
            swap = {
                "question": asks(second, name).replace("?", end),
                "answer": figure,
                "quote": second,
            }
            return json.dumps({**{f"original_{key}": one for key, one in draft.items()}, **swap})
    if "negation" in system:
        draft["question"] = f"{draft['question'][:-1]}, and not of any other?"
    if "quantifier" in system:
        draft["question"] = f"{draft['question'][:-1]}, only that one?"
    return json.dumps(draft)


def checked(user: str) -> dict[str, object]:
    """Answer a question from the passages, as far as they do."""
    question = QUESTION.search(user)[2]  # type: ignore[index]
    known = {found[0]: fact(found[1]) for found in enumerate(all_passages(user))}
    talk = HISTORY.search(user)
    history = talk[2] if talk else ""
    alone = " it" not in question.replace("?", " ") or history != "(none)"
    named = f"{question} {history}"
    needed = [one for one in known.values() if one[1] in named]
    fitting = [one for one in needed if asks(one[0], one[1])[:6] in question]
    if "what of the former" in question:
        things = set(re.findall(r"(\w+) and (\w+):", question)[0])
        fitting = [one for one in needed if one[1] in things]
        if {one[1] for one in fitting} < things:
            fitting = []
    verdict = {"reason": "so", "self_contained": alone, "same_language": True}
    if not fitting:
        return {**verdict, "verdict": "not_answered", "answer": ""}
    return {**verdict, "verdict": "answered", "answer": fitting[0][2]}


def all_passages(user: str) -> list[str]:
    return [found[1] for found in PASSAGE.findall(user)]


@dataclass
class Writer:
    """Counts what it is asked; `bad` replies instead of the good one where it gives a text."""

    bad: Callable[[int, str], str | None] = lambda _number, _good: None
    """From the number of the draft, from 0 on, and the good reply to another."""
    drafts: dict[str, int] = field(default_factory=dict[str, int])

    def __call__(self, text: str) -> str:
        """Reply to system and user text, joined by a line feed."""
        system, _, user = text.partition("\nPerson:\n") if '"verdict"' not in text else ("", "", "")
        if not system:
            system, _, user = text.partition("\nConversation:\n")
            return good(system, f"Conversation:\n{user}")
        repaired = user.partition("You replied:")[0].strip()
        number = self.drafts.setdefault(repaired, len(self.drafts))
        reply = good(system, user)
        return self.bad(number, reply) or reply
