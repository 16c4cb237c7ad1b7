// Judges raised characters by what they follow.
#include "pdf/marks.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "fineprint/core/superscripts.h"
#include "fineprint/core/unicode.h"

namespace fineprint::pdf {
namespace {

using Text = std::u32string_view;

constexpr float kSmaller = 0.87F;  // of the size of its neighbour; a raised character is smaller
constexpr float kRise = 0.12F;     // of the neighbour's size; the least of a smaller character
constexpr float kHighest = 0.9F;   // of the neighbour's size; a higher character is on another line

bool is_ascii_digit(char32_t c) { return c >= '0' && c <= '9'; }

bool is_among(Text word, std::initializer_list<Text> words) {
  return std::ranges::find(words, word) != words.end();
}

bool is_made_of(Text text, Text allowed) {
  return !text.empty() && text.find_first_not_of(allowed) == Text::npos;
}

// What raised characters are.
enum class Kind { plain, exponent, mark, fraction };

// Returns the letters at the end of a text.
Text last_letters(Text text) {
  std::size_t begin = text.size();
  while (begin > 0 && is_letter(text[begin - 1])) --begin;
  return text.substr(begin);
}

bool is_unit(Text word) {
  return is_among(word, {U"m", U"cm", U"mm", U"dm", U"km", U"µm", U"μm", U"nm", U"ft", U"in", U"yd",
                         U"mi", U"s", U"sec", U"ha"});
}

// Returns whether digits after "10" are its exponent: "3 × 10⁶" and "10⁻³", but not the tenth of
// something with note 1. Notes with higher numbers at exactly ten are rare.
bool is_power_of_ten(Text before, Text digits) {
  if (!before.ends_with(U"10")) return false;
  if (before.size() == 2) return digits.size() > 1 || digits[0] >= '3';
  const char32_t c = before[before.size() - 3];
  return c == 0xD7 || c == '*' || c == 'x' || c == 0xB7 || c == 0x22C5 || c == '-' || c == '(';
}

Kind kind_after_letters(Text before, Text digits) {
  const Text letters = last_letters(before);
  const bool small = digits.size() == 1 && digits[0] >= '2' && digits[0] <= '4';
  if (is_unit(letters)) return small ? Kind::exponent : Kind::mark;
  if (letters.size() == 1) return digits == U"1" || digits == U"0" ? Kind::mark : Kind::exponent;
  return small && is_among(letters, {U"sin", U"cos", U"tan", U"log", U"ln", U"sp"}) ? Kind::exponent
                                                                                    : Kind::mark;
}

// Returns whether a word begins like the symbol of an element, as in ¹⁴C.
bool begins_with_element(Text after) {
  std::size_t end = 0;
  while (end < after.size() && is_letter(after[end])) ++end;
  return (end == 1 || end == 2) && after[0] >= 'A' && after[0] <= 'Z' &&
         (end == 1 || (after[1] >= 'a' && after[1] <= 'z'));
}

Kind kind_of_digits(Text before, Text digits, Text after) {
  if (!after.empty() && (after[0] == '/' || after[0] == 0x2044)) {
    return before.empty() ? Kind::plain : Kind::fraction;
  }
  if (before.empty()) {
    return begins_with_element(after) && digits != U"1" ? Kind::exponent : Kind::mark;
  }
  const char32_t last = before.back();
  if (is_ascii_digit(last)) {
    return is_power_of_ten(before, digits) ? Kind::exponent : Kind::mark;
  }
  if (is_letter(last)) return kind_after_letters(before, digits);
  const bool is_term = last == ')' && before.find_first_of(U"+-−/=") != Text::npos;
  return is_term && (digits == U"2" || digits == U"3") ? Kind::exponent : Kind::mark;
}

Kind kind_of_letters(Text before, Text letters, Text after) {
  if (before.empty()) return letters.size() == 1 && after.empty() ? Kind::mark : Kind::plain;
  const bool one = std::ranges::all_of(letters, [&](char32_t c) { return c == letters[0]; });
  if (is_ascii_digit(before.back())) {
    const bool century = before.size() <= 2 && (letters == U"e" || letters == U"o");
    return one && !century ? Kind::mark : Kind::plain;
  }
  const Text base = last_letters(before);
  if (base.size() == 1 && letters.size() == 1) {
    return base[0] >= 'a' && base[0] <= 'z' ? Kind::exponent : Kind::plain;
  }
  return one && letters.size() == 1 ? Kind::mark : Kind::plain;
}

// Returns what raised text is, by the word's text before and after it.
Kind kind_of(Text before, Text raised, Text after) {
  if (is_made_of(raised, U"*†‡§¶‖#")) return Kind::mark;
  if (is_made_of(raised, U"0123456789")) return kind_of_digits(before, raised, after);
  if (is_made_of(raised, U"0123456789+-−–=")) {
    const bool any = raised.find_first_of(U"0123456789+") != Text::npos;
    return any && !before.empty() ? Kind::exponent : Kind::plain;
  }
  if (std::ranges::all_of(raised, [](char32_t c) { return is_letter(c) && c < 0x80; })) {
    return kind_of_letters(before, raised, after);
  }
  // "1,2", "(1)", "a)", "2*"
  const bool listed = std::ranges::all_of(raised, [](char32_t c) {
    return is_ascii_digit(c) || (c >= 'a' && c <= 'z') || is_made_of({&c, 1}, U",;()[]*†‡§");
  });
  return listed && raised.find_first_not_of(U",;()[]") != Text::npos ? Kind::mark : Kind::plain;
}

// Cuts one word.
class WordCutter {
 public:
  explicit WordCutter(const std::vector<DrawnCharacter>& word) : word_(word) {
    for (const DrawnCharacter& one : word_) {
      const char32_t plain = plain_of_superscript(one.c);
      plain_ += plain == 0 ? one.c : plain;
      raised_.push_back(one.raised || plain != 0);
    }
    find_daggers();
  }

