// Reads a JSON schema and refuses what lies outside the subset.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/grammar/json_schema.h"

#include "grammar/schema_node.h"

namespace fineprint::grammar {
namespace {

constexpr std::size_t kMaxBytes = 64 * 1024;
constexpr int kMaxDepth = 16;  // of values within values
constexpr std::size_t kMaxProperties = 128;
constexpr std::size_t kMaxConstants = 128;
constexpr std::size_t kMaxAlternatives = 16;
constexpr std::size_t kMaxItems = 10'000;
constexpr std::size_t kMaxLength = 1'000'000;  // code points

[[noreturn]] void refuse_schema(const std::string& where, const std::string& why) {
  throw Error(ErrorCode::usage, format("JSON schema at {}: {}", where.empty() ? "/" : where, why));
}

SchemaNode node_of(SchemaKind kind) {
  SchemaNode node;
  node.kind = kind;
  return node;
}

class Reader {
 public:
  SchemaNode read(const Json& schema, const std::string& where, int depth) {
    if (!schema.is_object()) refuse_schema(where, "a schema has to be an object");
    if (depth > kMaxDepth) refuse_schema(where, format("nested deeper than {} values", kMaxDepth));
    if (schema.contains("oneOf")) return read_one_of(schema, where, depth);
    if (schema.contains("const") || schema.contains("enum")) return read_constants(schema, where);
    return read_type(schema, where, depth);
  }

 private:
  // Refuses keywords other than `known`; a title and a description say nothing about values.
  static void check_keywords(const Json& schema, const std::string& where,
                             std::span<const std::string_view> known) {
    for (const auto& [keyword, value] : schema.items()) {
      if (keyword == "title" || keyword == "description") continue;
      if (std::ranges::find(known, keyword) == known.end()) {
        refuse_schema(where,
                      format("\"{}\" cannot be used here; what can is type (object, array, string, "
                             "integer, number, boolean, null), properties, required, "
                             "additionalProperties, items, minItems, maxItems, maxLength, minimum, "
                             "maximum, enum, const, oneOf, each with its type",
                             keyword));
      }
    }
  }

  SchemaNode read_one_of(const Json& schema, const std::string& where, int depth) {
    static constexpr std::string_view kKnown[] = {"oneOf"};
    check_keywords(schema, where, kKnown);
    const Json& list = schema["oneOf"];
    if (!list.is_array() || list.empty() || list.size() > kMaxAlternatives) {
      refuse_schema(where, format("oneOf has to list 1 to {} schemas", kMaxAlternatives));
    }
    SchemaNode node = node_of(SchemaKind::one_of);
    for (const Json& alternative : list) {
      const std::string place = format("{}/oneOf/{}", where, node.alternatives.size());
      SchemaNode next = read(alternative, place, depth + 1);
      for (const SchemaNode& earlier : node.alternatives) {
        if (!are_disjoint(earlier, next)) {
          refuse_schema(
              place,
              "a value might fit this alternative and an earlier one; give both a required "
              "property with a const of its own, or other types");
        }
      }
      node.alternatives.push_back(std::move(next));
    }
    return node;
  }

  static SchemaNode read_constants(const Json& schema, const std::string& where) {
    static constexpr std::string_view kKnown[] = {"type", "const", "enum"};
    check_keywords(schema, where, kKnown);
    SchemaNode node = node_of(SchemaKind::constants);
    if (schema.contains("const")) node.constants.push_back(schema["const"]);
    if (schema.contains("enum")) {
      if (schema.contains("const")) refuse_schema(where, "const and enum cannot stand together");
      const Json& list = schema["enum"];
      if (!list.is_array() || list.empty() || list.size() > kMaxConstants) {
        refuse_schema(where, format("enum has to list 1 to {} values", kMaxConstants));
      }
      node.constants.assign(list.begin(), list.end());
    }
    std::optional<SchemaNode> type;
    if (schema.contains("type")) type = node_of_type(schema["type"], where);
    for (std::size_t i = 0; i < node.constants.size(); ++i) {
      const Json& value = node.constants[i];
      if (value.is_structured())
        refuse_schema(where, "const and enum can hold no objects and arrays");
      if (type && !schema_problem(*type, value).empty()) {
        refuse_schema(
            where, format("{} is not of the type {}", dump_json(value), dump_json(schema["type"])));
      }
      if (std::find(node.constants.begin(), node.constants.begin() + static_cast<std::ptrdiff_t>(i),
                    value) != node.constants.begin() + static_cast<std::ptrdiff_t>(i)) {
        refuse_schema(where, format("enum repeats {}", dump_json(value)));
      }
    }
    return node;
  }

  static SchemaNode node_of_type(const Json& type, const std::string& where) {
    static constexpr std::array<std::pair<std::string_view, SchemaKind>, 7> kTypes = {
        {{"object", SchemaKind::object},
         {"array", SchemaKind::array},
         {"string", SchemaKind::string},
         {"integer", SchemaKind::integer},
         {"number", SchemaKind::number},
         {"boolean", SchemaKind::boolean},
         {"null", SchemaKind::null}}};
    if (type.is_array()) refuse_schema(where, "a list of types cannot be used; use oneOf");
    for (const auto& [name, kind] : kTypes) {
      if (type == name) return node_of(kind);
    }
    refuse_schema(where, format("unknown type {}", dump_json(type)));
  }

