// Reads the fields of items, and reports their problems.
#include "metrics/scorers/items.h"

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "metrics/python/expression.h"

namespace fineprint::metrics {
namespace {

// Returns the field. Unlike in `listed`, null counts as present.
const Json& present(const Json& item, const char* field) {
  if (!item.is_object()) throw Error(ErrorCode::input, "an item must be a JSON object");
  const auto found = item.find(field);
  if (found == item.end()) refuse_field(field, "is missing");
  return *found;
}

const Json& present_list(const Json& item, const char* field) {
  const Json& list = present(item, field);
  if (!list.is_array()) refuse_field(field, format("must be a list, not {}", list.type_name()));
  return list;
}

}  // namespace

void refuse_field(const char* field, const std::string& why) {
  throw Error(ErrorCode::input, format("field '{}' {}", field, why));
}

python::Value value_of(const Json& item, const char* field) {
  return python::value_of_json(present(item, field));
}

// The evaluators call str() on answers, so numbers and lists are accepted.
std::string text_of(const Json& item, const char* field) {
  return python::str(value_of(item, field));
}

std::vector<std::string> texts_of(const Json& item, const char* field) {
  std::vector<std::string> texts;
  for (const Json& text : present_list(item, field)) {
    texts.push_back(python::str(python::value_of_json(text)));
  }
  return texts;
}

std::vector<std::int64_t> numbers_of(const Json& item, const char* field) {
  std::vector<std::int64_t> numbers;
  for (const Json& number : present_list(item, field)) {
    if (!number.is_number_integer()) refuse_field(field, "must list whole numbers");
    numbers.push_back(number.get<std::int64_t>());
  }
  return numbers;
}

std::vector<std::string> listed(const Json& item, const char* field) {
  const auto found = item.find(field);
  if (found == item.end() || found->is_null()) return {};
  python::Value value = python::value_of_json(*found);
  if (value.kind == python::Value::Kind::text) {
    try {
      // The published data sets contain lists as Python wrote them.
      value = python::evaluate(value.text);
    } catch (const python::Exception& error) {
      refuse_field(field, format("is not a list: {}", error.what()));
    }
  }
  if (!value.is_list()) refuse_field(field, "is not a list");
  std::vector<std::string> texts;
  for (const python::Value& one : value.items) texts.push_back(python::str(one));
  return texts;
}

std::string optional_text(const Json& item, const char* field) {
  const auto found = item.find(field);
  if (found == item.end() || found->is_null()) return "";
  return python::str(python::value_of_json(*found));
}

}  // namespace fineprint::metrics
