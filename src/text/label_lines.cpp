// Cuts lines into pieces.
#include "text/label_lines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <string_view>

#include "fineprint/core/unicode.h"

namespace fineprint::text {
namespace {

constexpr float kBoldGap = 0.28F;   // the same after a bold word, before one that is not
constexpr float kPieceGap = 0.75F;  // of the font size; wider than a blank
constexpr std::size_t kMostLabelWords = 9;
constexpr float kOtherSize = 1.08F;  // ratio of sizes that readers notice
constexpr std::size_t kMostUnitWords = 2;
constexpr std::size_t kLeastLeader = 3;  // dots

float size_of_word(const Word& word) {
  return word.size_pt > 0 ? word.size_pt : std::max(word.box.height(), 1.0F);
}

bool is_leader_sign(char32_t c) {
  return c == '.' || c == '_' || c == 0x2026 || c == 0xB7 || c == 0x2024;
}

// Returns how many leader dots the word is made of, or 0 if it has anything else.
std::size_t leader_signs(const std::string& word) {
  std::size_t signs = 0;
  for (std::size_t at = 0; at < word.size();) {
    const char32_t c = next_code_point(word, &at);
    if (!is_leader_sign(c)) return 0;
    signs += c == 0x2026 ? kLeastLeader : 1;
  }
  return signs;
}

bool ends_with_leader(const std::string& word) {
  return word.size() > kLeastLeader &&
         (word.ends_with("...") || word.ends_with("\u2026") || word.ends_with("___"));
}

bool is_colon_end(const std::string& word) {
  return word.ends_with(':') || word.ends_with("\uFF1A");
}

// Returns whether `word` begins a piece: it is far to the right of the word before it, or back at
// the top of the next cell.
bool begins_label_piece(const Word& before, const Word& word) {
  const float size = std::max(size_of_word(before), size_of_word(word));
  const bool is_above = word.box.y1 < before.box.y0 + 0.3F * size;
  const float gap = word.box.x0 - before.box.x1;
  const bool turns_plain = before.bold && !word.bold;
  return is_above || gap > (turns_plain ? kBoldGap : kPieceGap) * size;
}

// Returns the number of words from `first` on that are leader dots: one of "....", or several of
// "." each.
std::uint32_t leader_words(const Page& page, std::uint32_t first, std::uint32_t end) {
  std::size_t signs = 0;
  std::uint32_t at = first;
  for (; at < end; ++at) {
    const std::size_t more = leader_signs(page.words[at].text);
    if (more == 0) break;
    signs += more;
  }
  return signs >= kLeastLeader ? at - first : 0;
}

// Returns whether the words of a line are one label and a value below it: they are in two text
// lines or more, but not in several columns.
bool spans_two_lines(const Page& page, const Line& line) {
  bool goes_down = false;
  for (std::uint32_t i = 1; i < line.word_count; ++i) {
    const Word& before = page.words[line.first_word + i - 1];
    const Word& word = page.words[line.first_word + i];
    const float size = std::max(size_of_word(before), size_of_word(word));
    if (word.box.y1 < before.box.y0 + 0.3F * size) return false;
    goes_down = goes_down || word.box.y0 > before.box.y1 - 0.3F * size;
  }
  return goes_down;
}

bool is_separator(const std::string& word) {
  static constexpr std::array<std::string_view, 8> kSeparators = {
      "-", "\u2013", "\u2014", "|", "\u00b7", "\u2022", ",", ";"};
  return std::ranges::find(kSeparators, word) != kSeparators.end();
}

// Returns the first word of the label that ends with the colon of word `colon`, after the value
// [value, colon): it follows a dash, a comma or the like, or the last word with a digit. Returns
// nullopt if there is no such place.
std::optional<std::uint32_t> begin_of_label(const Page& page, std::uint32_t value,
                                            std::uint32_t colon) {
  for (std::uint32_t at = colon; at > value; --at) {
    const std::string& before = page.words[at - 1].text;
    const bool ends_value = is_separator(before) || digits_in(before) > 0 ||
                            before.ends_with(',') || before.ends_with(';');
    if (ends_value) return at;
  }
  return std::nullopt;
}

// Cuts a piece with several labels that end with a colon into one piece for each, without the dash
// between them: "IBAN : FR76 1010 - BIC : BREDFRPP". Returns it whole if it is not clear where a
// label begins.
std::vector<LabelPiece> cut_at_labels(const Page& page, const LabelPiece& whole) {
  constexpr std::uint32_t kMostWords = 4;  // of a label within a line
  std::vector<LabelPiece> cut;
  WordRun run{whole.words.first, whole.words.first};
  std::uint32_t value = 0;  // of the label in `run`
  for (std::uint32_t at = whole.words.first; at < whole.words.end; ++at) {
    if (!is_colon_end(page.words[at].text)) continue;
    if (value != 0) {
      const bool is_alone = page.words[at].text == ":";
      const std::optional<std::uint32_t> label = begin_of_label(page, value, at);
      if (!label || (is_alone && *label == at) || at - *label > kMostWords) return {whole};
      std::uint32_t end = *label;
      while (end > value && is_separator(page.words[end - 1].text)) --end;
      if (end == value) return {whole};
      cut.push_back(piece_of(page, {run.first, end}));
      run.first = *label;
    }
    value = at + 1;
  }
  cut.push_back(piece_of(page, {run.first, whole.words.end}));
  cut.back().leads_on = whole.leads_on;
  return cut;
}

std::vector<LabelPiece> label_pieces(const Page& page, const Line& line) {
  std::vector<LabelPiece> pieces;
  const std::uint32_t end = line.first_word + line.word_count;
  std::uint32_t first = line.first_word;
  const auto add = [&](std::uint32_t until, bool leads_on) {
    if (until > first) {
      LabelPiece piece = piece_of(page, {first, until});
      piece.leads_on = leads_on;
      std::ranges::move(cut_at_labels(page, piece), std::back_inserter(pieces));
    } else if (leads_on && !pieces.empty()) {
      pieces.back().leads_on = true;
    }
  };
  for (std::uint32_t at = line.first_word; at < end;) {
    const std::uint32_t leaders = leader_words(page, at, end);
    if (leaders > 0) {
      add(at, true);
      at += leaders;
      first = at;
      continue;
    }
    if (at > first && begins_label_piece(page.words[at - 1], page.words[at])) {
      add(at, false);
      first = at;
    }
    ++at;
    if (ends_with_leader(page.words[at - 1].text)) {
      add(at, true);
      first = at;
    }
  }
  add(end, false);
  return pieces;
}

}  // namespace

std::size_t digits_in(std::string_view word) {
  return static_cast<std::size_t>(
      std::ranges::count_if(word, [](char c) { return c >= '0' && c <= '9'; }));
}

LabelPiece piece_of(const Page& page, const WordRun& words) {
  LabelPiece piece;
  piece.words = words;
  piece.bold = true;
  std::size_t letter_words = 0, figure_words = 0;
  for (std::uint32_t i = words.first; i < words.end; ++i) {
    const Word& word = page.words[i];
    piece.box = united(piece.box, word.box);
    piece.size_pt = std::max(piece.size_pt, size_of_word(word));
    piece.bold = piece.bold && word.bold;
    bool letter = false, digit = false;
    for (std::size_t at = 0; at < word.text.size();) {
      const char32_t c = next_code_point(word.text, &at);
      letter = letter || is_letter(c);
      digit = digit || is_digit(c);
    }
    piece.has_letter = piece.has_letter || letter;
    piece.has_digit = piece.has_digit || digit;
    if (is_colon_end(word.text)) {
      if (piece.colons++ == 0) piece.colon_end = i + 1;
    }
    figure_words += digit ? 1 : 0;
    letter_words += letter && !digit ? 1 : 0;
  }
  piece.is_number = figure_words > 0 && letter_words < kMostUnitWords;
  piece.ends_with_colon = is_colon_end(page.words[words.end - 1].text);
  return piece;
}

bool is_label_like(const Page& page, const LabelPiece& piece) {
  if (!piece.has_letter || piece.words.count() > kMostLabelWords || piece.is_number) return false;
  const std::string& first = page.words[piece.words.first].text;
  std::size_t at = 0;
  const char32_t begin = next_code_point(first, &at);
  if (!is_letter(begin) && begin != '(' && begin != '*') return false;
  const std::string& last = page.words[piece.words.end - 1].text;
  // "No.", "Rechnungsnr."
  const bool is_short_form =
      last.ends_with('.') && (last.size() <= 4 || fold(last).ends_with("nr."));
  return is_short_form || piece.leads_on ||
         std::string_view(".,;?!").find(last.back()) == std::string_view::npos;
}

bool look_different(const LabelPiece& a, const LabelPiece& b) {
  const float ratio =
      std::max(a.size_pt, b.size_pt) / std::max(0.1F, std::min(a.size_pt, b.size_pt));
  return a.bold != b.bold || ratio >= kOtherSize;
}

std::vector<LabelLine> label_lines(const Page& page) {
  std::vector<LabelLine> lines;
  for (std::size_t e = 0; e < page.elements.size(); ++e) {
    const Element& element = page.elements[e];
    if (element.kind == ElementKind::furniture || element.kind == ElementKind::figure) continue;
    for (const Line& line : lines_of(page, element)) {
      if (line.word_count == 0) continue;
      LabelLine one;
      one.box = line.box;
      one.element = e;
      one.is_heading = element.kind == ElementKind::heading;
      one.is_two_lines = spans_two_lines(page, line);
      one.pieces =
          one.is_two_lines
              ? std::vector{piece_of(page, {line.first_word, line.first_word + line.word_count})}
              : label_pieces(page, line);
      lines.push_back(std::move(one));
    }
  }
  return lines;
}

}  // namespace fineprint::text
