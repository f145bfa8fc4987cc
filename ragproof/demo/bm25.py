"""The search by words of the first minute."""

from ragproof.text.bm25 import STOP_WORDS as STOP_WORDS
from ragproof.text.bm25 import WORD as WORD
from ragproof.text.bm25 import Bm25 as Bm25
from ragproof.text.bm25 import Tokenizer as Tokenizer
from ragproof.text.bm25 import light_tokens as light_tokens
