// Cuts a page into snippets: sentences and table rows.
#include "pipelines/reading/snippets.h"

#include <algorithm>
#include <cctype>
#include <span>

#include "fineprint/core/text.h"
#include "fineprint/core/unicode.h"
#include "fineprint/text/language.h"
#include "fineprint/text/page_parts.h"

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

// Returns whether a row names the columns of a table by years.
bool names_columns(const Page& page, const Line& line) {
  std::uint32_t years = 0;
  for (std::uint32_t i = 0; i < line.word_count; ++i) {
    years += begins_with_year(page.words[line.first_word + i].text) ? 1 : 0;
  }
  return years >= 2 && line.word_count <= 16;
}

// Collects the snippets of one page.
class Cutter {
 public:
  explicit Cutter(const Page& page) : page_(page) {}

  std::vector<Snippet> cut() {
    for (const Element& element : page_.elements) {
      if (element.kind == ElementKind::furniture) continue;
      context_ = text::headings_above(page_, element);
      if (!element.caption.empty()) {
        context_ += (context_.empty() ? "" : " ") + element.caption;
      }
      cut_element(element);
    }
    return std::move(snippets_);
  }

 private:
  void cut_element(const Element& element) {
    const std::span<const Line> lines = text::lines_of(page_, element);
    std::size_t first_running = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (element.kind != ElementKind::table && !is_row_of_figures(page_, lines[i])) continue;
      add_sentences(lines.subspan(first_running, i - first_running));
      add_row(lines[i]);
      first_running = i + 1;
    }
    add_sentences(lines.subspan(first_running));
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
      for (std::uint32_t first = sentence.first; first < sentence.end; first += kLongestSnippet) {
        add({first, std::min(first + kLongestSnippet, sentence.end)}, snippet);
      }
    }
  }

  void add(const text::WordRun& words, Snippet snippet) {
    snippet.first_word = words.first;
    snippet.word_count = words.count();
    snippet.text = text::joined_words(page_, words);
    if (letters_of(snippet.text) >= kLeastLetters) snippets_.push_back(std::move(snippet));
  }

  const Page& page_;
  std::string context_;
  Line columns_;
  std::vector<Snippet> snippets_;
};

}  // namespace

std::vector<Snippet> snippets_of(const Page& page) { return Cutter(page).cut(); }

}  // namespace fineprint::pipelines
