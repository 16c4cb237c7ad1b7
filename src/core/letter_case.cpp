// Changes letter case with ICU. ASCII text takes a short cut, because most text is ASCII.
#include "fineprint/core/letter_case.h"

#include <algorithm>
#include <cstdint>

#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

namespace fineprint {
namespace {

bool has_only_ascii(std::string_view bytes) {
  return std::ranges::all_of(bytes, [](char c) { return (c & 0x80) == 0; });
}

icu::UnicodeString icu_text(std::string_view utf8) {
  return icu::UnicodeString::fromUTF8(
      icu::StringPiece(utf8.data(), static_cast<std::int32_t>(utf8.size())));
}

}  // namespace

std::string lower_case(std::string_view utf8) {
  std::string out;
  if (!has_only_ascii(utf8)) {
    // The root locale: in Turkish, for example, "I" would become a dotless i.
    return icu_text(utf8).toLower(icu::Locale::getRoot()).toUTF8String(out);
  }
  out = utf8;
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::string upper_case(std::string_view utf8) {
  std::string out;
  if (!has_only_ascii(utf8)) {
    return icu_text(utf8).toUpper(icu::Locale::getRoot()).toUTF8String(out);
  }
  out = utf8;
  for (char& c : out) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return out;
}

int digit_value(char32_t c) {
  if (c < 0x80) return c >= '0' && c <= '9' ? static_cast<int>(c - '0') : -1;
  return u_charDigitValue(static_cast<UChar32>(c));
}

}  // namespace fineprint
