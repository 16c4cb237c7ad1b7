// The parsed form of a schema: one node for each place that a value can take.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fineprint/core/json.h"

namespace fineprint::grammar {

enum class SchemaKind { object, array, string, integer, number, boolean, null, constants, one_of };

struct SchemaProperty;

// Members that a kind does not use keep their defaults.
struct SchemaNode {
  SchemaKind kind = SchemaKind::null;
  std::vector<SchemaProperty> properties;  // object, in the order that replies write them
  std::vector<SchemaNode> items;           // array: exactly one
  std::size_t min_items = 0;
  std::optional<std::size_t> max_items;
  std::optional<std::size_t> max_length;   // string, in code points
  std::optional<double> minimum, maximum;  // integer, number
  std::vector<Json> constants;             // enum, const: scalars
  std::vector<SchemaNode> alternatives;    // one_of: no value fits two of them
};

struct SchemaProperty {
  std::string name;
  SchemaNode node;
  bool required = false;
};

// Returns true if no value can fit both schemas. Returns false if that is not certain.
bool are_disjoint(const SchemaNode& a, const SchemaNode& b);

// Returns why `value` does not fit and where, or an empty string if it fits.
std::string schema_problem(const SchemaNode& node, const Json& value);

// The numbers that replies may write: units / scale for each whole number of units from low to
// high.
// Magnitudes stay below 10^15 / scale.
struct WritableNumbers {
  std::int64_t scale = 1;  // 1: integers; 10^6: numbers
  std::int64_t low = 0, high = 0;
};
// Returns nullopt if there is no such number between minimum and maximum.
std::optional<WritableNumbers> writable_numbers(const SchemaNode& node);

}  // namespace fineprint::grammar
