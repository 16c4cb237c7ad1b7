// Compares the terms that are asked for with the heads of rows and columns.
#include "pipelines/investigate/cells.h"

#include <algorithm>
#include <set>
#include <vector>

#include "fineprint/core/format.h"
#include "fineprint/evidence/page_markdown.h"
#include "fineprint/text/page_parts.h"
#include "fineprint/text/terms.h"

namespace fineprint::pipelines::investigate {
namespace {

using HeadTerms = std::set<std::string>;

HeadTerms head_terms(std::string_view text) {
  const std::vector<std::string> all = text::terms(text);
  return {all.begin(), all.end()};
}

// Returns the index of the shortest head, in terms, that has all of `wanted`; nothing if none has.
// Index 0 counts only for rows: the first column has the heads of rows.
std::optional<std::size_t> head_with(const HeadTerms& wanted, const std::vector<std::string>& heads,
                                     std::size_t first) {
  std::optional<std::size_t> best;
  std::size_t fewest = 0;
  for (std::size_t i = first; i < heads.size(); ++i) {
    const HeadTerms present = head_terms(heads[i]);
    if (wanted.empty() || !std::ranges::includes(present, wanted)) continue;
    if (best && present.size() >= fewest) continue;
    best = i;
    fewest = present.size();
  }
  return best;
}

std::vector<std::string> column_heads(const evidence::PageTable& table) {
  std::vector<std::string> heads(table.rows.empty() ? 0 : table.rows.front().size());
  const auto count = static_cast<std::size_t>(std::max(table.header_rows, 1));
  for (std::size_t row = 0; row < std::min(count, table.rows.size()); ++row) {
    for (std::size_t i = 0; i < heads.size(); ++i) heads[i] += " " + table.rows[row][i];
  }
  return heads;
}

// Returns the line of the table that has the row's head and the cell; else the cell alone.
std::string line_with(const Page& page, const Element& element, const std::string& head,
                      const std::string& cell) {
  const HeadTerms wanted = head_terms(head + " " + cell);
  for (const Line& line : text::lines_of(page, element)) {
    std::string words = line_text(page, line);
    if (std::ranges::includes(head_terms(words), wanted)) return words;
  }
  return cell;
}

}  // namespace

std::optional<CellText> cell_on(const Page& page, std::string_view row, std::string_view column) {
  for (const Element& element : page.elements) {
    if (element.kind != ElementKind::table) continue;
    const evidence::PageTable table = evidence::page_table(page, element);
    std::vector<std::string> row_heads;
    for (const auto& cells : table.rows) row_heads.push_back(cells.empty() ? "" : cells.front());
    const auto at_row = head_with(head_terms(row), row_heads,
                                  static_cast<std::size_t>(std::max(table.header_rows, 1)));
    const std::vector<std::string> heads = column_heads(table);
    const auto at_column = head_with(head_terms(column), heads, 1);
    if (!at_row || !at_column) continue;
    const std::string& value = table.rows[*at_row][*at_column];
    if (value.empty()) continue;
    const std::string& head = table.rows[*at_row].front();
    return CellText{line_with(page, element, head, value),
                    format("{},{}: {}", head, heads[*at_column], value)};
  }
  return std::nullopt;
}

}  // namespace fineprint::pipelines::investigate
