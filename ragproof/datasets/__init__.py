"""Files in, cases out."""

from ragproof.datasets.canonical import dataset_hash as dataset_hash
from ragproof.datasets.canonical import dump as dump
from ragproof.datasets.reading import Dataset as Dataset
from ragproof.datasets.reading import freeze as freeze
from ragproof.datasets.reading import load as load
from ragproof.datasets.reading import read_given as read_given
from ragproof.datasets.selection import select as select
