// Reads the fields of a JSON object.
#include "server/fields.h"

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/shortened.h"
#include "fineprint/core/text.h"

#include "server/refusal.h"

namespace fineprint::server {
namespace {

constexpr int kDeepest = 20;
constexpr std::size_t kMostNameBytes = 60;

// The depth is limited, because requests come from strangers.
Json object_of(std::string_view text, std::string_view what) {
  Json object = parse_json(text, what, {.max_depth = kDeepest});
  if (!object.is_object()) {
    throw Refusal(400, format("{}: expected a JSON object, not {}", what, object.type_name()));
  }
  return object;
}

}  // namespace

const Json* member(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

const std::string& text_member(const Json& object, const std::string& path, const char* name) {
  const Json* given = member(object, name);
  if (given == nullptr) throw refused_field(path + name, "is missing");
  if (!given->is_string()) {
    throw refused_field(path + name, format("must be a string, not {}", given->type_name()));
  }
  return given->get_ref<const std::string&>();
}

Fields::Fields(std::string_view text, std::string_view what) : object_(object_of(text, what)) {}

const Json* Fields::value(const char* name) {
  known_.insert(name);
  return member(object_, name);
}

const Json* Fields::list(const char* name) {
  const Json* given = value(name);
  if (given != nullptr && !given->is_array()) {
    throw refused_field(name, format("must be a list, not {}", given->type_name()));
  }
  return given;
}

const Json* Fields::object(const char* name) {
  const Json* given = value(name);
  if (given != nullptr && !given->is_object()) {
    throw refused_field(name, format("must be an object, not {}", given->type_name()));
  }
  return given;
}

std::string Fields::text(const char* name) {
  value(name);
  return text_member(object_, "", name);
}

// A field that is null counts as missing, because many clients send null for options that they
// leave out.
std::string Fields::text_or(const char* name, std::string otherwise) {
  return value(name) == nullptr ? std::move(otherwise) : text(name);
}

bool Fields::flag(const char* name, bool otherwise) {
  const Json* given = value(name);
  if (given == nullptr) return otherwise;
  if (!given->is_boolean()) throw refused_field(name, "must be true or false");
  return given->get<bool>();
}

std::optional<std::int64_t> Fields::whole(const char* name, std::int64_t least, std::int64_t most) {
  const Json* given = value(name);
  if (given == nullptr) return std::nullopt;
  const double near = given->is_number() ? given->get<double>() : 0;
  // Clients in JavaScript and Python may send 3.0 for 3.
  const bool is_whole =
      given->is_number() &&
      near == static_cast<double>(static_cast<long>(near > 9e15 || near < -9e15 ? 0 : near));
  if (!is_whole || near < static_cast<double>(least) || near > static_cast<double>(most)) {
    throw refused_field(name, format("must be a whole number from {} to {}", least, most));
  }
  return static_cast<std::int64_t>(near);
}

// A value of another type becomes one below the range, so that one check refuses both.
std::optional<double> Fields::number(const char* name, double least, double most) {
  const Json* given = value(name);
  if (given == nullptr) return std::nullopt;
  const double number = given->is_number() ? given->get<double>() : least - 1;
  if (!(number >= least && number <= most)) {
    throw refused_field(name, format("must be a number from {} to {}", least, most));
  }
  return number;
}

std::vector<std::string> Fields::texts(const char* name) {
  const Json* given = value(name);
  if (given == nullptr) return {};
  if (given->is_string()) return {given->get<std::string>()};
  if (!given->is_array()) {
    throw refused_field(name, format("must be a list of strings, not {}", given->type_name()));
  }
  std::vector<std::string> all;
  for (const Json& one : *given) {
    if (!one.is_string()) throw refused_field(name, "must be a list of strings");
    all.push_back(one.get<std::string>());
  }
  return all;
}

// All known fields are listed, because a misspelt name is the usual reason.
void Fields::end() const {
  for (const auto& [name, ignored] : object_.items()) {
    if (known_.contains(name)) continue;
    throw Refusal(400, format("there is no field '{}'; the fields are: {}",
                              shortened(name, kMostNameBytes), join_texts(known_, ", ")));
  }
}

}  // namespace fineprint::server
