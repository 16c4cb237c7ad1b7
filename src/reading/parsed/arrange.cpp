// Places texts of other programs on pages: words with boxes, lines, elements.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iterator>
#include <span>
#include <utility>

#include "fineprint/core/unicode.h"

#include "reading/parsed/parsed_document.h"

namespace fineprint::reading {
namespace {

constexpr float kMargin = 48;           // points; of pages without boxes
constexpr float kLineHeight = 13;       // points; of texts without a box
constexpr float kLetterWidth = 0.5F;    // average, in heights of a line
constexpr float kUsedOfCell = 0.7F;     // the rest separates it from the next cell
constexpr std::size_t kLookAhead = 12;  // words of the PDF that may be skipped to find a word

// A word at its place on the page. In points.
struct PlacedWord {
  std::string text;
  Box box;
  float size_pt = 0;
  bool bold = false, italic = false;
};
using PlacedLine = std::vector<PlacedWord>;

// Returns the width of a text in letters. A Chinese or Japanese character is as wide as two
// letters.
float width_in_letters(std::string_view text) {
  float width = 0;
  for (std::size_t at = 0; at < text.size();) {
    width += is_han_or_kana(next_code_point(text, &at)) ? 2 : 1;
  }
  return width;
}

// Splits a text into words as the layout does: at white space, and around each Chinese or Japanese
// character, so that long lines of them can be broken.
std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> words;
  bool is_open = false;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = next_code_point(text, &at);
    if (is_space(c)) {
      is_open = false;
      continue;
    }
    const bool alone = is_han_or_kana(c);
    if (!is_open || alone) words.emplace_back();
    append_utf8(c, &words.back());
    is_open = !alone;
  }
  return words;
}

// Spreads words over the width of the box, each as wide as its letters.
PlacedLine spread(std::span<const std::string> words, const Box& box) {
  float letters = 0;
  for (const std::string& word : words) letters += width_in_letters(word) + 1;
  const float step = box.width() / std::max(1.0F, letters - 1);
  PlacedLine line;
  float x = box.x0;
  for (const std::string& word : words) {
    const float width = width_in_letters(word) * step;
    line.push_back({.text = word, .box = {x, box.y0, x + width, box.y1}, .size_pt = box.height()});
    x += width + step;
  }
  return line;
}

// Breaks words into lines that fill the box. The number of lines is that of a text of this length
// in a box of this size.
std::vector<PlacedLine> flow(const std::vector<std::string>& words, const Box& box) {
  std::vector<PlacedLine> lines;
  if (words.empty()) return lines;
  float letters = -1;
  for (const std::string& word : words) letters += width_in_letters(word) + 1;
  const float width = std::max(1.0F, box.width()), height = std::max(1.0F, box.height());
  const float count =
      std::max(1.0F, std::round(std::sqrt(letters * kLetterWidth * height / width)));
  const float room = letters / count * 1.05F;
  std::vector<std::pair<std::size_t, std::size_t>> ranges;  // of words
  float filled = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const float more = width_in_letters(words[i]) + 1;
    if (ranges.empty() || (filled > 0 && filled + more - 1 > room)) {
      ranges.emplace_back(i, i);
      filled = 0;
    }
    filled += more;
    ranges.back().second = i + 1;
  }
  const float line_height = height / static_cast<float>(ranges.size());
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const float y = box.y0 + static_cast<float>(i) * line_height;
    const auto [first, end] = ranges[i];
    const std::span<const std::string> of_line(words.data() + first, end - first);
    float own = -1;
    for (const std::string& word : of_line) own += width_in_letters(word) + 1;
    const bool is_last = i + 1 == ranges.size() && ranges.size() > 1;
    const float share = is_last ? std::min(1.0F, own / room) : 1;
    lines.push_back(spread(of_line, {box.x0, y, box.x0 + width * share, y + line_height * 0.9F}));
  }
  return lines;
}

// Returns the borders of a table's columns or rows between `first` and `last`, in proportion to the
// weights.
std::vector<float> borders(float first, float last, const std::vector<float>& weights) {
  float sum = 0;
  for (const float weight : weights) sum += weight;
  std::vector<float> out = {first};
  float at = 0;
  for (const float weight : weights) {
    at += weight;
    out.push_back(first + (last - first) * at / std::max(sum, 1e-6F));
  }
  return out;
}