  std::vector<WordPart> cut() {
    for (std::size_t begin = 0; begin < word_.size();) {
      std::size_t end = begin + 1;
      while (end < word_.size() && raised_[end] == raised_[begin]) ++end;
      if (raised_[begin]) {
        add_raised(begin, end);
      } else {
        add_plain(begin, end);
      }
      begin = end;
    }
    finish();
    return std::move(parts_);
  }

 private:
  // Daggers, and asterisks after figures, are marks although they are on the baseline.
  void find_daggers() {
    const std::size_t last = plain_.find_last_not_of(U"*†‡");
    if (last == Text::npos) return;
    const char32_t c = plain_[last];
    const bool figure = is_ascii_digit(c) || c == '%' || c == ')';
    for (std::size_t i = last + 1; i < plain_.size(); ++i) {
      raised_[i] = raised_[i] || figure || plain_[i] != '*';
    }
  }

  void add_plain(std::size_t begin, std::size_t end) {
    // Letters and digits after a mark are another word; closing signs are not.
    const bool continues = marks_.empty() || !is_letter_or_digit(plain_[begin]);
    if (!continues) finish();
    for (std::size_t i = begin; i < end; ++i) add(i, word_[i].c, &open_);
  }

  void add_raised(std::size_t begin, std::size_t end) {
    const Text all(plain_);
    const Text raised = all.substr(begin, end - begin);
    switch (kind_of(all.substr(0, begin), raised, all.substr(end))) {
      case Kind::plain:
        add_as_it_is(begin, end);
        return;
      case Kind::fraction:
        finish();
        for (std::size_t i = begin; i < end; ++i) add(i, plain_[i], &open_);
        return;
      case Kind::exponent:
        for (std::size_t i = begin; i < end; ++i) add(i, raised_form(i), &open_);
        return;
      case Kind::mark:
        WordPart& mark = marks_.emplace_back();
        for (std::size_t i = begin; i < end; ++i) add(i, raised_form(i), &mark);
        return;
    }
  }

  // Ordinals are written with letters in some files and with superscripts in others.
  void add_as_it_is(std::size_t begin, std::size_t end) {
    const bool ordinal = !open_.text.empty() && is_ascii_digit(open_.text.back());
    for (std::size_t i = begin; i < end; ++i) {
      char32_t c = ordinal ? plain_[i] : word_[i].c;
      if (ordinal && end - begin == 1 && c == 'o') c = 0xB0;  // a degree
      add(i, c, &open_);
    }
  }

  char32_t raised_form(std::size_t i) const {
    const bool bracket = Text(U"()").find(plain_[i]) != Text::npos;
    const char32_t raised = bracket ? 0 : superscript_of(plain_[i]);
    return raised == 0 ? plain_[i] : raised;
  }

  static void add(std::size_t index, char32_t c, WordPart* part) {
    part->text += c;
    part->characters.push_back(index);
  }

  void finish() {
    if (!open_.text.empty()) parts_.push_back(std::exchange(open_, {}));
    for (WordPart& mark : marks_) parts_.push_back(std::move(mark));
    marks_.clear();
  }

  const std::vector<DrawnCharacter>& word_;
  std::u32string plain_;      // with plain characters in place of superscripts
  std::vector<bool> raised_;  // drawn raised, a superscript, or a dagger
  WordPart open_;
  std::vector<WordPart> marks_;  // after the open part
  std::vector<WordPart> parts_;
};

std::u32string code_points(std::string_view utf8) {
  std::u32string out;
  for (std::size_t at = 0; at < utf8.size();) out += next_code_point(utf8, &at);
  return out;
}

bool may_be_mark(const Word& word) {
  const auto among = [&](char first, char last) {
    return std::ranges::all_of(word.text, [&](char c) { return c >= first && c <= last; });
  };
  return (word.text.size() <= 2 && among('0', '9')) || (word.text.size() == 1 && among('a', 'z'));
}

// Returns whether a word is at the upper right of another, which is larger.
bool is_at_shoulder(const Word& base, const Word& word) {
  const float size = base.size_pt, gap = word.box.x0 - base.box.x1;
  const float lower = base.box.y1 - word.box.y1;
  return word.size_pt < kSmaller * size && gap > -0.2F * size && gap < 0.25F * size &&
         lower > kRise * size && lower < kHighest * size && word.box.y1 > base.box.y0;
}

}  // namespace

void raise_lone_marks(std::vector<Word>* words) {
  constexpr std::size_t kMost = 500;  // bounds the work, which grows with the square
  std::size_t seen = 0;
  for (Word& word : *words) {
    if (!may_be_mark(word) || word.size_pt <= 0) continue;
    if (++seen > kMost) return;
    const std::u32string text = code_points(word.text);
    const bool marks = std::ranges::any_of(*words, [&](const Word& base) {
      return is_at_shoulder(base, word) && kind_of(code_points(base.text), text, {}) == Kind::mark;
    });
    if (marks) word.text = raised_text(word.text);
  }
}

std::vector<WordPart> parts_of_word(const std::vector<DrawnCharacter>& word) {
  return WordCutter(word).cut();
}

}  // namespace fineprint::pdf
