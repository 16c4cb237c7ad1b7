// Detects languages.
#include "fineprint/text/language.h"

#include <algorithm>
#include <cstdio>  // which CLD2's header takes for granted
#include <iterator>
#include <map>
#include <set>

#include <cld2/public/compact_lang_det.h>
#include <cld2/public/encodings.h>
#include <unicode/locid.h>
#include <unicode/uscript.h>

#include "fineprint/core/unicode.h"
#include "fineprint/text/terms.h"

#include "text/language_words.h"

namespace fineprint::text {
namespace {

// The thresholds for trusting CLD2: this share of the text, in per cent, and this many bytes of it.
constexpr int kLeastPercent = 60;
constexpr int kLeastBytes = 60;

// Returns the code of two letters if there is one. Replaces the old code of Hebrew, and drops the
// script of Chinese, which makes no difference here.
std::string iso_code(CLD2::Language language) {
  const std::string code = CLD2::LanguageCode(language);
  if (code == "iw") return "he";
  return code.substr(0, code.find('-'));
}

// Returns the folded words, split at everything that is not a letter.
std::vector<std::string> letters_words(std::string_view text) {
  const std::string folded = fold(text);
  std::vector<std::string> words;
  std::string word;
  for (std::size_t at = 0; at < folded.size();) {
    const char32_t c = next_code_point(folded, &at);
    if (is_letter(c)) append_utf8(c, &word);
    if (!is_letter(c) || at == folded.size()) {
      if (!word.empty()) words.push_back(word);
      word.clear();
    }
  }
  return words;
}

// Returns the language that a script alone determines, usually the one with most speakers; "" if
// none.
std::string language_of_script(UScriptCode script) {
  switch (script) {
    case USCRIPT_HAN:
      return "zh";
    case USCRIPT_HIRAGANA:
    case USCRIPT_KATAKANA:
      return "ja";
    case USCRIPT_HANGUL:
      return "ko";
    case USCRIPT_ARABIC:
      return "ar";
    case USCRIPT_THAI:
      return "th";
    case USCRIPT_GREEK:
      return "el";
    case USCRIPT_HEBREW:
      return "he";
    case USCRIPT_CYRILLIC:
      return "ru";
    case USCRIPT_DEVANAGARI:
      return "hi";
    default:
      return "";
  }
}

// Counts the letters of each script. An ideograph counts as three letters, because it says as much
// as several.
std::map<UScriptCode, std::size_t> count_scripts(std::string_view text) {
  constexpr std::size_t kLettersOfIdeograph = 3;
  std::map<UScriptCode, std::size_t> counts;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = next_code_point(text, &at);
    UErrorCode status = U_ZERO_ERROR;
    if (!is_letter(c)) continue;
    counts[uscript_getScript(static_cast<UChar32>(c), &status)] +=
        is_han_or_kana(c) ? kLettersOfIdeograph : 1;
  }
  return counts;
}

// Returns the language by the question's main script; "" for Latin letters. Han characters do not
// count if there are kana, because Japanese uses both. If several languages share the script, a
// stored language is preferred.
std::string language_by_script(std::string_view question, std::span<const std::string> stored) {
  std::map<UScriptCode, std::size_t> counts = count_scripts(question);
  if (counts[USCRIPT_HIRAGANA] + counts[USCRIPT_KATAKANA] > 0) counts.erase(USCRIPT_HAN);
  if (counts.empty()) return "";
  const auto most =
      std::ranges::max_element(counts, {}, [](const auto& item) { return item.second; });
  if (most->second == 0 || most->first == USCRIPT_LATIN) return "";
  const auto shares_script = [&](const std::string& language) {
    return (most->first == USCRIPT_ARABIC && (language == "fa" || language == "ur")) ||
           (most->first == USCRIPT_CYRILLIC &&
            (language == "uk" || language == "bg" || language == "sr" || language == "mk" ||
             language == "be" || language == "kk"));
  };
  const std::string usual = language_of_script(most->first);
  if (std::ranges::find(stored, usual) != stored.end()) return usual;
  const auto other = std::ranges::find_if(stored, shares_script);
  return other == stored.end() ? usual : *other;
}

// Returns the language of which a short text has the most function words; "" if that is English, or
// if there are few of them. Each word counts once and needs two letters, because tables repeat
// units and abbreviations.
std::string language_by_words(std::string_view text) {
  constexpr std::ptrdiff_t kLeast = 2, kLeastShare = 7;  // one in seven different words
  std::set<std::string> words;
  for (std::string& word : letters_words(text)) {
    if (count_code_points(word) > 1) words.insert(std::move(word));
  }
  std::string best;
  auto most = std::max(kLeast - 1, std::ranges::count_if(words, [](const std::string& word) {
                         return is_stop_word(word);
                       }));
  for (const LanguageWords& listed : listed_languages()) {
    const auto votes = std::ranges::count_if(
        words, [&](const std::string& word) { return listed.function.contains(word); });
    if (votes <= most || votes * kLeastShare < std::ssize(words)) continue;
    most = votes;
    best = listed.language;
  }
  return best;
}

}  // namespace