  SchemaNode read_type(const Json& schema, const std::string& where, int depth) {
    if (!schema.contains("type")) refuse_schema(where, "needs one of type, enum, const, oneOf");
    SchemaNode node = node_of_type(schema["type"], where);
    switch (node.kind) {
      case SchemaKind::object:
        read_object(schema, where, depth, &node);
        break;
      case SchemaKind::array:
        read_array(schema, where, depth, &node);
        break;
      case SchemaKind::string:
        check_keywords(schema, where, std::array<std::string_view, 2>{"type", "maxLength"});
        node.max_length = count_of(schema, "maxLength", kMaxLength, where);
        break;
      case SchemaKind::integer:
      case SchemaKind::number:
        read_number(schema, where, &node);
        break;
      default:
        check_keywords(schema, where, std::array<std::string_view, 1>{"type"});
    }
    return node;
  }

  void read_object(const Json& schema, const std::string& where, int depth, SchemaNode* node) {
    static constexpr std::string_view kKnown[] = {"type", "properties", "required",
                                                  "additionalProperties"};
    check_keywords(schema, where, kKnown);
    const auto additional = schema.find("additionalProperties");
    if (additional == schema.end() || *additional != false) {
      refuse_schema(where, "an object needs \"additionalProperties\": false");
    }
    const Json properties = schema.value("properties", Json::object());
    if (!properties.is_object() || properties.size() > kMaxProperties) {
      refuse_schema(where, format("properties has to be an object of at most {}", kMaxProperties));
    }
    for (const auto& [name, property] : properties.items()) {
      node->properties.push_back(
          {name, read(property, format("{}/properties/{}", where, name), depth + 1), false});
    }
    const Json required = schema.value("required", Json::array());
    if (!required.is_array()) refuse_schema(where, "required has to be a list of names");
    for (const Json& name : required) {
      const auto found = std::ranges::find_if(
          node->properties, [&](const SchemaProperty& p) { return name == p.name; });
      if (found == node->properties.end()) {
        refuse_schema(where,
                      format("required names {}, which properties does not", dump_json(name)));
      }
      found->required = true;
    }
  }

  void read_array(const Json& schema, const std::string& where, int depth, SchemaNode* node) {
    static constexpr std::string_view kKnown[] = {"type", "items", "minItems", "maxItems"};
    check_keywords(schema, where, kKnown);
    if (!schema.contains("items")) refuse_schema(where, "an array needs items");
    node->items.push_back(read(schema["items"], where + "/items", depth + 1));
    node->min_items = count_of(schema, "minItems", kMaxItems, where).value_or(0);
    node->max_items = count_of(schema, "maxItems", kMaxItems, where);
    if (node->max_items && *node->max_items < node->min_items) {
      refuse_schema(where, "maxItems is below minItems");
    }
  }

  static void read_number(const Json& schema, const std::string& where, SchemaNode* node) {
    static constexpr std::string_view kKnown[] = {"type", "minimum", "maximum"};
    check_keywords(schema, where, kKnown);
    const auto bound = [&](const char* keyword) -> std::optional<double> {
      if (!schema.contains(keyword)) return std::nullopt;
      const Json& value = schema[keyword];
      if (!value.is_number()) refuse_schema(where, format("{} has to be a number", keyword));
      return value.get<double>();
    };
    node->minimum = bound("minimum");
    node->maximum = bound("maximum");
    if (!writable_numbers(*node)) {
      refuse_schema(
          where,
          "no number that a reply may hold lies between minimum and maximum (integers of at most "
          "15 digits, numbers of at most 9 and 6 after the point)");
    }
  }

  static std::optional<std::size_t> count_of(const Json& schema, const char* keyword,
                                             std::size_t most, const std::string& where) {
    if (!schema.contains(keyword)) return std::nullopt;
    const Json& value = schema[keyword];
    if (!value.is_number_unsigned() || value.get<std::size_t>() > most) {
      refuse_schema(where, format("{} has to be an integer from 0 to {}", keyword, most));
    }
    return value.get<std::size_t>();
  }
};

// The parser's own message says where; a schema is the caller's, so its faults are faults of use.
Json parse_schema(std::string_view schema) {
  try {
    return parse_json(schema, "JSON schema",
                      {.max_bytes = kMaxBytes, .max_depth = 4 * kMaxDepth, .unique_keys = true});
  } catch (const Error& error) {
    throw Error(ErrorCode::usage, error.what());
  }
}

}  // namespace

JsonSchema JsonSchema::parse(std::string_view schema) {
  JsonSchema out;
  out.text_ = schema;
  out.root_ = std::make_shared<const SchemaNode>(Reader().read(parse_schema(schema), "", 1));
  return out;
}

}  // namespace fineprint::grammar
