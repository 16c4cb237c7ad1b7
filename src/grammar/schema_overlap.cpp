// Decides whether two schemas can share a value; alternatives of oneOf must not.
#include <algorithm>

#include "grammar/schema_node.h"

namespace fineprint::grammar {
namespace {

const SchemaProperty* find(const SchemaNode& object, const std::string& name) {
  const auto found = std::ranges::find_if(
      object.properties, [&](const SchemaProperty& property) { return property.name == name; });
  return found == object.properties.end() ? nullptr : &*found;
}

// Returns true if `a` requires a property that `b` does not have, or whose values in `b` are all
// different.
bool requires_other_property(const SchemaNode& a, const SchemaNode& b) {
  return std::ranges::any_of(a.properties, [&](const SchemaProperty& property) {
    if (!property.required) return false;
    const SchemaProperty* other = find(b, property.name);
    return other == nullptr || are_disjoint(property.node, other->node);
  });
}

// Arrays differ by their lengths or, if neither may be empty, by their items.
bool are_arrays_disjoint(const SchemaNode& a, const SchemaNode& b) {
  if (a.max_items && *a.max_items < b.min_items) return true;
  if (b.max_items && *b.max_items < a.min_items) return true;
  return a.min_items > 0 && b.min_items > 0 && are_disjoint(a.items[0], b.items[0]);
}

bool is_number_node(const SchemaNode& node) {
  return node.kind == SchemaKind::integer || node.kind == SchemaKind::number;
}

bool are_ranges_disjoint(const SchemaNode& a, const SchemaNode& b) {
  return (a.maximum && b.minimum && *a.maximum < *b.minimum) ||
         (b.maximum && a.minimum && *b.maximum < *a.minimum);
}

}  // namespace

bool are_disjoint(const SchemaNode& a, const SchemaNode& b) {
  if (b.kind == SchemaKind::one_of) {
    return std::ranges::all_of(b.alternatives,
                               [&](const SchemaNode& part) { return are_disjoint(a, part); });
  }
  if (a.kind == SchemaKind::one_of) return are_disjoint(b, a);
  if (a.kind == SchemaKind::constants) {
    return std::ranges::none_of(
        a.constants, [&](const Json& value) { return schema_problem(b, value).empty(); });
  }
  if (b.kind == SchemaKind::constants) return are_disjoint(b, a);
  if (is_number_node(a) && is_number_node(b)) return are_ranges_disjoint(a, b);
  if (a.kind != b.kind) return true;
  if (a.kind == SchemaKind::object)
    return requires_other_property(a, b) || requires_other_property(b, a);
  return a.kind == SchemaKind::array && are_arrays_disjoint(a, b);
}

}  // namespace fineprint::grammar