// Returns the words of a table's row as lines on the page, because cells may have several lines.
std::vector<PlacedLine> visual_lines(PlacedLine row) {
  std::vector<PlacedLine> lines;
  std::ranges::stable_sort(row, std::less<>(), [](const PlacedWord& word) { return word.box.y0; });
  for (PlacedWord& word : row) {
    const float middle = (word.box.y0 + word.box.y1) / 2;
    if (lines.empty() || middle > lines.back().front().box.y1) lines.emplace_back();
    lines.back().push_back(std::move(word));
  }
  for (PlacedLine& line : lines) {
    std::ranges::stable_sort(line, std::less<>(),
                             [](const PlacedWord& word) { return word.box.x0; });
  }
  return lines;
}

// Places the elements of one page.
class ElementPlacer {
 public:
  ElementPlacer(const ParsedPage& parsed, const pdf::RawPage* raw) : parsed_(parsed), raw_(raw) {
    page_.number = parsed.number;
    page_.width_pt = raw == nullptr ? parsed.width_pt : raw->width_pt;
    page_.height_pt = raw == nullptr ? parsed.height_pt : raw->height_pt;
    across_ = page_.width_pt / std::max(1.0F, parsed.width_pt);
    down_ = page_.height_pt / std::max(1.0F, parsed.height_pt);
    if (raw == nullptr) return;
    page_.label = raw->label;
    page_.rotation = raw->rotation;
    taken_.resize(raw->words.size());
  }

  Page arrange() {
    find_room();
    for (const ParsedElement& element : parsed_.elements) add(element);
    // Without a text layer, the other program must have read the picture.
    const bool from_picture = raw_ != nullptr && raw_->words.empty();
    if (!page_.words.empty()) {
      page_.source = from_picture ? TextSource::ocr : TextSource::native;
    }
    return std::move(page_);
  }

 private:
  // The other program may use another page size than the PDF has.
  Box scaled(const Box& box) const {
    return {box.x0 * across_, box.y0 * down_, box.x1 * across_, box.y1 * down_};
  }

  static float lines_of(const ParsedElement& element, float letters_a_line) {
    float lines = static_cast<float>(element.captions.size());
    for (const ParsedText& text : element.texts) {
      lines += std::max(1.0F, std::ceil(width_in_letters(text.text) / letters_a_line));
    }
    int rows = 0;
    for (const markup::TableCell& cell : element.cells) rows = std::max(rows, cell.row + 1);
    return std::max(1.0F, lines + static_cast<float>(rows));
  }

  float letters_a_line() const {
    return std::max(20.0F, (page_.width_pt - 2 * kMargin) / (kLetterWidth * kLineHeight));
  }

  // Determines the height of a line for elements without a box, so that all of them fit on the
  // page.
  void find_room() {
    float lines = 0;
    for (const ParsedElement& element : parsed_.elements) {
      if (!element.box) lines += lines_of(element, letters_a_line()) + 1;
    }
    const float room = std::max(kLineHeight, page_.height_pt - 2 * kMargin);
    line_height_ = std::min(kLineHeight, room / std::max(1.0F, lines));
    y_ = kMargin;
  }

  Box box_of(const ParsedElement& element) {
    if (element.box) return scaled(*element.box);
    if (const auto given = united_box(element)) return *given;
    const float height = lines_of(element, letters_a_line()) * line_height_;
    const Box box{kMargin, y_, std::max(2 * kMargin, page_.width_pt - kMargin), y_ + height};
    y_ += height + line_height_;
    return box;
  }

  // Returns the box around all texts, or nullopt if a text has none.
  std::optional<Box> united_box(const ParsedElement& element) const {
    std::optional<Box> all;
    for (const ParsedText& text : element.texts) {
      if (!text.box) return std::nullopt;
      all = all ? united(*all, scaled(*text.box)) : scaled(*text.box);
    }
    return all;
  }

