// Splits words at white space and at gaps, so that the cells of a table never run together.
#include "pdf/words.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "pdf/character_kinds.h"
#include "pdf/marks.h"
#include "pdf/raised.h"

namespace fineprint::pdf {
namespace {

constexpr float kMaxGap = 0.5F;     // in font sizes, between characters of one word
constexpr float kMaxStep = 1.0F;    // in font sizes, between characters written downwards
constexpr float kMinExtent = 0.1F;  // points; least extent of a word of zero width or height
// equal words that share this much of their area are one word
constexpr float kSameOverlap = 0.75F;
constexpr std::size_t kMaxSame = 1000;  // comparing all of thousands would take quadratic time

void append_rune(int c, std::string* text) {
  char bytes[8];
  text->append(bytes, static_cast<std::size_t>(fz_runetochar(bytes, c)));
}

Box box_of(const fz_quad& quad) {
  const fz_rect rect = fz_rect_from_quad(quad);
  return {rect.x0, rect.y0, rect.x1, rect.y1};
}

// Returns the box around both. Unlike a union, also works if one is flat: an accent or an expanded
// ligature has no width.
Box hull(const Box& a, const Box& b) {
  return {std::min(a.x0, b.x0), std::min(a.y0, b.y0), std::max(a.x1, b.x1), std::max(a.y1, b.y1)};
}

// Returns the distance between two boxes along the writing direction of the line.
float gap_between(const Box& a, const Box& b, const fz_stext_line& line) {
  const bool across = std::abs(line.dir.x) >= std::abs(line.dir.y) && line.wmode == 0;
  const float gap_x = std::max(b.x0 - a.x1, a.x0 - b.x1);
  const float gap_y = std::max(b.y0 - a.y1, a.y0 - b.y1);
  const bool slanted = std::abs(line.dir.x) > 0.1F && std::abs(line.dir.y) > 0.1F;
  if (slanted) return std::max(gap_x, gap_y);
  return across ? gap_x : gap_y;
}

bool name_has(std::string_view name, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) {
    return name.find(part) != std::string_view::npos;
  });
}

// Many fonts do not set the flag, but have the weight in their name.
bool is_bold(fz_context* context, const fz_stext_char& c) {
  if ((c.flags & FZ_STEXT_BOLD) != 0 || fz_font_is_bold(context, c.font) != 0) return true;
  return name_has(fz_font_name(context, c.font), {"Bold", "bold", "Black", "Heavy", "Demi"});
}

bool is_italic(fz_context* context, const fz_stext_char& c) {
  if (fz_font_is_italic(context, c.font) != 0) return true;
  return name_has(fz_font_name(context, c.font), {"Italic", "italic", "Oblique"});
}

// A character of a word.
struct Rune {
  int c = 0;
  bool flat = false;    // has no width, so it says nothing about the direction
  float along = 0;      // position of its middle along the line
  bool raised = false;  // see raised_characters()
  float size = 0;       // of its font, in points
  Box box;
};
using Runes = std::vector<Rune>;

// Restores the reading order. MuPDF reverses some lines that run from right to left, but not all,
// and reverses numbers with them. The positions of the characters are reliable: letters run
// leftwards, digits rightwards.
void bring_into_reading_order(Runes* runes) {
  const auto has_direction = [](const Rune& rune) {
    return is_right_to_left(rune.c) && !is_any_digit(rune.c) && !rune.flat;
  };
  const auto first = std::find_if(runes->begin(), runes->end(), has_direction);
  if (first != runes->end()) {
    const auto last = std::find_if(runes->rbegin(), runes->rend(), has_direction);
    if (first->along < last->along) std::reverse(runes->begin(), runes->end());
  }
  for (auto begin = runes->begin(); begin != runes->end();) {
    if (!is_any_digit(begin->c)) {
      ++begin;
      continue;
    }
    auto end = std::find_if_not(begin, runes->end(),
                                [](const Rune& rune) { return is_in_number(rune.c); });
    while (!is_any_digit((end - 1)->c)) --end;
    if (begin->along > (end - 1)->along) std::reverse(begin, end);
    begin = end;
  }
}

// Puts the letters of a ligature, such as lam-alef, into their order. MuPDF gives all but the first
// no width and puts them at the right end of the first, so they precede it in a line that was
// reversed.
void order_ligatures(Runes* runes) {
  const auto is_further = [](const Rune& rune) {
    return is_arabic_letter(rune.c) && rune.box.width() < kMinExtent;
  };
  for (auto begin = runes->begin(); begin != runes->end(); ++begin) {
    if (!is_further(*begin)) continue;
    const float end = begin->box.x0;
    const auto ends_there = [&](const Rune& rune) {
      return std::abs(rune.box.x1 - end) < kMinExtent;
    };
    const bool follows_first = begin != runes->begin() && ends_there(*(begin - 1));
    const auto first = std::find_if_not(begin, runes->end(), is_further);
    if (!follows_first && first != runes->end() && ends_there(*first)) {
      std::reverse(begin, first + 1);
    }
    begin = first == runes->end() ? first - 1 : first;
  }
}

