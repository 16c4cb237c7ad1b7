// Compares the label of a row, and the first line of its table, with the question.
#include "pipelines/extractive/named_row.h"

#include <algorithm>
#include <span>

#include "fineprint/text/page_parts.h"
#include "fineprint/text/terms.h"

#include "pipelines/extractive/amounts.h"

namespace fineprint::pipelines::extractive {
namespace {

std::string label_of_row(const Page& page, const Snippet& row) {
  std::string label;
  for (std::uint32_t i = 0; i < row.word_count; ++i) {
    const std::string& word = page.words[row.first_word + i].text;
    if (has_digit(word)) break;
    append_word(word, &label);
  }
  return label;
}

// Returns the first line of the table that has the row; nothing if it has figures, as no head has.
std::string head_of_table(const Page& page, const Snippet& row) {
  for (const Element& element : page.elements) {
    const std::span<const Line> lines = text::lines_of(page, element);
    const bool has_row = std::ranges::any_of(lines, [&](const Line& line) {
      return line.first_word <= row.first_word &&
             row.first_word < line.first_word + line.word_count;
    });
    if (!has_row) continue;
    const std::string head = line_text(page, lines.front());
    return has_digit(head) ? std::string() : head;
  }
  return {};
}

}  // namespace

bool is_row_of_name(const Page& page, const Snippet& row, const retrieve::Query& query,
                    const std::vector<std::string>& names) {
  if (!row.is_row || names.empty()) return false;
  const auto is_name = [&](const std::string& term) {
    return std::ranges::find(names, term) != names.end();
  };
  const std::vector<std::string> label = text::terms(label_of_row(page, row), page.language);
  if (label.empty() || !std::ranges::all_of(label, is_name)) return false;
  const std::vector<std::string> head = text::terms(head_of_table(page, row), page.language);
  return std::ranges::any_of(query.asked_terms, [&](const std::string& term) {
    return !is_name(term) && std::ranges::find(head, term) != head.end();
  });
}

}  // namespace fineprint::pipelines::extractive
