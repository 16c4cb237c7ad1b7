// Checked conversions between JSON values and the parts of records.
#include "core/record_json.h"

#include <charconv>
#include <cmath>
#include <limits>

#include "fineprint/core/format.h"

namespace fineprint::record {

Json parse_object(std::string_view json_line) {
  Json object = parse_json(json_line, "record");
  if (!object.is_object()) {
    throw Error(ErrorCode::input, format("expected a JSON object, not {}", object.type_name()));
  }
  return object;
}

void throw_field(std::string_view name, std::string_view why) {
  throw Error(ErrorCode::input, format("field '{}' {}", name, why));
}

const Json* find(const Json& object, const char* name) {
  const auto found = object.find(name);
  // Null counts as absent, because other programs write it for missing values.
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

const Json& need(const Json& object, const char* name) {
  const Json* value = find(object, name);
  if (value == nullptr) throw_field(name, "is missing");
  return *value;
}

std::string to_string(const Json& value, std::string_view name) {
  if (!value.is_string()) throw_field(name, format("must be a string, not {}", value.type_name()));
  return value.get<std::string>();
}

double to_number(const Json& value, std::string_view name) {
  if (!value.is_number()) throw_field(name, format("must be a number, not {}", value.type_name()));
  return value.get<double>();
}

std::int64_t to_count(const Json& value, std::string_view name) {
  // JSON integers may be signed or unsigned in the library; those above the int64 range do not fit.
  const bool fits = value.is_number_integer() &&
                    !(value.is_number_unsigned() &&
                      value.get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max());
  if (!fits || value.get<std::int64_t>() < 0) throw_field(name, "must be an integer of at least 0");
  return value.get<std::int64_t>();
}

bool to_bool(const Json& value, std::string_view name) {
  if (!value.is_boolean()) throw_field(name, "must be true or false");
  return value.get<bool>();
}

const Json& to_array(const Json& value, std::string_view name) {
  if (!value.is_array()) throw_field(name, format("must be a list, not {}", value.type_name()));
  return value;
}

int to_page(const Json& value, std::string_view name) {
  if (!value.is_number_integer()) throw_field(name, "must hold integers, counted from 1");
  const std::int64_t page = to_count(value, name);
  if (page < 1 || page > std::numeric_limits<int>::max()) {
    throw_field(name, format("holds page {}; pages count from 1", page));
  }
  return static_cast<int>(page);
}

PageRef to_page_ref(const Json& value, std::string_view name) {
  if (!value.is_object()) throw_field(name, "must hold objects with doc and page");
  return {to_string(need(value, "doc"), "doc"), to_page(need(value, "page"), "page")};
}

std::vector<Box> to_boxes(const Json& value, std::string_view name) {
  std::vector<Box> boxes;
  for (const Json& sides : to_array(value, name)) {
    if (!sides.is_array() || sides.size() != 4) {
      throw_field(name, "must hold lists of four numbers");
    }
    const auto side = [&](std::size_t i) {
      const double number = to_number(sides[i], name);
      // Converting a larger double to float is undefined behaviour.
      if (std::abs(number) > std::numeric_limits<float>::max()) {
        throw_field(name, "holds a number that is too large");
      }
      return static_cast<float>(number);
    };
    boxes.push_back({side(0), side(1), side(2), side(3)});
  }
  return boxes;
}

namespace {

// Returns the shortest decimal that reads back as the same float, so that 0.1f is written as 0.1
// and not as 0.10000000149.
Json short_number(float value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  double number = value;
  // nlohmann's writer prints a double with as many digits as it needs, so the double must be the
  // short one.
  std::from_chars(text, end, number);
  return number;
}

}  // namespace

Json from_boxes(const std::vector<Box>& boxes) {
  Json list = Json::array();
  for (const Box& box : boxes) {
    list.push_back(Json::array(
        {short_number(box.x0), short_number(box.y0), short_number(box.x1), short_number(box.y1)}));
  }
  return list;
}

}  // namespace fineprint::record
