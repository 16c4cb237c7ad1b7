// Walks over the elements of a page and cuts passages.
#include "fineprint/evidence/page_passages.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "fineprint/core/superscripts.h"
#include "fineprint/core/unicode.h"
#include "fineprint/text/check_marks.h"
#include "fineprint/text/label_pairs.h"
#include "fineprint/text/numbers.h"
#include "fineprint/text/page_parts.h"
#include "fineprint/text/units.h"

#include "evidence/table_cells.h"

namespace fineprint::evidence {
namespace {

constexpr std::size_t kFullWords = 60;   // a passage of this length takes no further paragraph
constexpr std::size_t kMostWords = 120;  // sentences are added up to this; one alone may be longer
constexpr std::size_t kLongestWords = 180;  // a longer sentence is cut
constexpr std::size_t kTablePieces = 240;   // word pieces of a window with its heads
constexpr std::size_t kLeastLetters = 3;    // shorter text is a mark, not a passage
constexpr std::size_t kMostHeading = 30;    // words of the headings above; the nearest are kept
constexpr std::uint32_t kShortLine = 16;    // words; a longer line is not a note of units

std::size_t letters_and_digits(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size();) {
    count += is_letter_or_digit(next_code_point(text, &at)) ? 1 : 0;
  }
  return count;
}

// Returns about how many word pieces a text has. Digits and punctuation are pieces of their own.
std::size_t pieces_in(std::string_view text) {
  constexpr std::size_t kLettersAPiece = 6, kDigitsAPiece = 3;
  std::size_t pieces = 0, letters = 0, digits = 0;
  const auto end_run = [&] {
    pieces += (letters + kLettersAPiece - 1) / kLettersAPiece;
    pieces += (digits + kDigitsAPiece - 1) / kDigitsAPiece;
    letters = digits = 0;
  };
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = next_code_point(text, &at);
    if (is_letter(c)) {
      if (digits > 0) end_run();
      ++letters;
    } else if (is_digit(c)) {
      if (letters > 0) end_run();
      ++digits;
    } else {
      end_run();
      pieces += is_space(c) ? 0 : 1;
    }
  }
  end_run();
  return pieces;
}

std::size_t pieces_in(const std::vector<std::string>& row) {
  std::size_t pieces = 0;
  for (const std::string& cell : row) pieces += pieces_in(cell);
  return pieces;
}

// A caption often repeats its heading; the model reads each text only once.
void add_to_context(const std::string& text, std::string* context) {
  if (text.empty() || context->find(text) != std::string::npos) return;
  *context += (context->empty() ? "" : " ") + text;
}

std::string last_words(const std::string& text, std::size_t count) {
  std::size_t at = text.size();
  for (std::size_t words = 0; words < count && at != std::string::npos; ++words) {
    at = at == 0 ? std::string::npos : text.rfind(' ', at - 1);
  }
  return at == std::string::npos ? text : text.substr(at + 1);
}

// Collects the passages of one page.
class PassageCutter {
 public:
  explicit PassageCutter(const Page& page) : page_(page), pairs_(text::label_pairs(page)) {}

  std::vector<PagePassage> cut() {
    for (const Element& element : page_.elements) {
      if (element.kind == ElementKind::furniture) {
        end_text();
      } else if (holds_pairs(element)) {
        add_pairs(element);
      } else if (element.kind == ElementKind::heading) {
        end_text();
      } else if (is_tabular(element)) {
        end_text();
        add_table(element);
      } else {
        add_running_text(element);
      }
    }
    end_text();
    return std::move(passages_);
  }

 private:
  // Returns whether the element is a table, or mostly lines of figures that the layout did not
  // recognise as one.
  bool is_tabular(const Element& element) const {
    if (element.kind == ElementKind::table) return true;
    const auto is_row = [&](const Line& line) { return is_row_of_figures(line); };
    const auto rows = std::ranges::count_if(text::lines_of(page_, element), is_row);
    return rows >= 2 && 2 * rows >= element.line_count;
  }

  bool is_row_of_figures(const Line& line) const {
    std::uint32_t figures = 0;
    for (std::uint32_t i = 0; i < line.word_count; ++i) {
      figures += text::number_of_cell(page_.words[line.first_word + i].text) ? 1 : 0;
    }
    return figures >= 2 && figures * 4 >= line.word_count;
  }

  // --- Running text

  void add_running_text(const Element& element) {
    if (element.line_count == 0) return;  // a figure without words
    take_context(context_of(element));
    if (open_words() >= kFullWords) end_text();
    add_sentences(text::run_of(text::lines_of(page_, element)));
  }