  void add(const ParsedElement& parsed) {
    Element element;
    element.kind = parsed.kind;
    element.level = static_cast<std::uint8_t>(std::clamp(parsed.level, 0, 255));
    element.first_line = static_cast<std::uint32_t>(page_.lines.size());
    element.box = box_of(parsed);
    Box body = element.box;
    add_captions(parsed, &element, &body);
    if (!parsed.cells.empty()) {
      add_table(parsed, body);
    } else {
      add_texts(parsed, body);
    }
    element.line_count = static_cast<std::uint32_t>(page_.lines.size()) - element.first_line;
    const bool may_be_empty = element.kind == ElementKind::figure;
    if (element.line_count == 0 && !may_be_empty) return;
    for (std::uint32_t i = 0; i < element.line_count; ++i) {
      element.box = united(element.box, page_.lines[element.first_line + i].box);
    }
    set_parent(&element);
    page_.elements.push_back(std::move(element));
  }

  // Adds captions. As in the layout, their lines belong to the element. A caption without a box
  // takes the first line of the element's box.
  void add_captions(const ParsedElement& parsed, Element* element, Box* body) {
    for (const ParsedText& caption : parsed.captions) {
      const std::vector<std::string> words = words_in(caption.text);
      if (words.empty()) continue;
      Box box = *body;
      if (caption.box) {
        box = scaled(*caption.box);
      } else {
        box.y1 = std::min(body->y1, body->y0 + kLineHeight);
        body->y0 = box.y1;
      }
      for (PlacedLine& line : flow(words, box)) put(std::move(line), box);
      element->caption += (element->caption.empty() ? "" : " ") + one_line(caption.text);
    }
  }

  void add_texts(const ParsedElement& parsed, const Box& body) {
    std::vector<std::string> together;  // texts without boxes share the box of the element
    for (const ParsedText& text : parsed.texts) {
      const std::vector<std::string> words = words_in(text.text);
      if (!text.box) {
        together.insert(together.end(), words.begin(), words.end());
        continue;
      }
      const Box box = scaled(*text.box);
      for (PlacedLine& line : flow(words, box)) put(std::move(line), box);
    }
    for (PlacedLine& line : flow(together, body)) put(std::move(line), body);
  }

  void add_table(const ParsedElement& parsed, const Box& body) {
    constexpr int kMost = 10'000;  // rows and columns; more is not a real table
    int rows = 0, columns = 0;
    for (const markup::TableCell& cell : parsed.cells) {
      rows = std::max(rows, cell.row + 1);
      columns = std::max(columns, cell.column + 1);
    }
    if (rows > kMost || columns > kMost) return;
    std::vector<float> widths(static_cast<std::size_t>(columns), 1);
    for (const markup::TableCell& cell : parsed.cells) {
      if (cell.column < 0 || cell.columns > 1) continue;
      float& width = widths[static_cast<std::size_t>(cell.column)];
      width = std::max(width, width_in_letters(cell.text));
    }
    const std::vector<float> x = borders(body.x0, body.x1, widths);
    const std::vector<float> y =
        borders(body.y0, body.y1, std::vector<float>(static_cast<std::size_t>(rows), 1));
    for (int row = 0; row < rows; ++row) add_row(parsed, row, x, y);
  }

  void add_row(const ParsedElement& parsed, int row, const std::vector<float>& x,
               const std::vector<float>& y) {
    PlacedLine line;
    for (std::size_t i = 0; i < parsed.cells.size(); ++i) {
      const markup::TableCell& cell = parsed.cells[i];
      if (cell.row != row || cell.column < 0) continue;
      const std::vector<std::string> words = words_in(cell.text);
      if (words.empty()) continue;
      PlacedLine of_cell = spread(words, place_of(parsed, i, x, y));
      line.insert(line.end(), std::make_move_iterator(of_cell.begin()),
                  std::make_move_iterator(of_cell.end()));
    }
    Box all{x.front(), y[static_cast<std::size_t>(row)], x.back(),
            y[static_cast<std::size_t>(row) + 1]};
    for (const PlacedWord& word : line) all = united(all, word.box);
    if (raw_ != nullptr) take_from_pdf(&line, all);
    for (const PlacedLine& visual : visual_lines(std::move(line))) add_line(visual);
  }

