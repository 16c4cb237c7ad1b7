// The tree of a Python expression.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "metrics/python/value.h"

namespace fineprint::metrics::python {

struct Node {
  enum class Kind {
    literal,  // value
    name,     // marks[0]
    list,
    tuple,
    set,
    dict,     // children: key, value, key, value, ...
    unary,    // marks[0] before the only child
    chain,    // operators of one rank: children[0] marks[0] children[1] marks[1] ..., left to right
    power,    // children[0] ** children[1]
    compare,  // children[0] marks[0] children[1] marks[1] ..., all must hold
    logic,    // "and" or "or" in marks[0], over all children
    choice,   // children[1] where children[0] is true, else children[2]
    call,     // children[0] with the others
    subscript,  // children[0][children[1]]
    attribute,  // children[0].marks[0]
  };
  Kind kind = Kind::literal;
  Value value = {};
  std::vector<std::string> marks = {};
  std::vector<Node> children = {};
};

// Literals, displays, operators, comparisons, conditions, calls, subscripts by one index and
// attributes. Throws Exception: SyntaxError where Python does, and for what is not known here
// (lambda, comprehensions, slices, named arguments, assignments, stars); MemoryError for what is
// nested over 100 deep.
Node parse_expression(std::string_view source);

}  // namespace fineprint::metrics::python
