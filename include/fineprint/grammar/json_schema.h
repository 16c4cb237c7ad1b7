// JSON schemas of agents' replies: the subset of draft 2020-12 that they use.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace fineprint::grammar {

struct SchemaNode;  // src/text/json/schema_node.h

// type object (properties, required, additionalProperties: false, which must be said), array
// (items, minItems, maxItems), string (maxLength, in code points), integer, number (minimum,
// maximum), boolean, null; enum and const of scalars; oneOf, whose alternatives must not be able to
// share a value: they differ in type, or in a required property with constants of its own. title
// and description may stand anywhere and mean nothing. At most 64 KiB, 16 values deep, 128
// properties an object, 128 constants, 16 alternatives. Immutable; copies share what was parsed.
class JsonSchema {
 public:
  // Throws Error(usage) naming what lies outside the subset and where it stands.
  static JsonSchema parse(std::string_view schema);

  // As it was given.
  const std::string& text() const { return text_; }
  const SchemaNode& root() const { return *root_; }
  // Why a JSON text does not fit, and where ("/facts/0/kind: ..."); nullopt when it does.
  // Properties may stand in any order; none may stand twice. 1.0 is an integer.
  std::optional<std::string> problem(std::string_view json) const;

 private:
  std::string text_;
  std::shared_ptr<const SchemaNode> root_;
};

// The JSON object in a model's reply: from the first '{' to its matching '}' (braces within strings
// do not count), whatever code fences and words stand around it. nullopt when there is none.
std::optional<std::string> json_in_reply(std::string_view reply);
// The reply itself where it fits the schema (not every value is an object), else the object in it,
// else the reply.
std::string json_of_reply(const std::string& reply, const JsonSchema& schema);

}  // namespace fineprint::grammar
