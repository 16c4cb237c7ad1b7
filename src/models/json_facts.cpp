// Reads single facts from a model folder's small JSON files and checks each.
#include "models/json_facts.h"

#include <filesystem>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"

namespace fineprint::models {
namespace {

// A model's small files have some kilobytes (the index of many shards a few hundred). A larger file
// is a mistake or an attack.
constexpr std::size_t kMaxBytes = std::size_t{16} << 20;

Json read_json(const std::string& path) {
  std::error_code trouble;
  const std::uintmax_t bytes = std::filesystem::file_size(path, trouble);
  if (!trouble && bytes > kMaxBytes) {
    throw Error(ErrorCode::model,
                format("{}: has {} bytes, more than the limit of {} for a file of this kind", path,
                       bytes, kMaxBytes));
  }
  try {
    return parse_json(read_file(path), path, {.max_bytes = kMaxBytes, .max_depth = 32});
  } catch (const Error& error) {
    // Whatever the parser reports, here it means that the model cannot be used.
    throw Error(ErrorCode::model, format("model folder: {}", error.what()));
  }
}

}  // namespace

JsonFacts::JsonFacts(const std::string& path)
    : path_(path), file_(std::make_shared<const Json>(read_json(path))), json_(file_.get()) {}

JsonFacts::JsonFacts(const std::string& path, Json facts)
    : path_(path), file_(std::make_shared<const Json>(std::move(facts))), json_(file_.get()) {}

void JsonFacts::fail(const std::string& key, const std::string& problem) const {
  throw Error(ErrorCode::model, format("{}: \"{}{}\" {}", path_, prefix_, key, problem));
}

const Json* JsonFacts::find(const std::string& key) const {
  if (!json_->is_object()) {
    throw Error(ErrorCode::model, format("{}: not a JSON object", path_));
  }
  // Writers put null where others leave a key out.
  const auto found = json_->find(key);
  return found == json_->end() || found->is_null() ? nullptr : &*found;
}

const Json& JsonFacts::present(const std::string& key) const {
  const Json* value = find(key);
  if (value == nullptr) fail(key, "is missing");
  return *value;
}

bool JsonFacts::has(const std::string& key) const { return find(key) != nullptr; }

int JsonFacts::checked_integer(const std::string& key, const Json& value, int low, int high) const {
  if (!value.is_number_integer()) fail(key, "is not an integer");
  // Only unsigned values above the signed range could be misread.
  const bool huge = value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX;
  const auto integer = huge ? INT64_MAX : value.get<std::int64_t>();
  if (integer < low || integer > high) {
    fail(key, format("is {}, expected {} to {}", dump_json(value), low, high));
  }
  return static_cast<int>(integer);
}

int JsonFacts::integer(const std::string& key, int low, int high) const {
  return checked_integer(key, present(key), low, high);
}

int JsonFacts::integer_or(const std::string& key, int low, int high, int absent) const {
  return has(key) ? integer(key, low, high) : absent;
}

double JsonFacts::checked_number(const std::string& key, const Json& value, double low,
                                 double high) const {
  if (!value.is_number()) fail(key, "is not a number");
  const double number = value.get<double>();
  // Written like this, the test also refuses NaN.
  if (!(number >= low && number <= high)) {
    fail(key, format("is {}, expected {} to {}", number, low, high));
  }
  return number;
}

double JsonFacts::number(const std::string& key, double low, double high) const {
  return checked_number(key, present(key), low, high);
}

double JsonFacts::number_or(const std::string& key, double low, double high, double absent) const {
  return has(key) ? number(key, low, high) : absent;
}

bool JsonFacts::flag_or(const std::string& key, bool absent) const {
  const Json* value = find(key);
  if (value == nullptr) return absent;
  if (!value->is_boolean()) fail(key, "is neither true nor false");
  return value->get<bool>();
}

// An absent flag has the expected value. A flag that would change the computation is refused rather
// than ignored.
void JsonFacts::expect_flag(const std::string& key, bool expected) const {
  if (flag_or(key, expected) != expected) {
    fail(key, format("is {}, which is not supported", expected ? "false" : "true"));
  }
}

std::optional<std::string> JsonFacts::text(const std::string& key) const {
  const Json* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_string()) fail(key, "is not a string");
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

std::vector<const Json*> JsonFacts::items(const std::string& key, std::size_t most) const {
  const Json* value = find(key);
  if (value == nullptr) return {};
  // Configurations write one item without a list, for example a single end-of-text token.
  if (!value->is_array()) return {value};
  // The limit keeps a malformed file from making millions of values.
  if (value->size() > most) {
    fail(key, format("has {} items, expected at most {}", value->size(), most));
  }
  std::vector<const Json*> found;
  for (const Json& item : *value) found.push_back(&item);
  return found;
}

std::vector<std::int64_t> JsonFacts::integers(const std::string& key, std::size_t most, int low,
                                              int high) const {
  std::vector<std::int64_t> values;
  for (const Json* item : items(key, most)) {
    values.push_back(checked_integer(key, *item, low, high));
  }
  return values;
}

std::vector<double> JsonFacts::numbers(const std::string& key, std::size_t most, double low,
                                       double high) const {
  std::vector<double> values;
  for (const Json* item : items(key, most)) {
    values.push_back(checked_number(key, *item, low, high));
  }
  return values;
}

std::vector<std::string> JsonFacts::texts(const std::string& key, std::size_t most) const {
  std::vector<std::string> values;
  for (const Json* item : items(key, most)) {
    if (!item->is_string()) fail(key, "contains something other than a string");
    values.push_back(item->get<std::string>());
  }
  return values;
}

JsonFacts JsonFacts::object(const std::string& key) const {
  const Json& value = present(key);
  if (!value.is_object()) fail(key, "is not an object");
  JsonFacts facts = *this;
  // Errors then name the complete path of a key, for example "text_config.hidden_size".
  facts.prefix_ += key + ".";
  facts.json_ = &value;
  return facts;
}

JsonFacts JsonFacts::with_defaults(const Json& defaults) const {
  Json merged = defaults;
  for (const auto& [key, value] : json_->items()) {
    // A null does not replace a default, because null means an absent key here.
    if (!value.is_null()) merged[key] = value;
  }
  JsonFacts facts(path_, std::move(merged));
  facts.prefix_ = prefix_;
  return facts;
}

// Configurations of models with vision have the facts of the text model in an object of its own,
// those of text models at the top.
JsonFacts JsonFacts::object_or_self(const std::string& key) const {
  return has(key) ? object(key) : *this;
}

}  // namespace fineprint::models
