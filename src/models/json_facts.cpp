// Reads single facts out of a model folder's small JSON files, distrusting each.
#include "models/json_facts.h"

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"

namespace fineprint::models {
namespace {

// A model's small files have kilobytes; more is a mistake or an attack.
constexpr std::size_t kMaxBytes = std::size_t{16} << 20;

Json read_json(const std::string& path) {
  try {
    return parse_json(read_file(path), path, {.max_bytes = kMaxBytes, .max_depth = 32});
  } catch (const Error& error) {
    throw Error(ErrorCode::model, format("model folder: {}", error.what()));
  }
}

}  // namespace

JsonFacts::JsonFacts(const std::string& path) : path_(path), json_(read_json(path)) {}

void JsonFacts::fail(const std::string& key, const std::string& problem) const {
  throw Error(ErrorCode::model, format("{}: \"{}\" {}", path_, key, problem));
}

const Json* JsonFacts::find(const std::string& key) const {
  if (!json_.is_object()) {
    throw Error(ErrorCode::model, format("{}: not a JSON object", path_));
  }
  const auto found = json_.find(key);
  return found == json_.end() || found->is_null() ? nullptr : &*found;
}

int JsonFacts::integer(const std::string& key, int low, int high) const {
  const Json* value = find(key);
  if (value == nullptr) fail(key, "is missing");
  if (!value->is_number_integer()) fail(key, "is not a whole number");
  // Unsigned values above the signed range read as negative and are refused with the others.
  const auto integer = value->get<std::int64_t>();
  if (integer < low || integer > high) {
    fail(key, format("is {}, expected {} to {}", dump_json(*value), low, high));
  }
  return static_cast<int>(integer);
}

int JsonFacts::integer_or(const std::string& key, int low, int high, int absent) const {
  return find(key) == nullptr ? absent : integer(key, low, high);
}

double JsonFacts::number(const std::string& key, double low, double high) const {
  const Json* value = find(key);
  if (value == nullptr) fail(key, "is missing");
  if (!value->is_number()) fail(key, "is not a number");
  const double number = value->get<double>();
  if (!(number >= low && number <= high)) {
    fail(key, format("is {}, expected {} to {}", number, low, high));
  }
  return number;
}

bool JsonFacts::flag_or(const std::string& key, bool absent) const {
  const Json* value = find(key);
  if (value == nullptr) return absent;
  if (!value->is_boolean()) fail(key, "is neither true nor false");
  return value->get<bool>();
}

std::optional<std::string> JsonFacts::text(const std::string& key) const {
  const Json* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_string()) fail(key, "is not a text");
  return value->get<std::string>();
}

void JsonFacts::expect_text(const std::string& key, const std::string& expected,
                            bool may_be_absent) const {
  const std::optional<std::string> value = text(key);
  if (!value && !may_be_absent) fail(key, "is missing");
  if (value && *value != expected) {
    fail(key, format("is \"{}\"; only \"{}\" is supported", *value, expected));
  }
}

}  // namespace fineprint::models
