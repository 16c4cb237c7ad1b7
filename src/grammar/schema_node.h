// A schema as it was read: one node for each place where a value stands.
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

struct SchemaNode {
  SchemaKind kind = SchemaKind::null;
  std::vector<SchemaProperty> properties;  // object, in the order in which replies write them
  std::vector<SchemaNode> items;           // array: one
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

// Whether no value can fit both. Says false when in doubt.
bool are_disjoint(const SchemaNode& a, const SchemaNode& b);

// Why `value` does not fit, and where; empty when it does.
std::string schema_problem(const SchemaNode& node, const Json& value);

// The numbers that replies may write: multiples of 1 / scale with a magnitude below 10^15 / scale.
struct WritableNumbers {
  std::int64_t scale = 1;  // 1: integers; 10^6: numbers
  std::int64_t low = 0, high = 0;
};
// nullopt when there is none between minimum and maximum.
std::optional<WritableNumbers> writable_numbers(const SchemaNode& node);

}  // namespace fineprint::grammar
