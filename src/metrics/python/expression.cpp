// Evaluates the tree of an expression. The parser has limited its depth, so recursion is safe.
#include "metrics/python/expression.h"

#include <algorithm>

#include "metrics/python/operators.h"
#include "metrics/python/parser.h"
#include "metrics/python/text.h"

namespace fineprint::metrics::python {
namespace {

Value computed(const Node& node);

std::vector<Value> all_computed(const std::vector<Node>& nodes) {
  std::vector<Value> values;
  values.reserve(nodes.size());
  for (const Node& node : nodes) values.push_back(computed(node));
  return values;
}

// Throws TypeError if the value can be neither in a set nor a key of a dict.
void check_hashable(const Value& value) {
  const bool changes =
      value.is_list() || value.kind == Value::Kind::dict || value.kind == Value::Kind::set;
  if (changes) throw Exception("TypeError", "unhashable type");
  for (const Value& item : value.items) check_hashable(item);
}

Value set_of(const Node& node) {
  Value set;
  set.kind = Value::Kind::set;
  for (Value& value : all_computed(node.children)) {
    check_hashable(value);
    // Linear search: the parser limits the number of tokens, and hashes would have to equal
    // Python's.
    const bool known =
        std::ranges::any_of(set.items, [&](const Value& item) { return equal(item, value); });
    if (!known) set.items.push_back(std::move(value));
  }
  return set;
}

// A repeated key keeps its place and takes the later value.
Value dict_of(const Node& node) {
  Value dict;
  dict.kind = Value::Kind::dict;
  const std::vector<Value> values = all_computed(node.children);
  for (std::size_t i = 0; i + 1 < values.size(); i += 2) {
    check_hashable(values[i]);
    std::size_t at = 0;
    while (at < dict.items.size() && !equal(dict.items[at], values[i])) at += 2;
    if (at < dict.items.size()) {
      dict.items[at + 1] = values[i + 1];
    } else {
      dict.items.insert(dict.items.end(), {values[i], values[i + 1]});
    }
  }
  return dict;
}

Value sequence_of(const Node& node) {
  Value value;
  value.kind = node.kind == Node::Kind::list ? Value::Kind::list : Value::Kind::tuple;
  value.items = all_computed(node.children);
  return value;
}

// Left to right, one operator after the other.
Value chain_of(const Node& node) {
  Value value = computed(node.children.front());
  for (std::size_t i = 0; i < node.marks.size(); ++i) {
    value = binary(node.marks[i], value, computed(node.children[i + 1]));
  }
  return value;
}

Value comparison_of(const Node& node) {
  Value left = computed(node.children.front());
  for (std::size_t i = 0; i < node.marks.size(); ++i) {
    Value right = computed(node.children[i + 1]);
    // Python evaluates the operands in order and stops at the first comparison that fails.
    if (!compare(node.marks[i], left, right)) return boolean_value(false);
    left = std::move(right);
  }
  return boolean_value(true);
}

// Returns the first operand that decides; the last one if none does.
Value logic_of(const Node& node) {
  const bool deciding = node.marks.front() == "or";
  Value value;
  for (const Node& child : node.children) {
    value = computed(child);
    if (is_true(value) == deciding) break;
  }
  return value;
}

Value of_dict(const Value& dict, const Value& key) {
  check_hashable(key);
  for (std::size_t i = 0; i + 1 < dict.items.size(); i += 2) {
    if (equal(dict.items[i], key)) return dict.items[i + 1];
  }
  throw Exception("KeyError", repr(key));
}

// Only single indexes: the parser refuses slices.
Value subscript_of(const Node& node) {
  const Value whole = computed(node.children[0]);
  const Value key = computed(node.children[1]);
  if (whole.kind == Value::Kind::dict) return of_dict(whole, key);
  const bool indexed =
      whole.kind == Value::Kind::text || whole.is_list() || whole.kind == Value::Kind::tuple;
  const bool integral = key.kind == Value::Kind::integer || key.kind == Value::Kind::boolean;
  if (!indexed || !integral || key.is_huge()) {
    throw Exception("TypeError", "the value cannot be subscripted with this key");
  }
  const std::u32string text = code_points(whole.kind == Value::Kind::text ? whole.text : "");
  const auto size =
      static_cast<Integer>(whole.kind == Value::Kind::text ? text.size() : whole.items.size());
  // Negative indexes count from the end.
  const Integer at = key.integer < 0 ? key.integer + size : key.integer;
  if (at < 0 || at >= size) throw Exception("IndexError", "index out of range");
  const auto index = static_cast<std::size_t>(at);
  return whole.kind == Value::Kind::text ? text_value(utf8(text.substr(index, 1)))
                                         : whole.items[index];
}

Value computed(const Node& node) {
  switch (node.kind) {
    case Node::Kind::literal:
      return node.value;
    case Node::Kind::name:
      throw Exception("NameError", "name '" + node.marks.front() + "' is not defined");
    case Node::Kind::list:
    case Node::Kind::tuple:
      return sequence_of(node);
    case Node::Kind::set:
      return set_of(node);
    case Node::Kind::dict:
      return dict_of(node);
    case Node::Kind::unary:
      if (node.marks.front() == "not") {
        return boolean_value(!is_true(computed(node.children.front())));
      }
      return unary(node.marks.front(), computed(node.children.front()));
    case Node::Kind::chain:
      return chain_of(node);
    case Node::Kind::power:
      return power(computed(node.children[0]), computed(node.children[1]));
    case Node::Kind::compare:
      return comparison_of(node);
    case Node::Kind::logic:
      return logic_of(node);
    case Node::Kind::choice:
      return computed(node.children[is_true(computed(node.children[0])) ? 1 : 2]);
    case Node::Kind::call:
      // The arguments are evaluated first, because their exception would come first in Python.
      all_computed(node.children);
      throw Exception("TypeError", "the value cannot be called");
    case Node::Kind::subscript:
      return subscript_of(node);
    case Node::Kind::attribute:
      computed(node.children.front());
      throw Exception("AttributeError", "no attribute '" + node.marks.front() + "'");
  }
  return {};
}

}  // namespace

Value evaluate(std::string_view source) { return computed(parse_expression(source)); }

}  // namespace fineprint::metrics::python
