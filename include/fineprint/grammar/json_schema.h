// Reads the JSON schemas of agents' replies (a subset of draft 2020-12) and checks values against
// them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace fineprint::grammar {

struct SchemaNode;  // src/grammar/schema_node.h

// A parsed schema. Supported keywords:
// - type object with properties, required and additionalProperties; additionalProperties must be
//   given and must be false
// - type array with items, minItems, maxItems
// - type string with maxLength, in code points
// - types integer and number with minimum and maximum; types boolean and null
// - enum and const of scalars
// - oneOf, if no value can fit two of its alternatives: they must differ in type, or each must have
// a
//   required property with a constant of its own, for example {"kind": {"const": "table"}}
// - title and description anywhere; they are ignored
//
// Limits: 64 KiB of text, 16 nested values, 128 properties of an object, 128 constants, 16
// alternatives. Immutable and thread-safe; copies share the parsed schema.
class JsonSchema {
 public:
  // Throws Error(usage) if the text is no JSON or uses something outside the subset. The message
  // names it and its place, for example "/properties/facts/items".
  static JsonSchema parse(std::string_view schema);

  // Returns the text that `parse` was given.
  const std::string& text() const { return text_; }
  // Returns the root of the parsed schema, for the sources in src/grammar.
  const SchemaNode& root() const { return *root_; }
  // Returns why a JSON text does not fit and where, for example "/facts/0/kind: expected a string,
  // found null". Returns nullopt if it fits. Properties may come in any order, but none may appear
  // twice. 1.0 counts as an integer. Texts over 4 MiB do not fit.
  std::optional<std::string> problem(std::string_view json) const;

 private:
  std::string text_;
  std::shared_ptr<const SchemaNode> root_;
};

// Returns the JSON object in a model's reply: from the first '{' to its matching '}', without the
// code fence or sentences around it. Braces within strings do not count. Returns nullopt if there
// is no complete object. The text is not validated.
std::optional<std::string> json_in_reply(std::string_view reply);
// Returns the part of the reply that should be parsed: the whole reply if it fits the schema (a
// value need not be an object), else the object in it, else the reply unchanged.
std::string json_of_reply(const std::string& reply, const JsonSchema& schema);

}  // namespace fineprint::grammar
