"""Statistics of a text: its words, its sentences, what is repeated."""

from .index import Index
from .read import paragraphs
from .report import render

__all__ = ["Index", "paragraphs", "render"]
