"""What a function-style solution finds without importing it, as contest sites provide it."""

from __future__ import annotations

import bisect
import builtins
import collections
import copy
import datetime
import functools
import heapq
import itertools
import math
import operator
import random
import re
import string
import sys
import typing

from . import lctk, nodes

_STARRED = (bisect, collections, functools, heapq, itertools, math, operator, string, typing)
_MODULES = (*_STARRED, copy, datetime, random, re, sys)
_PICKED = {copy: ("deepcopy",), sys: ("maxsize",)}


def prelude() -> dict[str, object]:
    """Names for the solution's module.

    Everything of the usual modules, but nothing that hides a built-in (`from math import *` would hide `pow`).
    """
    return dict(_usual())


@functools.cache
def _usual() -> dict[str, object]:
    names: dict[str, object] = {}
    for module in _STARRED:
        public = getattr(module, "__all__", None) or [name for name in vars(module) if not name.startswith("_")]
        names.update({name: getattr(module, name) for name in public if not hasattr(builtins, name)})
    for module, picked in _PICKED.items():
        names.update({name: getattr(module, name) for name in picked})
    names.update({module.__name__: module for module in _MODULES})
    names.update({"ListNode": nodes.ListNode, "TreeNode": nodes.TreeNode, "lctk": lctk})
    return names