// Gathers the words of one page.
class WordGatherer {
 public:
  WordGatherer(fz_context* context, RawPage* page) : context_(context), page_(page) {}

  void add_block(const fz_stext_block& block) {
    for (fz_stext_line* line = block.u.t.first_line; line != nullptr; line = line->next) {
      const fz_stext_char* first = line->first_char;
      // MuPDF may begin another line for the last mark.
      if (first != nullptr && first == line->last_char && closes_leftward_line(*line, *first)) {
        add_to_last_word(*first);
        continue;
      }
      if (!goes_on_downwards(*line)) {
        finish_line();
        if (line == block.u.t.first_line) finish_block();
      }
      downwards_ = line->wmode != 0;
      add_line(*line);
    }
  }

  // Returns the texts of each word.
  std::vector<TextsOfWord> finish() {
    finish_line();
    return std::move(texts_);
  }

 private:
  // For text written downwards, MuPDF returns each character as a line. Returns whether `line`
  // continues the column.
  bool goes_on_downwards(const fz_stext_line& line) const {
    if (!downwards_ || line.wmode == 0 || line.first_char == nullptr || last_box_.empty()) {
      return false;
    }
    const Box box = box_of(line.first_char->quad);
    const float size = line.first_char->size;
    const float gap = box.y0 - last_box_.y1;
    const float aside = std::abs((box.x0 + box.x1) - (last_box_.x0 + last_box_.x1)) / 2;
    return aside < kMaxGap * size && gap > -kMaxGap * size && gap < kMaxStep * size;
  }

  // Returns whether the character is a mark at the beginning of the line, which runs from right to
  // left. If a paragraph is set as if it ran from left to right, its last mark lies there.
  bool closes_leftward_line(const fz_stext_line& line, const fz_stext_char& c) const {
    if (line.wmode != 0 || !is_closing_mark(c.c)) return false;
    Box all = runes_.empty() ? Box{} : word_.box;
    bool leftwards =
        std::ranges::any_of(runes_, [](const Rune& rune) { return is_right_to_left(rune.c); });
    for (std::size_t i = words_before_line_; i < page_->words.size(); ++i) {
      const Word& word = page_->words[i];
      all = all.empty() ? word.box : hull(all, word.box);
      leftwards = leftwards || has_leftward_letter(word.text);
    }
    if (!leftwards || all.empty()) return false;
    const Box mark = box_of(c.quad);
    const float middle = (mark.y0 + mark.y1) / 2;
    const bool is_first = std::abs(mark.x0 - all.x1) < kMaxGap * c.size;
    return is_first && all.y0 < middle && middle < all.y1 && mark.x0 - last_box_.x1 > c.size;
  }

  void add_to_last_word(const fz_stext_char& c) {
    finish_word();
    append_rune(c.c, &page_->words.back().text);
    ++page_->characters;
  }

  void finish_line() {
    finish_word();
    if (page_->words.size() > words_before_line_) ++line_;
    words_before_line_ = page_->words.size();
    last_box_ = {};
  }

  void finish_block() {
    if (page_->words.size() > words_before_block_) ++block_;
    words_before_block_ = page_->words.size();
  }

  void add_line(const fz_stext_line& line) {
    const std::vector<bool> raised = raised_characters(line);
    std::size_t at = 0;
    for (fz_stext_char* c = line.first_char; c != nullptr; c = c->next, ++at) {
      if (is_blank(c->c)) {
        finish_word();
      } else if (c->next == nullptr && closes_leftward_line(line, *c)) {
        add_to_last_word(*c);
      } else {
        add_char(line, *c, raised[at]);
      }
    }
  }

  void add_char(const fz_stext_line& line, const fz_stext_char& c, bool raised) {
    const Box box = box_of(c.quad);
    if (starts_word(line, c, box)) finish_word();
    if (runes_.empty()) {
      word_.box = box;
      word_.size_pt = c.size;
      word_.bold = is_bold(context_, c);
      word_.italic = is_italic(context_, c);
    }
    const std::uint32_t text = c.argb & 0xFFFFFF;
    word_texts_ = runes_.empty() ? TextsOfWord{text, text}
                                 : TextsOfWord{std::min(word_texts_.first, text),
                                               std::max(word_texts_.last, text)};
    word_.box = hull(word_.box, box);
    const int drawn = visible_character(c.c);
    // A mark, or the second letter of a ligature, has no width and may be at either end of the
    // letter.
    const bool is_flat = is_right_to_left(drawn) && box.width() < kMinExtent && !runes_.empty();
    if (!is_flat) last_box_ = box;
    const float middle = (box.x0 + box.x1) / 2 * line.dir.x + (box.y0 + box.y1) / 2 * line.dir.y;
    runes_.push_back({drawn, is_flat, middle, raised, c.size, box});
    after_stop_ = after_stop_ || is_wide_stop(drawn);
    ++page_->characters;
    if (drawn == kReplacement || is_private_use(drawn)) ++page_->bad_characters;
  }

