// Cuts a page into snippets: sentences, table rows, and labels with their values.
#include "pipelines/reading/snippets.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>

#include "fineprint/core/text.h"
#include "fineprint/core/unicode.h"
#include "fineprint/core/word_break.h"
#include "fineprint/text/label_pairs.h"
#include "fineprint/text/language.h"
#include "fineprint/text/page_parts.h"
#include "fineprint/text/stated_grid.h"
#include "fineprint/text/terms.h"

namespace fineprint::pipelines {
namespace {

constexpr std::uint32_t kLongestSnippet = 60;  // words
constexpr std::size_t kLeastLetters = 3;       // letters and digits; shorter text is a mark

bool has_figure(const std::string& word) {
  return std::any_of(word.begin(), word.end(), [](unsigned char c) { return std::isdigit(c); });
}

// A clause of Chinese or Japanese is one word, whatever figures it contains.
bool has_ideograph(const std::string& word) {
  for (std::size_t at = 0; at < word.size();) {
    if (is_han_or_kana(next_code_point(word, &at))) return true;
  }
  return false;
}

// Returns whether the word continues a number that is written with spaces: "250" after "48".
bool goes_on_number(const std::string& before, const std::string& word) {
  constexpr std::size_t kGroupDigits = 3;
  const auto is_digits = [](const std::string& text) {
    return std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
  };
  return is_digits(before) && before.size() <= kGroupDigits && word.size() >= kGroupDigits &&
         is_digits(word.substr(0, kGroupDigits)) &&
         (word.size() == kGroupDigits ||
          std::isdigit(static_cast<unsigned char>(word[kGroupDigits])) == 0);
}

// Returns true for a year and what may follow one in a row of headings, for example "2019," or
// "2019*".
bool begins_with_year(std::string_view word) {
  return is_bare_year(word.substr(0, 4)) &&
         (word.size() == 4 || !std::isalnum(static_cast<unsigned char>(word[4])));
}

// Returns the number of letters and digits. A letter beyond ASCII counts as its bytes, because a
// single ideograph may be a whole word.
std::size_t letters_of(const std::string& text) {
  std::size_t letters = 0;
  for (std::size_t at = 0, start = 0; at < text.size(); start = at) {
    const char32_t c = next_code_point(text, &at);
    if (is_letter(c) || is_digit(c)) letters += at - start;
  }
  return letters;
}

// Returns whether a line consists mostly of figures, whether or not the layout found a table there.
// Requires two figures, a quarter of the words, and at most 40 words: longer lines are sentences.
bool is_row_of_figures(const Page& page, const Line& line) {
  // English never groups digits by spaces, so "48 250" there is two figures.
  const bool groups_by_blanks = !text::is_english(page.language);
  std::uint32_t figures = 0, words = line.word_count;
  for (std::uint32_t i = 0; i < line.word_count; ++i) {
    const std::string& word = page.words[line.first_word + i].text;
    if (groups_by_blanks && i > 0 &&
        goes_on_number(page.words[line.first_word + i - 1].text, word)) {
      --words;
    } else if (has_figure(word) && !has_ideograph(word)) {
      ++figures;
    }
  }
  return figures >= 2 && figures * 4 >= words && words <= 40;
}

// Returns whether a line goes on with the sentence of the line before it: that one fills the width
// and ends no sentence, and this one begins small or with a figure and has function words.
bool goes_on_sentence(const Page& page, const Element& element, const Line& before,
                      const Line& line) {
  constexpr float kFull = 0.85F;  // of the width of the element
  if (element.kind == ElementKind::table || before.word_count == 0 || line.word_count == 0) {
    return false;
  }
  const std::string& last = page.words[before.first_word + before.word_count - 1].text;
  const char first = page.words[line.first_word].text.front();
  const bool is_begin = (first >= 'a' && first <= 'z') || (first >= '0' && first <= '9');
  if (!is_begin || std::string_view(".:;!?").find(last.back()) != std::string_view::npos ||
      before.box.x1 < element.box.x0 + kFull * element.box.width()) {
    return false;
  }
  for (std::uint32_t i = 0; i < line.word_count; ++i) {
    const std::string& word = page.words[line.first_word + i].text;
    if (text::is_stop_word(word, page.language)) return true;
  }
  return false;
}

// Returns whether a row names the columns of a table by years.
bool names_columns(const Page& page, const Line& line) {
  std::uint32_t years = 0;
  for (std::uint32_t i = 0; i < line.word_count; ++i) {
    years += begins_with_year(page.words[line.first_word + i].text) ? 1 : 0;
  }
  return years >= 2 && line.word_count <= 16;
}

// Returns whether the word goes on with the next one.
bool is_broken(std::string word) { return take_off_break(&word); }

// Collects the snippets of one page.
class Cutter {
 public:
  explicit Cutter(const Page& page) : page_(page), pairs_(text::label_pairs(page)) {}

  std::vector<Snippet> cut() {
    for (const Element& element : page_.elements) {
      if (element.kind == ElementKind::furniture) continue;
      context_ = text::headings_above(page_, element);
      if (!element.caption.empty()) {
        context_ += (context_.empty() ? "" : " ") + element.caption;
      }
      is_heading_ = element.kind == ElementKind::heading;
      cut_element(element);
    }
    return std::move(snippets_);
  }

