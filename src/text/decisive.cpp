// Finds numbers, negations and other decisive parts of a text.
#include "text/decisive.h"

#include <algorithm>
#include <array>
#include <string>

#include "fineprint/core/unicode.h"

namespace fineprint::text {
namespace {

// Marks that belong to a number when they touch it: a wrong sign or unit makes the quote wrong.
constexpr std::u32string_view kBeforeNumber = U"+-\u00B1~<>\u2264\u2265$\u20AC\u00A3\u00A5\u20B9";
constexpr std::u32string_view kAfterNumber = U"%\u2030\u00B0";
constexpr std::u32string_view kInNumber = U".,'";

// Words that change a statement completely. Sorted for the binary search.
constexpr std::string_view kDecisiveWords[] = {
    "above",     "after",     "all",      "apr",       "aug",    "before",  "below",   "billion",
    "billions",  "bn",        "cannot",   "dec",       "down",   "dozen",   "east",    "eu",
    "except",    "excluding", "feb",      "fell",      "female", "fewer",   "first",   "gain",
    "gains",     "gross",     "hardly",   "high",      "higher", "highest", "hundred", "jan",
    "jul",       "jun",       "last",     "least",     "less",   "loss",    "losses",  "low",
    "lower",     "lowest",    "male",     "mar",       "max",    "may",     "men",     "million",
    "millions",  "min",       "minus",    "mio",       "mn",     "more",    "most",    "mrd",
    "neither",   "net",       "never",    "no",        "nobody", "none",    "nor",     "north",
    "not",       "nothing",   "nov",      "oct",       "only",   "over",    "percent", "plus",
    "profit",    "profits",   "rose",     "second",    "sep",    "south",   "third",   "thousand",
    "thousands", "tn",        "trillion", "trillions", "uk",     "up",      "us",      "west",
    "without",   "women",
};
// Prefixes that reverse a meaning.
constexpr std::string_view kBeginnings[] = {"un", "non", "in", "im", "il", "ir", "dis"};
// The fewest letters after such a prefix: "unit" negates nothing.
constexpr std::size_t kLeastRest = 3;
// Longer words are never in the list.
constexpr std::size_t kLongestWord = 24;

static_assert(std::ranges::is_sorted(kDecisiveWords));

bool is_one_of(char32_t c, std::u32string_view set) {
  return set.find(c) != std::u32string_view::npos;
}

class Parts {
 public:
  explicit Parts(const QuoteForm& form) : form_(form), glyphs_(form.glyphs) {}

  std::vector<Decisive> find() {
    for (std::size_t at = 0; at < glyphs_.size();) {
      if (is_digit(glyphs_[at])) {
        at = take_number(at);
      } else if (is_letter(glyphs_[at])) {
        at = take_word(at);
      } else {
        ++at;
      }
    }
    return std::move(parts_);
  }

 private:
  // Returns true if glyph `at` exists and belongs to the same word as the one before.
  bool goes_on(std::size_t at) const { return at < glyphs_.size() && form_.gap[at] == 0; }
  bool letter_goes_on(std::size_t at) const { return goes_on(at) && is_letter(glyphs_[at]); }

  // Returns the end of the digits, including marks between two digits: "1,234.5" is one number.
  std::size_t digits_end(std::size_t at) const {
    ++at;
    while (goes_on(at)) {
      if (is_digit(glyphs_[at])) {
        ++at;
      } else if (is_one_of(glyphs_[at], kInNumber) && goes_on(at + 1) &&
                 is_digit(glyphs_[at + 1])) {
        at += 2;
      } else {
        break;
      }
    }
    return at;
  }

  // Signs and currencies before the number, but nothing that belongs to the part before.
  std::size_t before_marks(std::size_t begin) const {
    const std::size_t least = parts_.empty() ? 0 : parts_.back().end;
    while (begin > least && is_one_of(glyphs_[begin - 1], kBeforeNumber)) --begin;
    return begin;
  }

  std::size_t take_number(std::size_t at) {
    std::size_t begin = before_marks(at);
    std::size_t end = digits_end(at);
    while (letter_goes_on(end)) ++end;
    while (end < glyphs_.size() && is_one_of(glyphs_[end], kAfterNumber)) ++end;
    const std::size_t least = parts_.empty() ? 0 : parts_.back().end;
    // Accountants write a loss of 5 as (5), so the brackets are part of the number.
    if (begin > least && glyphs_[begin - 1] == '(' && end < glyphs_.size() && glyphs_[end] == ')') {
      begin = before_marks(begin - 1);
      ++end;
    }
    add(begin, end, end);
    return end;
  }

  std::size_t take_word(std::size_t begin) {
    std::size_t end = begin + 1;
    while (letter_goes_on(end) || (goes_on(end) && glyphs_[end] == '\'' && letter_goes_on(end + 1)))
      ++end;
    const std::size_t decisive = decisive_length(glyphs_.substr(begin, end - begin));
    if (decisive > 0) add(begin, end, begin + decisive);
    return end;
  }

  // Returns how many letters of the word are decisive; 0 if none are.
  static std::size_t decisive_length(std::u32string_view word) {
    std::array<char, kLongestWord> bytes;
    // The list has only ASCII words, so other words need no look-up.
    if (word.size() > bytes.size()) return 0;
    for (std::size_t i = 0; i < word.size(); ++i) {
      if (word[i] >= 128) return 0;
      bytes[i] = static_cast<char>(word[i]);
    }
    const std::string_view text(bytes.data(), word.size());
    if (std::ranges::binary_search(kDecisiveWords, text) || text.ends_with("n't"))
      return text.size();
    for (const std::string_view beginning : kBeginnings) {
      if (text.size() >= beginning.size() + kLeastRest && text.starts_with(beginning)) {
        return beginning.size();
      }
    }
    return 0;
  }

  void add(std::size_t begin, std::size_t end, std::size_t text_end) {
    parts_.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end),
                      static_cast<std::uint32_t>(text_end)});
  }

  const QuoteForm& form_;
  std::u32string_view glyphs_;
  std::vector<Decisive> parts_;
};

}  // namespace

std::vector<Decisive> decisive_parts(const QuoteForm& form) { return Parts(form).find(); }

}  // namespace fineprint::text
