"""What may become of an odd file: a set of statuses, of which its record must have one.

"indexed": all its pages are in the store. "partly": it is, less pages that could not be read.
Otherwise the code of its error.
"""


def one_of(*statuses):
    return frozenset(statuses)


INDEXED = one_of("indexed")
BAD = one_of("damaged")
# MuPDF mends what it can, which differs by its version; "too_large" is one of its own limits.
BAD_OR_INDEXED = one_of("damaged", "too_large", "indexed", "partly")
HEAVY = BAD_OR_INDEXED | one_of("timed_out", "out_of_memory")