  bool starts_word(const fz_stext_line& line, const fz_stext_char& c, const Box& box) const {
    if (runes_.empty()) return false;
    // In scripts without blanks, a sentence is a better unit than a paragraph.
    if (after_stop_ && !is_wide_closer(c.c)) return true;
    const bool is_flat = is_right_to_left(c.c) && box.width() < kMinExtent;
    const float most = line.wmode != 0 || is_flat ? kMaxStep : kMaxGap;
    // In a line that runs from right to left, a mark after a number is to its left.
    const bool after_number = is_closing_mark(c.c) && is_any_digit(runes_.back().c);
    const Box& before = after_number ? word_.box : last_box_;
    return gap_between(before, box, line) > most * c.size;
  }

  void finish_word() {
    if (runes_.empty()) return;
    if (!downwards_) {
      bring_into_reading_order(&runes_);
      order_ligatures(&runes_);
    }
    std::vector<DrawnCharacter> drawn;
    for (const Rune& rune : runes_) drawn.push_back({static_cast<char32_t>(rune.c), rune.raised});
    const std::vector<WordPart> parts = parts_of_word(drawn);
    for (const WordPart& part : parts) add_part(part, parts.size() > 1);
    runes_.clear();
    after_stop_ = false;
    word_ = {};
  }

  // Adds a word with the style of the whole. A part has its own box and size.
  void add_part(const WordPart& part, bool is_cut) {
    word_.text.clear();
    for (const char32_t c : part.text) append_rune(static_cast<int>(c), &word_.text);
    if (is_cut) {
      const Rune& first = runes_[part.characters.front()];
      word_.box = first.box;
      word_.size_pt = first.size;
      for (const std::size_t i : part.characters) word_.box = hull(word_.box, runes_[i].box);
    }
    Box& box = word_.box;
    if (box.width() < kMinExtent) box.x1 = box.x0 + kMinExtent;
    if (box.height() < kMinExtent) box.y1 = box.y0 + kMinExtent;
    if (drawn_before()) return;
    seen_[word_.text].push_back(page_->words.size());
    page_->words.push_back(word_);
    texts_.push_back(word_texts_);
    page_->line_of_word.push_back(line_);
    page_->block_of_word.push_back(block_);
  }

  // Returns whether the same word was drawn at the same place before, for example as a shadow.
  bool drawn_before() const {
    const auto seen = seen_.find(word_.text);
    if (seen == seen_.end()) return false;
    const auto& same = seen->second;
    const auto begin = same.end() - static_cast<std::ptrdiff_t>(std::min(same.size(), kMaxSame));
    return std::any_of(begin, same.end(), [&](std::size_t index) {
      const Box& other = page_->words[index].box;
      const float shared = intersected(word_.box, other).area();
      return shared > kSameOverlap * std::max(word_.box.area(), other.area());
    });
  }

  fz_context* context_;
  RawPage* page_;
  Word word_;                // its text is in `runes_` until it ends
  std::vector<Rune> runes_;  // characters of the word
  TextsOfWord word_texts_;
  std::vector<TextsOfWord> texts_;  // of the words of the page
  bool after_stop_ = false;         // the word has a stop, and only closing marks after it
  Box last_box_;                    // of the last character in this line
  bool downwards_ = false;          // the last line was written downwards
  std::uint32_t line_ = 0;
  std::uint32_t block_ = 0;
  std::size_t words_before_line_ = 0, words_before_block_ = 0;
  std::unordered_map<std::string, std::vector<std::size_t>> seen_;  // text -> indices of words
};

}  // namespace

std::vector<TextsOfWord> add_words(fz_context* context, const fz_stext_page& text, RawPage* page) {
  WordGatherer gatherer(context, page);
  for (fz_stext_block* block = text.first_block; block != nullptr; block = block->next) {
    if (block->type == FZ_STEXT_BLOCK_TEXT) gatherer.add_block(*block);
  }
  std::vector<TextsOfWord> texts = gatherer.finish();
  raise_lone_marks(&page->words);
  return texts;
}

}  // namespace fineprint::pdf