 private:
  void cut_element(const Element& element) {
    const text::StatedGrid grid = text::stated_grid(element);
    if (grid.columns() > 1 && !text::is_form(page_, element)) return add_stated_rows(element, grid);
    const std::span<const Line> lines = text::lines_of(page_, element);
    std::size_t first_running = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const bool has_pair = touches_pair(lines[i]);
      const bool is_row = element.kind == ElementKind::table || is_row_of_figures(page_, lines[i]);
      if (!has_pair && !is_row) continue;
      if (!has_pair && first_running < i &&
          goes_on_sentence(page_, element, lines[i - 1], lines[i])) {
        continue;
      }
      add_sentences(lines.subspan(first_running, i - first_running));
      if (has_pair) {
        add_pairs(lines[i]);
      } else {
        add_row(lines[i]);
      }
      first_running = i + 1;
    }
    add_sentences(lines.subspan(first_running));
  }

  // Adds each line of a table whose cells the file states. The heads, and cells that span the row
  // from above, are its context.
  void add_stated_rows(const Element& element, const text::StatedGrid& grid) {
    const std::string heads = text::all_heads(page_, grid);
    for (const Line& line : text::lines_of(page_, element)) {
      Snippet row;
      row.is_row = true;
      row.context = context_;
      const std::size_t number = row_of(element, line);
      row.names_columns = number < grid.head_rows;
      if (!row.names_columns) {
        row.context += (context_.empty() ? "" : " ") + heads;
        if (number < grid.rows.size()) add_spanning(grid.rows[number], number, &row.context);
      }
      add(text::run_of({&line, 1}), row);
    }
  }

  // Adds the cells of a row that begin above it.
  void add_spanning(const std::vector<const StatedCell*>& row, std::size_t number,
                    std::string* context) const {
    for (const StatedCell* cell : row) {
      if (cell == nullptr || cell->row >= number || cell->is_head) continue;
      append_word(text::text_of_cell(page_, *cell), context);
    }
  }

  // Returns the row of the cell that the line begins with, or the largest number if it has none.
  static std::size_t row_of(const Element& element, const Line& line) {
    const auto cell = std::ranges::find_if(element.cells, [&](const StatedCell& one) {
      return one.first_word <= line.first_word && line.first_word < one.first_word + one.word_count;
    });
    return cell == element.cells.end() ? static_cast<std::size_t>(-1) : cell->row;
  }

  // Returns whether some of the line's words belong to a pair. Leaves `next_pair_` at the first
  // pair that does not end before the line.
  bool touches_pair(const Line& line) {
    while (next_pair_ < pairs_.size() && pairs_[next_pair_].all().end <= line.first_word) {
      ++next_pair_;
    }
    return next_pair_ < pairs_.size() &&
           pairs_[next_pair_].all().first < line.first_word + line.word_count;
  }

  // Adds the pairs that begin in the line, and the words between them as running text. A pair may
  // end in another line.
  void add_pairs(const Line& line) {
    const std::uint32_t end = line.first_word + line.word_count;
    std::uint32_t at = line.first_word;
    for (std::size_t i = next_pair_; i < pairs_.size() && pairs_[i].all().first < end; ++i) {
      const text::WordRun all = pairs_[i].all();
      if (all.first > at) add_sentences(std::array{Line{at, all.first - at, {}}});
      if (all.first >= at) {
        Snippet pair;
        pair.context = context_;
        pair.label = pairs_[i].label;
        pair.value = pairs_[i].value;
        add(all, pair);
      }
      at = std::max(at, all.end);
    }
    if (at < end) add_sentences(std::array{Line{at, end - at, {}}});
  }

  void add_row(const Line& line) {
    Snippet row;
    row.is_row = true;
    row.names_columns = names_columns(page_, line);
    if (row.names_columns) columns_ = line;
    row.context = context_;
    if (columns_.word_count > 0 && columns_.first_word != line.first_word) {
      row.first_column_word = columns_.first_word;
      row.column_word_count = columns_.word_count;
      row.context += (context_.empty() ? "" : " ") + line_text(page_, columns_);
    }
    add(text::run_of({&line, 1}), row);
  }

  // Adds lines as running text.
  void add_sentences(std::span<const Line> lines) {
    for (const text::WordRun& sentence : text::sentences_in(page_, text::run_of(lines))) {
      Snippet snippet;
      snippet.context = context_;
      for (std::uint32_t first = sentence.first; first < sentence.end;) {
        std::uint32_t end = std::min(first + kLongestSnippet, sentence.end);
        // A word that is broken at the end of a line is not cut in two.
        while (end < sentence.end && end > first + 1 && is_broken(page_.words[end - 1].text)) --end;
        add({first, end}, snippet);
        first = end;
      }
    }
  }

  void add(const text::WordRun& words, Snippet snippet) {
    snippet.first_word = words.first;
    snippet.word_count = words.count();
    snippet.text = text::joined_words(page_, words);
    snippet.is_heading = is_heading_ && !snippet.is_pair();
    if (letters_of(snippet.text) >= kLeastLetters) snippets_.push_back(std::move(snippet));
  }

  const Page& page_;
  const std::vector<text::LabelPair> pairs_;
  std::size_t next_pair_ = 0;
  std::string context_;
  bool is_heading_ = false;
  Line columns_;
  std::vector<Snippet> snippets_;
};

}  // namespace

std::vector<Snippet> snippets_of(const Page& page) { return Cutter(page).cut(); }

}  // namespace fineprint::pipelines
