// Checks JSON values against a schema and describes the first difference with its place.
#include <algorithm>
#include <cmath>
#include <string_view>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/unicode.h"
#include "fineprint/grammar/json_schema.h"

#include "grammar/schema_node.h"

namespace fineprint::grammar {
namespace {

// Longer replies are refused before they are parsed.
// Generators stop long before; this bounds the memory for replies from servers.
constexpr std::size_t kMaxReplyBytes = std::size_t{4} << 20;

bool is_integral(const Json& value) {
  return value.is_number_integer() ||
         // JSON Schema counts 1.0 as an integer.
         (value.is_number_float() && std::trunc(value.get<double>()) == value.get<double>());
}

class Checker {
 public:
  std::string check(const SchemaNode& node, const Json& value, const std::string& where) {
    switch (node.kind) {
      case SchemaKind::object:
        return check_object(node, value, where);
      case SchemaKind::array:
        return check_array(node, value, where);
      case SchemaKind::string:
        return check_string(node, value, where);
      case SchemaKind::integer:
        if (!is_integral(value)) return wrong(where, "an integer", value);
        return check_range(node, value, where);
      case SchemaKind::number:
        if (!value.is_number()) return wrong(where, "a number", value);
        return check_range(node, value, where);
      case SchemaKind::boolean:
        return value.is_boolean() ? std::string() : wrong(where, "true or false", value);
      case SchemaKind::null:
        return value.is_null() ? std::string() : wrong(where, "null", value);
      case SchemaKind::constants:
        return check_constants(node, value, where);
      case SchemaKind::one_of:
        return check_one_of(node, value, where);
    }
    return {};
  }

 private:
  static std::string at(const std::string& where, const std::string& what) {
    return (where.empty() ? "/" : where) + ": " + what;
  }
  // A value of a wrong type is not quoted, because it may be long.
  static std::string wrong(const std::string& where, std::string_view expected, const Json& value) {
    return at(where, format("expected {}, found {}", expected, value.type_name()));
  }

  std::string check_object(const SchemaNode& node, const Json& value, const std::string& where) {
    if (!value.is_object()) return wrong(where, "an object", value);
    // Counting the known members avoids a second search unless one is surplus.
    std::size_t known = 0;
    for (const SchemaProperty& property : node.properties) {
      const auto member = value.find(property.name);
      if (member == value.end()) {
        if (property.required) return at(where, format("\"{}\" is missing", property.name));
        continue;
      }
      ++known;
      std::string problem = check(property.node, *member, where + "/" + property.name);
      if (!problem.empty()) return problem;
    }
    return known == value.size() ? std::string() : surplus(node, value, where);
  }

  // Names the first member that the schema does not define.
  static std::string surplus(const SchemaNode& node, const Json& value, const std::string& where) {
    for (const auto& [name, member] : value.items()) {
      const auto is_it = [&](const SchemaProperty& property) { return property.name == name; };
      if (std::ranges::none_of(node.properties, is_it)) {
        return at(where, format("\"{}\" is not a property of the schema", name));
      }
    }
    return {};
  }

  std::string check_array(const SchemaNode& node, const Json& value, const std::string& where) {
    if (!value.is_array()) return wrong(where, "an array", value);
    if (value.size() < node.min_items) {
      return at(where,
                format("{} items, but at least {} are required", value.size(), node.min_items));
    }
    if (node.max_items && value.size() > *node.max_items) {
      return at(where,
                format("{} items, but at most {} are allowed", value.size(), *node.max_items));
    }
    for (std::size_t i = 0; i < value.size(); ++i) {
      std::string problem = check(node.items[0], value[i], format("{}/{}", where, i));
      if (!problem.empty()) return problem;
    }
    return {};
  }

  static std::string check_string(const SchemaNode& node, const Json& value,
                                  const std::string& where) {
    if (!value.is_string()) return wrong(where, "a string", value);
    const std::size_t length = count_code_points(value.get_ref<const std::string&>());
    if (!node.max_length || length <= *node.max_length) return {};
    return at(where, format("{} characters, but at most {} are allowed", length, *node.max_length));
  }

  static std::string check_range(const SchemaNode& node, const Json& value,
                                 const std::string& where) {
    const double number = value.get<double>();
    if (node.minimum && number < *node.minimum) {
      return at(where, format("{} is below the minimum of {}", number, *node.minimum));
    }
    if (node.maximum && number > *node.maximum) {
      return at(where, format("{} is above the maximum of {}", number, *node.maximum));
    }
    return {};
  }

  static std::string check_constants(const SchemaNode& node, const Json& value,
                                     const std::string& where) {
    if (std::ranges::find(node.constants, value) != node.constants.end()) return {};
    std::string known;
    for (const Json& constant : node.constants) {
      known += (known.empty() ? "" : ", ") + dump_json(constant);
    }
    return at(where, format("expected one of {}", known));
  }

  std::string check_one_of(const SchemaNode& node, const Json& value, const std::string& where) {
    // Reports the problem of each alternative, because nothing says which one was meant.
    std::string problems;
    for (const SchemaNode& alternative : node.alternatives) {
      const std::string problem = check(alternative, value, where);
      if (problem.empty()) return {};
      problems += (problems.empty() ? "" : "; or ") + problem;
    }
    return problems;
  }
};

}  // namespace

std::string schema_problem(const SchemaNode& node, const Json& value) {
  return Checker().check(node, value, "");
}

std::optional<std::string> JsonSchema::problem(std::string_view json) const {
  try {
    const Json value =
        // Duplicate keys are refused, because parsers differ in which of the two counts.
        parse_json(json, "reply", {.max_bytes = kMaxReplyBytes, .unique_keys = true});
    std::string problem = schema_problem(*root_, value);
    if (problem.empty()) return std::nullopt;
    return problem;
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace fineprint::grammar
