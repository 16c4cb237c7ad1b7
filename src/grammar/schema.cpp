// Reads a JSON schema and refuses keywords outside the subset, because a keyword that is ignored
// would let replies through that the schema forbids.
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

// Limits of a schema (JsonSchema lists them). They bound time and memory of the program that a
// schema becomes.
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

class SchemaReader {
 public:
  // `where` is the JSON pointer of the schema, for messages.
  SchemaNode read(const Json& schema, const std::string& where, int depth) {
    if (!schema.is_object()) refuse_schema(where, "a schema must be an object");
    if (depth > kMaxDepth) refuse_schema(where, format("nested deeper than {} values", kMaxDepth));
    if (schema.contains("oneOf")) return read_one_of(schema, where, depth);
    if (schema.contains("const") || schema.contains("enum")) return read_constants(schema, where);
    return read_type(schema, where, depth);
  }

 private:
  // Throws if the schema has a keyword other than `known`. Titles and descriptions pass everywhere,
  // because they do not restrict values.
  static void check_keywords(const Json& schema, const std::string& where,
                             std::span<const std::string_view> known) {
    for (const auto& [keyword, value] : schema.items()) {
      if (keyword == "title" || keyword == "description") continue;
      if (std::ranges::find(known, keyword) == known.end()) {
        refuse_schema(where,
                      format("\"{}\" is not supported here; use type (object, array, string, "
                             "integer, number, boolean, null), properties, required, "
                             "additionalProperties, items, minItems, maxItems, maxLength, minimum, "
                             "maximum, enum, const or oneOf, each with the type it belongs to",
                             keyword));
      }
    }
  }

  SchemaNode read_one_of(const Json& schema, const std::string& where, int depth) {
    static constexpr std::string_view kKnown[] = {"oneOf"};
    check_keywords(schema, where, kKnown);
    const Json& list = schema["oneOf"];
    if (!list.is_array() || list.empty() || list.size() > kMaxAlternatives) {
      refuse_schema(where, format("oneOf must list 1 to {} schemas", kMaxAlternatives));
    }
    SchemaNode node = node_of(SchemaKind::one_of);
    for (const Json& alternative : list) {
      const std::string place = format("{}/oneOf/{}", where, node.alternatives.size());
      SchemaNode next = read(alternative, place, depth + 1);
      for (const SchemaNode& earlier : node.alternatives) {
        // Replies are followed along all alternatives at once; a value of two would be checked
        // against an arbitrary one.
        if (!are_disjoint(earlier, next)) {
          refuse_schema(
              place,
              "a value might fit this alternative and an earlier one; give both a required "
              "property with a different const, or different types");
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
      if (schema.contains("const"))
        refuse_schema(where, "const and enum cannot be combined; use one of them");
      const Json& list = schema["enum"];
      if (!list.is_array() || list.empty() || list.size() > kMaxConstants) {
        refuse_schema(where, format("enum must list 1 to {} values", kMaxConstants));
      }
      node.constants.assign(list.begin(), list.end());
    }
    // A type next to constants is redundant; it is only checked, because no value could fit both.
    std::optional<SchemaNode> type;
    if (schema.contains("type")) type = node_of_type(schema["type"], where);
    for (std::size_t i = 0; i < node.constants.size(); ++i) {
      const Json& value = node.constants[i];
      // Constants become literals of the program, which has no steps for nested values.
      if (value.is_structured())
        refuse_schema(where, "const and enum must not contain objects or arrays");
      if (type && !schema_problem(*type, value).empty()) {
        refuse_schema(where, format("{} does not have the type {}", dump_json(value),
                                    dump_json(schema["type"])));
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
    if (type.is_array()) refuse_schema(where, "a list of types is not supported; use oneOf");
    for (const auto& [name, kind] : kTypes) {
      if (type == name) return node_of(kind);
    }
    refuse_schema(
        where,
        format("unknown type {}; use object, array, string, integer, number, boolean or null",
               dump_json(type)));
  }

  SchemaNode read_type(const Json& schema, const std::string& where, int depth) {
    if (!schema.contains("type"))
      refuse_schema(where, "one of type, enum, const and oneOf is needed");
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
    // Replies are written from the listed properties only. The schema must say so, because other
    // readers of the same schema would otherwise accept more.
    const auto additional = schema.find("additionalProperties");
    if (additional == schema.end() || *additional != false) {
      refuse_schema(where, "an object needs \"additionalProperties\": false");
    }
    const Json properties = schema.value("properties", Json::object());
    if (!properties.is_object() || properties.size() > kMaxProperties) {
      refuse_schema(where,
                    format("properties must be an object with at most {} members", kMaxProperties));
    }
    for (const auto& [name, property] : properties.items()) {
      node->properties.push_back(
          {name, read(property, format("{}/properties/{}", where, name), depth + 1), false});
    }
    const Json required = schema.value("required", Json::array());
    if (!required.is_array()) refuse_schema(where, "required must be a list of names");
    for (const Json& name : required) {
      const auto found = std::ranges::find_if(
          node->properties, [&](const SchemaProperty& p) { return name == p.name; });
      if (found == node->properties.end()) {
        refuse_schema(
            where, format("required names {}, which properties does not define", dump_json(name)));
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
      if (!value.is_number()) refuse_schema(where, format("{} must be a number", keyword));
      return value.get<double>();
    };
    node->minimum = bound("minimum");
    node->maximum = bound("maximum");
    // Found here and not while a reply is written, which could then not be ended.
    if (!writable_numbers(*node)) {
      refuse_schema(
          where,
          "a reply can write no number between minimum and maximum (integers have at most 15 "
          "digits, numbers at most 9 before the point and 6 after it)");
    }
  }

  static std::optional<std::size_t> count_of(const Json& schema, const char* keyword,
                                             std::size_t most, const std::string& where) {
    if (!schema.contains(keyword)) return std::nullopt;
    const Json& value = schema[keyword];
    if (!value.is_number_unsigned() || value.get<std::size_t>() > most) {
      refuse_schema(where, format("{} must be an integer from 0 to {}", keyword, most));
    }
    return value.get<std::size_t>();
  }
};

// Parses the text. Turns input errors into usage errors, because a schema comes from the caller and
// not from a document. The parser's message already says where.
Json parse_schema(std::string_view schema) {
  try {
    // Each value of a schema is up to four levels deep in JSON: properties, name, items, type.
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
  out.root_ = std::make_shared<const SchemaNode>(SchemaReader().read(parse_schema(schema), "", 1));
  return out;
}

}  // namespace fineprint::grammar
