// Parses a Python expression into a tree.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "metrics/python/value.h"

namespace fineprint::metrics::python {

// A node of the tree. The comments say which members each kind uses.
struct Node {
  enum class Kind {
    literal,  // value
    name,     // marks[0]
    list,
    tuple,
    set,
    dict,     // children: key, value, key, value, ...
    unary,    // marks[0] applied to the only child
    chain,    // operators of one rank, left to right: children[0] marks[0] children[1] marks[1] ...
    power,    // children[0] ** children[1]
    compare,  // children[0] marks[0] children[1] marks[1] ...; all must hold
    logic,    // "and" or "or" in marks[0], over all children
    choice,   // children[1] if children[0] is true, else children[2]
    call,     // children[0] called with the others
    subscript,  // children[0][children[1]]
    attribute,  // children[0].marks[0]
  };
  Kind kind = Kind::literal;
  Value value = {};
  std::vector<std::string> marks = {};
  std::vector<Node> children = {};
};

// Parses literals, displays, operators, comparisons, conditions, calls, subscripts by one index,
// and attributes. Throws Exception: SyntaxError where Python does, and for unsupported syntax
// (lambda, comprehensions, slices, named arguments, assignments, stars); MemoryError if the nesting
// is deeper than 100.
Node parse_expression(std::string_view source);

}  // namespace fineprint::metrics::python
