// Cuts a page into snippets: sentences and table rows.
#include "pipelines/reading/snippets.h"

#include <algorithm>
#include <cctype>

#include "fineprint/core/text.h"
#include "fineprint/core/unicode.h"
#include "fineprint/text/language.h"
#include "fineprint/text/sentences.h"

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

// The text of words [first, first + count), and the byte where each word ends.
struct WordsText {
  std::string text;
  std::vector<std::size_t> ends;
};

WordsText words_text(const Page& page, std::uint32_t first, std::uint32_t count) {
  WordsText out;
  for (std::uint32_t i = first; i < first + count; ++i) {
    append_word(page.words[i].text, &out.text);
    out.ends.push_back(out.text.size());
  }
  return out;
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

std::string heading_path(const Page& page, const Element& element) {
  std::string path;
  for (std::int32_t at = element.parent; at >= 0; at = page.elements[at].parent) {
    const Element& heading = page.elements[at];
    std::string text;
    for (std::uint32_t i = 0; i < heading.line_count; ++i) {
      text += (i ? " " : "") + line_text(page, page.lines[heading.first_line + i]);
    }
    path = path.empty() ? text : text + " " + path;
  }
  return path;
}

// Collects the snippets of one page.
class Cutter {
 public:
  explicit Cutter(const Page& page) : page_(page) {}

  std::vector<Snippet> cut() {
    for (const Element& element : page_.elements) {
      if (element.kind == ElementKind::furniture) continue;
      context_ = heading_path(page_, element);
      if (!element.caption.empty()) {
        context_ += (context_.empty() ? "" : " ") + element.caption;
      }
      cut_element(element);
    }
    return std::move(snippets_);
  }

 private:
  void cut_element(const Element& element) {
    std::uint32_t first_running = element.first_line;
    const std::uint32_t end = element.first_line + element.line_count;
    for (std::uint32_t i = element.first_line; i < end; ++i) {
      const Line& line = page_.lines[i];
      if (element.kind != ElementKind::table && !is_row_of_figures(page_, line)) continue;
      add_sentences(first_running, i);
      add_row(line);
      first_running = i + 1;
    }
    add_sentences(first_running, end);
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
    add(line.first_word, line.word_count, row);
  }

  // Adds lines [begin, end) as running text.
  void add_sentences(std::uint32_t begin, std::uint32_t end) {
    if (begin >= end) return;
    const std::uint32_t first = page_.lines[begin].first_word;
    const std::uint32_t stop = page_.lines[end - 1].first_word + page_.lines[end - 1].word_count;
    const WordsText all = words_text(page_, first, stop - first);
    std::uint32_t word = first;
    for (const text::Span& sentence : text::sentences(all.text, page_.language)) {
      std::uint32_t count = 0;
      const std::uint32_t from = word;
      // A word that two sentences share belongs to the first of them.
      while (word < stop && (word == first ? 0 : all.ends[word - first - 1]) < sentence.end) {
        ++word;
        ++count;
      }
      Snippet snippet;
      snippet.context = context_;
      for (std::uint32_t done = 0; done < count; done += kLongestSnippet) {
        add(from + done, std::min(kLongestSnippet, count - done), snippet);
      }
    }
  }

  void add(std::uint32_t first, std::uint32_t count, Snippet snippet) {
    snippet.first_word = first;
    snippet.word_count = count;
    snippet.text = words_text(page_, first, count).text;
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
