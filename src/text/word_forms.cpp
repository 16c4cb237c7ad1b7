// Finds other forms of words by their script.
#include "text/word_forms.h"

#include <algorithm>
#include <array>

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/unicode.h"

namespace fineprint::text {
namespace {

using Forms = std::vector<std::string>;

// Particles, forms of the copula, and the plural. They may follow one another.
constexpr std::array<std::string_view, 54> kKoreanEndings = {
    "은",     "는",     "이",     "가",     "을",     "를",     "에",     "의",     "로",
    "와",     "과",     "도",     "만",     "들",     "나",     "랑",     "며",     "으로",
    "에서",   "에게",   "께서",   "한테",   "까지",   "부터",   "보다",   "처럼",   "마다",
    "조차",   "마저",   "이나",   "이랑",   "하고",   "밖에",   "대로",   "만큼",   "라도",
    "이며",   "이다",   "이고",   "였다",   "인가",   "이란",   "라는",   "로서",   "로써",
    "입니다", "이었다", "입니까", "인가요", "이라도", "이라는", "이라고", "으로서", "으로써"};
constexpr std::string_view kHebrewPrefixes = "והבלמשכ";
constexpr std::string_view kArabicPrefixes = "وفبلك";

UScriptCode script_at(std::string_view word, std::size_t at) {
  UErrorCode status = U_ZERO_ERROR;
  return uscript_getScript(static_cast<UChar32>(next_code_point(word, &at)), &status);
}

// Letters with a stroke, which Unicode does not decompose, and the dotless i.
std::string_view plain_letter(char32_t c) {
  switch (c) {
    case U'ø':
      return "o";
    case U'ł':
      return "l";
    case U'đ':
    case U'ð':
      return "d";
    case U'ħ':
      return "h";
    case U'ı':
      return "i";
    case U'æ':
      return "ae";
    case U'œ':
      return "oe";
    case U'þ':
      return "th";
    case U'ё':
      return "е";
    default:
      return {};
  }
}

std::string decomposed(std::string_view word) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* normalizer = icu::Normalizer2::getNFDInstance(status);
  std::string out;
  icu::StringByteSink<std::string> sink(&out);
  if (U_SUCCESS(status)) {
    normalizer->normalizeUTF8(0, icu::StringPiece(word.data(), static_cast<int>(word.size())), sink,
                              nullptr, status);
  }
  if (U_FAILURE(status)) {
    throw Error(ErrorCode::internal,
                fineprint::format("ICU cannot decompose a word ({}): reinstall libicu",
                                  u_errorName(status)));
  }
  return out;
}

std::string without_accents(std::string_view word) {
  std::string replaced;
  for (std::size_t at = 0; at < word.size();) {
    const char32_t c = next_code_point(word, &at);
    if (const std::string_view plain = plain_letter(c); !plain.empty()) {
      replaced += plain;
    } else {
      append_utf8(c, &replaced);
    }
  }
  const UScriptCode script = script_at(word, 0);
  if (script != USCRIPT_LATIN && script != USCRIPT_GREEK && script != USCRIPT_ARABIC &&
      script != USCRIPT_HEBREW) {
    return replaced;
  }
  std::string out;
  const std::string parts = decomposed(replaced);
  for (std::size_t at = 0; at < parts.size();) {
    const char32_t c = next_code_point(parts, &at);
    if (u_charType(static_cast<UChar32>(c)) != U_NON_SPACING_MARK) append_utf8(c, &out);
  }
  return out;
}

// Removes endings one by one, at most three, and adds each shorter form.
void append_without_particles(std::string_view word, Forms* out) {
  constexpr int kMostEndings = 3;
  constexpr std::size_t kSyllable = 3;  // bytes
  for (int i = 0; i < kMostEndings; ++i) {
    // A second ending must leave two syllables, so that few names lose their last one.
    const std::size_t least = (i == 0 ? 1 : 2) * kSyllable;
    std::size_t longest = 0;
    for (const std::string_view ending : kKoreanEndings) {
      if (ending.size() > longest && word.size() >= ending.size() + least &&
          word.ends_with(ending)) {
        longest = ending.size();
      }
    }
    if (longest == 0) return;
    word.remove_suffix(longest);
    out->emplace_back(word);
  }
}

// Adds "1931" and "1931년" for "1931년에".
void append_korean_forms(std::string_view word, Forms* out) {
  append_without_particles(word, out);
  const std::size_t digits = std::min(word.find_first_not_of("0123456789."), word.size());
  if (digits > 0) out->emplace_back(word.substr(0, digits));
}

// Removes a prefix of one letter of two bytes from words that keep three letters.
std::string_view without_prefix(std::string_view word, std::string_view prefixes) {
  constexpr std::size_t kLetter = 2, kLeast = 3 * kLetter;
  if (word.size() < kLetter + kLeast) return {};
  if (prefixes.find(word.substr(0, kLetter)) == std::string_view::npos) return {};
  return word.substr(kLetter);
}

void append_hebrew_forms(std::string_view word, Forms* out) {
  const std::string_view rest = without_prefix(word, kHebrewPrefixes);
  if (rest.empty()) return;
  out->emplace_back(rest);
  // "And" and "that" come before other prefixes.
  if (!word.starts_with("ו") && !word.starts_with("ש")) return;
  if (const auto bare = without_prefix(rest, kHebrewPrefixes); !bare.empty()) {
    out->emplace_back(bare);
  }
}

}  // namespace

std::vector<std::string> other_forms(std::string_view word) {
  Forms forms;
  if (std::ranges::all_of(word, [](char c) { return (c & 0x80) == 0; })) return forms;
  if (std::string plain = without_accents(word); plain != word) forms.push_back(std::move(plain));
  std::size_t last = word.size() - 1;
  while (last > 0 && (word[last] & 0xC0) == 0x80) --last;
  switch (script_at(word, last)) {
    case USCRIPT_HANGUL:
      append_korean_forms(word, &forms);
      break;
    case USCRIPT_HEBREW:
      append_hebrew_forms(word, &forms);
      break;
    case USCRIPT_ARABIC:
      // The article is left to the stemmer.
      if (const auto rest = without_prefix(word, kArabicPrefixes); !rest.empty()) {
        forms.emplace_back(rest);
      }
      break;
    default:
      break;
  }
  return forms;
}

}  // namespace fineprint::text