bool is_english(std::string_view language) { return language.empty() || language == "en"; }

std::string language_name(const std::string& language) {
  icu::UnicodeString name;
  icu::Locale(language.c_str()).getDisplayLanguage(icu::Locale::getEnglish(), name);
  std::string out;
  name.toUTF8String(out);
  return out.empty() ? language : out;
}

std::string detect_language(std::string_view utf8) {
  // Folded because PDFs may contain the presentation forms of Arabic letters, which CLD2 does not
  // know.
  const std::string text = fold(utf8);
  CLD2::CLDHints no_hints{nullptr, nullptr, CLD2::UNKNOWN_ENCODING, CLD2::UNKNOWN_LANGUAGE};
  CLD2::Language best[3];
  int percent[3];
  double score[3];
  int bytes = 0, valid = 0;
  bool reliable = false;
  CLD2::ExtDetectLanguageSummaryCheckUTF8(text.data(), static_cast<int>(text.size()), true,
                                          &no_hints, 0, best, percent, score, nullptr, &bytes,
                                          &reliable, &valid);
  const bool is_certain = reliable && best[0] != CLD2::UNKNOWN_LANGUAGE &&
                          percent[0] >= kLeastPercent && bytes >= kLeastBytes;
  return is_certain ? iso_code(best[0]) : "";
}

void tell_languages(std::vector<Page>* pages) {
  std::map<std::string, std::size_t> letters;  // of the pages whose language was detected
  for (Page& page : *pages) {
    const std::string text = page_text(page);
    page.language = detect_language(text);
    if (!page.language.empty()) letters[page.language] += text.size();
  }
  std::string usual;
  if (!letters.empty()) {
    usual =
        std::ranges::max_element(letters, {}, [](const auto& item) { return item.second; })->first;
  }
  for (Page& page : *pages) {
    if (!page.language.empty()) continue;
    const std::string text = page_text(page);
    page.language = language_by_script(text, std::span(&usual, usual.empty() ? 0 : 1));
    // In Latin letters, short pages get the language of most of the text.
    if (page.language.empty()) page.language = usual;
    if (!page.language.empty()) continue;
    page.language = language_by_words(text);
  }
}

std::string question_language(std::string_view question, std::span<const std::string> stored) {
  const std::string by_script = language_by_script(question, stored);
  if (!by_script.empty()) return by_script;
  const std::vector<std::string> words = letters_words(question);
  const auto count = [&](const auto& holds) { return std::ranges::count_if(words, holds); };
  const auto english = count([](const std::string& word) { return is_stop_word(word); });
  std::string best = "en";
  auto most = english;
  for (const LanguageWords& listed : listed_languages()) {
    const auto votes = count([&](const std::string& word) {
      return listed.function.contains(word) || listed.asking.contains(word);
    });
    const bool is_stored = std::ranges::find(stored, listed.language) != stored.end();
    // A single word is weak evidence: "die" is English too. It counts only if the store has that
    // language.
    if (votes > most && votes >= (is_stored ? 1 : 2)) {
      most = votes;
      best = listed.language;
    }
  }
  if (most == 0 && stored.size() == 1) return stored.front();
  return best;
}

}  // namespace fineprint::text
