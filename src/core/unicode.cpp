// Small Unicode functions on UTF-8 text, done by ICU.
#include "fineprint/core/unicode.h"

#include <algorithm>

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint {
namespace {

constexpr char32_t kReplacementCharacter = 0xFFFD;

bool is_all_ascii(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](char c) { return (c & 0x80) == 0; });
}

// Returns the bytes of a sequence with this first byte; 0 if no sequence starts with it.
int sequence_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  // 0xC0 and 0xC1 would only begin overlong forms of ASCII.
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if ((lead & 0xF0) == 0xE0) return 3;
  if (lead >= 0xF0 && lead <= 0xF4) return 4;
  return 0;
}

// Rejects overlong forms, surrogates and values above U+10FFFF.
bool is_well_formed(char32_t c, int length) {
  if (length == 3) return c >= 0x800 && !(c >= 0xD800 && c <= 0xDFFF);
  if (length == 4) return c >= 0x10000 && c <= 0x10FFFF;
  return true;
}

// Returns the plain form of typographic quotes, dashes and blanks; other characters are unchanged.
char32_t plain(char32_t c) {
  if (c >= 0x2010 && c <= 0x2015) return '-';  // hyphens and dashes
  if (c >= 0x2018 && c <= 0x201B) return '\'';
  if (c >= 0x201C && c <= 0x201F) return '"';
  switch (c) {
    // Primes and modifier letters that texts use as apostrophes and quotes.
    case 0x2032:
    case 0x2035:
    case 0x02B9:
    case 0x02BB:
    case 0x02BC:
    case 0xB4:
    case '`':
      return '\'';
    case 0xAB:
    case 0xBB:
    case 0x2033:
    case 0x2036:
      return '"';
    case 0x2212:
    case 0x2043:
    case 0x2E3A:
    case 0x2E3B:
      return '-';
    default:
      return is_space(c) ? U' ' : c;
  }
}

std::string plain_text(std::string_view utf8) {
  std::string out;
  out.reserve(utf8.size());
  for (std::size_t at = 0; at < utf8.size();) append_utf8(plain(next_code_point(utf8, &at)), &out);
  return out;
}

const icu::Normalizer2& nfkc_casefold() {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* normalizer = icu::Normalizer2::getNFKCCasefoldInstance(status);
  if (U_FAILURE(status)) {
    throw Error(ErrorCode::internal, fineprint::format("ICU has no NFKC case folding data ({}): "
                                                       "reinstall libicu",
                                                       u_errorName(status)));
  }
  return *normalizer;
}

// What `fold` does to ASCII text, without ICU.
std::string fold_ascii(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    // The same replacements as plain() makes, so that both ways fold alike.
    if (c == '`') c = '\'';
    if (c == '\t' || c == '\n' || c == '\v' || c == '\f' || c == '\r') c = ' ';
  }
  return out;
}

}  // namespace

char32_t next_code_point(std::string_view utf8, std::size_t* at) {
  // After an error only one byte is skipped, so that a valid character after it is not lost.
  const auto lead = static_cast<unsigned char>(utf8[(*at)++]);
  if (lead < 0x80) return lead;
  const int length = sequence_length(lead);
  if (length == 0 || *at + length - 1 > utf8.size()) return kReplacementCharacter;
  char32_t c = lead & (0x7F >> length);
  for (int i = 0; i < length - 1; ++i) {
    const auto next = static_cast<unsigned char>(utf8[*at + i]);
    if ((next & 0xC0) != 0x80) return kReplacementCharacter;
    c = (c << 6) | (next & 0x3F);
  }
  if (!is_well_formed(c, length)) return kReplacementCharacter;
  *at += length - 1;
  return c;
}

