// Normalises answers: punctuation, full stops, then word by word.
#include "metrics/scorers/vqa_words.h"

#include <algorithm>
#include <array>
#include <map>

#include "fineprint/core/letter_case.h"
#include "fineprint/core/unicode.h"

#include "metrics/python/text.h"
#include "metrics/scorers/token_f1.h"

namespace fineprint::metrics {
namespace {

// Returns the correct spelling of each contraction with one of its apostrophes missing.
std::map<std::string, std::string> make_contractions() {
  constexpr std::array kRight = {
      "ain't",         "aren't",       "can't",          "could've",    "couldn't",
      "didn't",        "doesn't",      "don't",          "hadn't",      "hasn't",
      "haven't",       "he'd",         "he's",           "how'd",       "how'll",
      "how's",         "isn't",        "it'd",           "it'll",       "ma'am",
      "mightn't",      "might've",     "mustn't",        "must've",     "needn't",
      "not've",        "o'clock",      "oughtn't",       "shan't",      "should've",
      "shouldn't",     "somebody'll",  "somebody's",     "someone'd",   "someone'll",
      "someone's",     "something'd",  "something'll",   "that's",      "there'd",
      "there're",      "there's",      "they'd",         "they'll",     "they're",
      "they've",       "'twas",        "wasn't",         "we've",       "weren't",
      "what'll",       "what're",      "what's",         "what've",     "when's",
      "where'd",       "where's",      "where've",       "who'd",       "who'll",
      "who's",         "who've",       "why'll",         "why're",      "why's",
      "won't",         "would've",     "wouldn't",       "y'all",       "you'd",
      "you'll",        "you're",       "you've",         "couldn't've", "hadn't've",
      "he'd've",       "it'd've",      "mightn't've",    "she'd've",    "shouldn't've",
      "somebody'd've", "someone'd've", "something'd've", "there'd've",  "they'd've",
      "we'd've",       "who'd've",     "wouldn't've",    "y'all'll",    "you'd've",
      "'ow's'at",      "y'all'd've"};
  std::map<std::string, std::string> out;
  for (const std::string right : kRight) {
    for (std::size_t at = right.find('\''); at != std::string::npos;
         at = right.find('\'', at + 1)) {
      out[std::string(right).erase(at, 1)] = right;
    }
  }
  out["somebody'd"] = "somebodyd";  // the published table has this one the wrong way round
  return out;
}

bool has_thousands_comma(std::string_view text) {
  const std::u32string all = python::code_points(text);
  for (std::size_t i = 1; i + 1 < all.size(); ++i) {
    if (all[i] == ',' && digit_value(all[i - 1]) >= 0 && digit_value(all[i + 1]) >= 0) return true;
  }
  return false;
}

void replace_all(std::string* text, char mark, std::string_view by) {
  std::string out;
  for (const char c : *text) {
    if (c == mark) {
      out += by;
    } else {
      out += c;
    }
  }
  *text = std::move(out);
}

bool touches_blank(const std::string& text, char mark) {
  return text.find(std::string{mark, ' '}) != std::string::npos ||
         text.find(std::string{' ', mark}) != std::string::npos;
}

std::string without_marks(const std::string& text) {
  constexpr std::string_view kMarks = ";/[]\"{}()=+\\_-><@`,?!";
  const bool thousands = has_thousands_comma(text);
  std::string out = text;
  // The VQA code deletes a mark next to a blank, and replaces others by a blank. A comma between
  // digits makes it delete every mark.
  for (const char mark : kMarks) {
    replace_all(&out, mark, thousands || touches_blank(text, mark) ? "" : " ");
  }
  return out;
}

// Deletes full stops. The published code passes a flag where a count belongs, so only the first 32
// are deleted.
std::string without_stops(const std::string& text) {
  constexpr int kMostStops = 32;
  std::string out;
  int deleted = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::size_t next = i + 1;
    // A point before a digit is a decimal point.
    const bool before_digit = next < text.size() && digit_value(next_code_point(text, &next)) >= 0;
    if (text[i] == '.' && !before_digit && deleted < kMostStops) {
      ++deleted;
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace

std::string vqa_normalised(std::string_view raw, bool keep_signs) {
  static const std::map<std::string, std::string> contractions = make_contractions();
  static const std::map<std::string, std::string> numbers = {
      {"none", "0"}, {"zero", "0"}, {"one", "1"},   {"two", "2"},   {"three", "3"}, {"four", "4"},
      {"five", "5"}, {"six", "6"},  {"seven", "7"}, {"eight", "8"}, {"nine", "9"},  {"ten", "10"}};
  std::string text(raw);
  std::ranges::replace(text, '\n', ' ');
  std::ranges::replace(text, '\t', ' ');
  text = python::strip(text);
  const bool negative =
      keep_signs && text.size() > 1 && text[0] == '-' && digit_value(text[1]) >= 0;
  std::string out = negative ? "-" : "";
  const std::string plain = lower_case(without_stops(without_marks(text)));
  bool first = true;
  for (std::string word : words_of(plain)) {
    // Numbers first, then articles, then contractions, as in the published code.
    if (const auto number = numbers.find(word); number != numbers.end()) word = number->second;
    if (word == "a" || word == "an" || word == "the") continue;
    if (const auto right = contractions.find(word); right != contractions.end()) {
      word = right->second;
    }
    if (!first) out += ' ';
    out += word;
    first = false;
  }
  return out;
}

}  // namespace fineprint::metrics