  void take_context(const std::string& context) {
    // A passage has one context, so another heading begins another passage.
    if (context != context_) end_text();
    context_ = context;
  }

  // Keeps the last words of the headings, because the nearest heading is the most specific.
  std::string context_of(const Element& element) const {
    std::string context = last_words(text::headings_above(page_, element), kMostHeading);
    add_to_context(element.caption, &context);
    return context;
  }

  void add_sentences(const text::WordRun& words) {
    for (const text::WordRun& sentence : text::sentences_in(page_, words)) add_sentence(sentence);
  }

  void add_sentence(const text::WordRun& sentence) {
    if (open_words() > 0 && open_words() + sentence.count() > kMostWords) end_text();
    for (std::uint32_t word = sentence.first; word < sentence.end; ++word) {
      // Text without sentence ends, for example a list without punctuation, must be cut somewhere.
      // A word that is broken at the end of a line is not cut in two.
      if (open_words() >= kLongestWords && !page_.words[word - 1].text.ends_with("\u00AD"))
        end_text();
      const std::string& text = page_.words[word].text;
      add_word(word, is_note_mark(text) ? std::string_view() : text);
    }
  }

  std::size_t open_words() const { return open_.text_words.size(); }

  void end_text() {
    // Bullets and page ornaments hold no answer, and reading them costs time.
    if (letters_and_digits(open_.passage.text) >= kLeastLetters) {
      open_.passage.context = context_;
      passages_.push_back(std::move(open_));
    }
    open_ = {};
  }

  // --- Labels and values

  // Returns whether the element is read as pairs: at least half of its words belong to one.
  bool holds_pairs(const Element& element) const {
    const text::WordRun words = text::run_of(text::lines_of(page_, element));
    std::uint32_t paired = 0;
    for (const text::LabelPair& pair : pairs_) {
      const text::WordRun all = pair.all();
      const std::uint32_t first = std::max(all.first, words.first);
      const std::uint32_t end = std::min(all.end, words.end);
      paired += end > first ? end - first : 0;
    }
    return paired > 0 && 2 * paired >= words.count();
  }

  // Adds the pairs that begin in the element as "Label: value.", and its other words as sentences.
  void add_pairs(const Element& element) {
    take_context(context_of(element));
    const text::WordRun words = text::run_of(text::lines_of(page_, element));
    std::uint32_t at = words.first;
    for (const text::LabelPair& pair : pairs_) {
      const text::WordRun all = pair.all();
      if (all.end <= at) continue;
      if (all.first >= words.end) break;
      if (all.first > at) add_sentences({at, all.first});
      if (all.first >= at) add_pair(pair);
      at = all.end;
    }
    if (at < words.end) add_sentences({at, words.end});
  }

  void add_pair(const text::LabelPair& pair) {
    if (open_words() > 0 && open_words() + pair.all().count() > kMostWords) end_text();
    std::string& text = open_.passage.text;
    for (std::uint32_t word = pair.label.first; word < pair.label.end; ++word) {
      std::string own = page_.words[word].text;
      if (word == pair.label.first && own.starts_with('(')) own.erase(0, 1);
      if (word + 1 == pair.label.end) own = without_leader(std::move(own)) + ":";
      add_word(word, own);
    }
    for (std::uint32_t word = pair.value.first; word < pair.value.end; ++word) {
      const bool is_alone = pair.value.count() == 1;
      if (!is_alone && is_note_mark(page_.words[word].text)) {
        add_word(word, {});
        continue;
      }
      // The model does not know the signs of boxes.
      const text::CheckMark mark = text::check_mark(page_.words[word].text);
      add_word(word, mark == text::CheckMark::ticked  ? "yes"
                     : mark == text::CheckMark::empty ? "no"
                                                      : page_.words[word].text);
    }
    if (!text.ends_with('.')) text += '.';
  }

  // Removes what ends a label: a colon, a parenthesis, leader dots.
  static std::string without_leader(std::string text) {
    constexpr std::string_view kEllipsis = "\u2026";
    while (text.ends_with(kEllipsis)) text.resize(text.size() - kEllipsis.size());
    const std::size_t last = text.find_last_not_of(":)._");
    text.erase(last == std::string::npos ? 0 : last + 1);
    return text;
  }

  void add_word(std::uint32_t word, std::string_view text) {
    if (!text.empty()) append_word(text, &open_.passage.text);
    open_.text_words.push_back(word);
    open_.ends.push_back(static_cast<std::uint32_t>(open_.passage.text.size()));
  }

  // --- Tables