  // Returns the box of a cell. Without a given box, the cell fills most of its column and row, with
  // space to the next.
  Box place_of(const ParsedElement& parsed, std::size_t i, const std::vector<float>& x,
               const std::vector<float>& y) const {
    const markup::TableCell& cell = parsed.cells[i];
    if (i < parsed.cell_boxes.size() && parsed.cell_boxes[i]) return scaled(*parsed.cell_boxes[i]);
    const auto at = [](const std::vector<float>& lines, int place) {
      return lines[std::min(static_cast<std::size_t>(std::max(0, place)), lines.size() - 1)];
    };
    const float x0 = at(x, cell.column), x1 = at(x, cell.column + cell.columns);
    const float y0 = at(y, cell.row), height = at(y, cell.row + 1) - y0;
    return {x0, y0, x0 + (x1 - x0) * kUsedOfCell, y0 + height * 0.8F};
  }

  // Adds a line of words. Words that the PDF has at this place, too, take their boxes from it. If
  // the PDF shows several lines there, each becomes a line.
  void put(PlacedLine line, const Box& place) {
    if (raw_ != nullptr) take_from_pdf(&line, place);
    std::size_t first = 0;
    for (std::size_t i = 1; i <= line.size(); ++i) {
      if (i < line.size() && !goes_down(line[i - 1].box, line[i].box)) continue;
      add_line({line.begin() + static_cast<std::ptrdiff_t>(first),
                line.begin() + static_cast<std::ptrdiff_t>(i)});
      first = i;
    }
  }

  static bool goes_down(const Box& before, const Box& box) {
    return (box.y0 + box.y1) / 2 > before.y1 && box.x0 < before.x1;
  }

  // Words are matched in order, so that repeated words get different boxes.
  void take_from_pdf(PlacedLine* line, const Box& place) {
    constexpr float kAir = 3;
    const auto lies_there = [&](const Box& box) {
      const float x = (box.x0 + box.x1) / 2, y = (box.y0 + box.y1) / 2;
      return x >= place.x0 - kAir && x <= place.x1 + kAir && y >= place.y0 - kAir &&
             y <= place.y1 + kAir;
    };
    std::vector<std::size_t> there;
    for (std::size_t i = 0; i < raw_->words.size(); ++i) {
      if (!taken_[i] && lies_there(raw_->words[i].box)) there.push_back(i);
    }
    std::size_t next = 0;
    for (PlacedWord& word : *line) {
      const std::size_t end = std::min(there.size(), next + kLookAhead);
      for (std::size_t at = next; at < end; ++at) {
        const Word& found = raw_->words[there[at]];
        if (found.text != word.text) continue;
        word.box = found.box;
        word.size_pt = found.size_pt;
        word.bold = found.bold;
        word.italic = found.italic;
        taken_[there[at]] = true;
        next = at + 1;
        break;
      }
    }
  }

  void add_line(const PlacedLine& words) {
    if (words.empty()) return;
    Line line{static_cast<std::uint32_t>(page_.words.size()),
              static_cast<std::uint32_t>(words.size()), words.front().box};
    for (const PlacedWord& word : words) {
      line.box = united(line.box, word.box);
      page_.words.push_back({.text = word.text,
                             .box = word.box,
                             .size_pt = word.size_pt,
                             .confidence = 1,
                             .bold = word.bold,
                             .italic = word.italic});
    }
    page_.lines.push_back(line);
  }

  // Sets the parent: the nearest heading above with a higher level.
  void set_parent(Element* element) {
    const bool is_heading = element->kind == ElementKind::heading;
    if (is_heading) {
      while (!open_.empty() &&
             page_.elements[static_cast<std::size_t>(open_.back())].level >= element->level) {
        open_.pop_back();
      }
    }
    if (element->kind != ElementKind::furniture && !open_.empty()) element->parent = open_.back();
    if (is_heading) open_.push_back(static_cast<std::int32_t>(page_.elements.size()));
  }

  const ParsedPage& parsed_;
  const pdf::RawPage* raw_;
  float across_ = 1, down_ = 1;
  float line_height_ = kLineHeight, y_ = kMargin;
  std::vector<bool> taken_;         // words of the PDF that were used
  std::vector<std::int32_t> open_;  // open headings, the highest first
  Page page_;
};

}  // namespace

Page arrange(const ParsedPage& parsed, const pdf::RawPage* raw) {
  return ElementPlacer(parsed, raw).arrange();
}

}  // namespace fineprint::reading