std::size_t count_code_points(std::string_view utf8) {
  return static_cast<std::size_t>(std::ranges::count_if(
      utf8, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

void append_utf8(char32_t c, std::string* out) {
  if (c < 0x80) {
    out->push_back(static_cast<char>(c));
  } else if (c < 0x800) {
    out->push_back(static_cast<char>(0xC0 | (c >> 6)));
    out->push_back(static_cast<char>(0x80 | (c & 0x3F)));
  } else if (c < 0x10000) {
    out->push_back(static_cast<char>(0xE0 | (c >> 12)));
    out->push_back(static_cast<char>(0x80 | ((c >> 6) & 0x3F)));
    out->push_back(static_cast<char>(0x80 | (c & 0x3F)));
  } else {
    out->push_back(static_cast<char>(0xF0 | (c >> 18)));
    out->push_back(static_cast<char>(0x80 | ((c >> 12) & 0x3F)));
    out->push_back(static_cast<char>(0x80 | ((c >> 6) & 0x3F)));
    out->push_back(static_cast<char>(0x80 | (c & 0x3F)));
  }
}

std::string valid_utf8(std::string_view bytes) {
  // Most texts are ASCII, which is always valid.
  if (is_all_ascii(bytes)) return std::string(bytes);
  std::string out;
  out.reserve(bytes.size());
  for (std::size_t at = 0; at < bytes.size();) append_utf8(next_code_point(bytes, &at), &out);
  return out;
}

std::string fold(std::string_view utf8) {
  if (is_all_ascii(utf8)) return fold_ascii(utf8);
  // Quotes are replaced before NFKC too, because it would turn an acute accent into a blank and a
  // mark.
  const std::string valid = plain_text(utf8);
  std::string folded;
  icu::StringByteSink<std::string> sink(&folded);
  UErrorCode status = U_ZERO_ERROR;
  nfkc_casefold().normalizeUTF8(0, icu::StringPiece(valid.data(), static_cast<int>(valid.size())),
                                sink, nullptr, status);
  if (U_FAILURE(status)) {
    throw Error(ErrorCode::internal, fineprint::format("ICU cannot fold a text of {} bytes: {}",
                                                       valid.size(), u_errorName(status)));
  }
  // A second time, because NFKC turns some characters into quotes, dashes and blanks.
  return plain_text(folded);
}

std::string folded_letters(std::string_view utf8) {
  const std::string folded = fold(utf8);
  std::string out;
  for (std::size_t at = 0; at < folded.size();) {
    const char32_t c = next_code_point(folded, &at);
    if (is_letter_or_digit(c)) append_utf8(c, &out);
  }
  return out;
}

std::string composed_name(std::string_view name) {
  if (is_all_ascii(name) || valid_utf8(name) != name) return std::string(name);
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* nfc = icu::Normalizer2::getNFCInstance(status);
  std::string out;
  icu::StringByteSink<std::string> sink(&out);
  if (U_SUCCESS(status)) {
    nfc->normalizeUTF8(0, icu::StringPiece(name.data(), static_cast<int>(name.size())), sink,
                       nullptr, status);
  }
  return U_SUCCESS(status) ? out : std::string(name);
}

std::string one_line(std::string_view utf8) {
  std::string out;
  for (std::size_t at = 0; at < utf8.size();) {
    const char32_t c = next_code_point(utf8, &at);
    if (!is_space(c)) {
      append_utf8(c, &out);
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  if (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

bool is_letter(char32_t c) {
  if (c < 0x80) return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  // Marks count as letters, because a word in decomposed form has them inside.
  return (U_GET_GC_MASK(static_cast<UChar32>(c)) & (U_GC_L_MASK | U_GC_M_MASK)) != 0;
}

bool is_digit(char32_t c) {
  if (c < 0x80) return c >= '0' && c <= '9';
  return u_charType(static_cast<UChar32>(c)) == U_DECIMAL_DIGIT_NUMBER;
}

bool is_space(char32_t c) {
  if (c < 0x80) return c == ' ' || (c >= '\t' && c <= '\r');
  return u_isUWhiteSpace(static_cast<UChar32>(c));
}

bool is_han_or_kana(char32_t c) {
  // The long-vowel mark is shared by both kana scripts.
  constexpr char32_t kFirst = 0x2E80, kLongVowel = 0x30FC;
  if (c < kFirst) return false;
  UErrorCode status = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(static_cast<UChar32>(c), &status);
  return script == USCRIPT_HAN || script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA ||
         c == kLongVowel;
}

}  // namespace fineprint