  // Lines of running text between the rows become passages of their own, because they have no
  // cells.
  void add_table(const Element& element) {
    if (const TableCells stated = stated_cells(page_, element); stated.columns() > 1) {
      return add_windows(stated, element);
    }
    std::vector<Line> rows;
    for (const Line& line : lines_beside_caption(page_, element)) {
      if (!is_running_text(page_, line)) {
        rows.push_back(line);
        continue;
      }
      add_rows(std::exchange(rows, {}), element);
      take_context(context_of(element));
      add_sentences(text::run_of({&line, 1}));
    }
    add_rows(rows, element);
    end_text();
  }

  void add_rows(const std::vector<Line>& lines, const Element& element) {
    if (lines.empty()) return;
    const TableCells table = table_cells(page_, lines);
    // Not a table after all, so its lines are read as running text.
    if (table.columns() < 2) {
      take_context(context_of(element));
      add_sentences(text::run_of(lines));
      return;
    }
    add_windows(table, element);
  }

  void add_windows(const TableCells& table, const Element& element) {
    end_text();
    const std::string context = context_of_table(element);
    for (std::size_t row = static_cast<std::size_t>(table.header_rows); row < table.rows.size();) {
      row = add_window(table, row, context);
    }
  }

  std::string context_of_table(const Element& element) const {
    std::string context = context_of(element);
    if (context.empty()) context = line_before(element);
    // Units may be stated far above the table, for example once at the top of the page.
    if (text::stated_units(context)) return context;
    for (std::uint32_t line = element.first_line; line > 0; --line) {
      const std::string above = short_line(line - 1);
      if (!text::stated_units(above)) continue;
      if (text::is_in_earlier_table(page_, line - 1, element.first_line)) continue;
      add_to_context(above, &context);
      break;
    }
    return context;
  }

  // Returns the line before the element, which may be the title of a table without headings.
  std::string line_before(const Element& element) const {
    if (&element == page_.elements.data()) return "";
    const Element& before = *(&element - 1);
    const bool is_body = before.kind != ElementKind::furniture && before.line_count > 0;
    return is_body ? short_line(before.first_line + before.line_count - 1) : std::string();
  }

  // Returns the text of a line, or an empty text if it is too long for a note.
  std::string short_line(std::uint32_t number) const {
    const Line& line = page_.lines[number];
    return line.word_count <= kShortLine ? line_text(page_, line) : std::string();
  }

  // Adds as many rows from `begin` as fit below the heads, at least one. Returns the first row that
  // is left.
  std::size_t add_window(const TableCells& table, std::size_t begin, const std::string& context) {
    PagePassage window;
    window.passage.context = context;
    window.passage.header_rows = table.header_rows;
    std::size_t pieces = 0;
    const auto add = [&](std::size_t row) {
      std::vector<std::string> texts = table.texts[row];
      const std::size_t more = pieces_in(texts);
      if (row > begin && pieces + more > kTablePieces) return false;
      pieces += more;
      window.passage.rows.push_back(std::move(texts));
      window.cell_words.push_back(table.rows[row]);
      return true;
    };
    for (int head = 0; head < table.header_rows; ++head) add(static_cast<std::size_t>(head));
    std::size_t row = begin;
    while (row < table.rows.size() && add(row)) ++row;
    passages_.push_back(std::move(window));
    return row;
  }

  const Page& page_;
  const std::vector<text::LabelPair> pairs_;
  std::string context_;
  PagePassage open_;
  std::vector<PagePassage> passages_;
};

}  // namespace

std::vector<std::uint32_t> PagePassage::words_at(const Place& place) const {
  if (place.is_cell()) {
    return cell_words[static_cast<std::size_t>(place.row)][static_cast<std::size_t>(place.column)];
  }
  std::vector<std::uint32_t> touched;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const std::uint32_t begin = i == 0 ? 0 : ends[i - 1];
    if (begin < place.end && place.begin < ends[i]) touched.push_back(text_words[i]);
  }
  return touched;
}

std::vector<std::uint32_t> PagePassage::all_words() const {
  std::set<std::uint32_t> all(text_words.begin(), text_words.end());
  for (const auto& row : cell_words) {
    for (const auto& cell : row) all.insert(cell.begin(), cell.end());
  }
  return {all.begin(), all.end()};
}

std::size_t estimated_pieces(const models::QaPassage& passage) {
  std::size_t pieces = pieces_in(passage.context) + pieces_in(passage.text);
  for (const auto& row : passage.rows) pieces += pieces_in(row);
  return pieces;
}

std::vector<PagePassage> page_passages(const Page& page) { return PassageCutter(page).cut(); }

}  // namespace fineprint::evidence
