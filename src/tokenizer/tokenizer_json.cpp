// Reads fields and reports their problems.
#include "tokenizer/tokenizer_json.h"

#include <limits>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::tokenizer {

std::string in_quotes(std::string_view text) {
  // Long enough to recognise a token, short enough for one line.
  constexpr std::size_t kShown = 60;
  std::size_t end = std::min(text.size(), kShown);
  // Never cuts a UTF-8 character.
  while (end < text.size() && end > 0 && (text[end] & 0xC0) == 0x80) --end;
  std::string out = dump_json(Json(std::string(text.substr(0, end))));
  // Before the closing quote.
  if (end < text.size()) out.insert(out.size() - 1, "...");
  return out;
}

void Part::refuse(const std::string& reason) const {
  throw Error(ErrorCode::model, path_ + " " + reason);
}

void Part::refuse_type() const {
  const std::string found = type();
  if (found.empty()) refuse("has no type");
  refuse(fineprint::format("is of type {}, which is not supported", in_quotes(found)));
}

// A missing field becomes null, so that readers treat both in the same way.
Part Part::field(const char* name) const {
  static const Json kNull;
  const std::string path = path_.empty() ? name : path_ + "." + name;
  if (!value_->is_object()) refuse("must be an object");
  const auto found = value_->find(name);
  return {found == value_->end() ? kNull : *found, path};
}

std::vector<Part> Part::list() const {
  if (!value_->is_array()) refuse("must be a list");
  std::vector<Part> out;
  out.reserve(value_->size());
  for (const Json& item : *value_) {
    out.emplace_back(item, path_ + "[" + std::to_string(out.size()) + "]");
  }
  return out;
}

std::string Part::text() const {
  if (!value_->is_string()) refuse("must be a string");
  return value_->get<std::string>();
}

std::string Part::text(const char* name, const char* otherwise) const {
  const Part part = field(name);
  return part.is_null() ? otherwise : part.text();
}

bool Part::flag(const char* name, bool otherwise) const {
  const Part part = field(name);
  if (part.is_null()) return otherwise;
  if (!part.value_->is_boolean()) part.refuse("must be true or false");
  return part.value_->get<bool>();
}

std::size_t Part::count(const char* name, std::optional<std::size_t> otherwise) const {
  const Part part = field(name);
  if (part.is_null() && otherwise) return *otherwise;
  if (!part.value_->is_number_unsigned()) part.refuse("must be a whole number of at least 0");
  return part.value_->get<std::size_t>();
}

std::int32_t Part::id() const {
  constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max());
  if (!value_->is_number_unsigned() || value_->get<std::uint64_t>() > kMax) {
    refuse("must be a token id, a whole number from 0 to 2147483647");
  }
  return value_->get<std::int32_t>();
}

}  // namespace fineprint::tokenizer
