// `fineprint list`: lists the documents of a store.
#include <algorithm>

#include "fineprint/core/dates.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"
#include "fineprint/core/shortened.h"
#include "fineprint/core/unicode.h"
#include "fineprint/documents/kinds.h"
#include "fineprint/exchange/holdings.h"
#include "fineprint/store/store.h"

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

using ListedCells = std::vector<std::string>;

// Decimal units: 1 kB is 1000 bytes.
std::string bytes_text(std::int64_t bytes) {
  const auto size = static_cast<double>(bytes);
  if (size < 1e3) return format("{} B", bytes);
  if (size < 1e6) return format("{:.0f} kB", size / 1e3);
  return size < 1e9 ? format("{:.1f} MB", size / 1e6) : format("{:.1f} GB", size / 1e9);
}

// The day is enough to recognize a document; --json has the exact time.
std::string day_of(const store::FileStamp& stamp) {
  return utc_text(moment_of(stamp.mtime_ns)).substr(0, 10);
}

// Returns, for example, "late 3/8, text". If a set lacks vectors, the numbers say how many there
// are.
std::string sets_text(const exchange::Holding& holding) {
  std::string out;
  for (const auto& [name, held] : holding.sets) {
    out += (out.empty() ? "" : ", ") + name;
    if (held.missing > 0) out += format(" {}/{}", held.vectors, held.vectors + held.missing);
  }
  return out;
}

// Returns remarks about a document: a map, pages that wait for OCR, pages that could not be read,
// or hidden words.
std::string notes_on(const exchange::Holding& holding) {
  std::string out = holding.has_map ? "map" : "";
  const auto add = [&](const std::string& note) { out += (out.empty() ? "" : "; ") + note; };
  if (holding.row.waiting_pages > 0) {
    add(format("{} pages wait for OCR", holding.row.waiting_pages));
  }
  if (const auto bad = std::ssize(holding.problem_pages); bad > 0) {
    add(format("{} not read completely: page {}: {}",
               bad == 1 ? "one page" : format("{} pages", bad), holding.problem_pages.front(),
               shortened(one_line(holding.problem), 120)));
  }
  if (holding.row.hidden_words > 0) {
    add(format("{} hidden words on {} pages", holding.row.hidden_words, holding.row.hidden_pages));
  }
  return out;
}

ListedCells cells_of(const exchange::Holding& holding) {
  const store::DocumentRow& row = holding.row;
  return {row.doc,
          documents::kind_of(row.path),
          std::to_string(row.page_count),
          bytes_text(row.stamp.size),
          day_of(row.stamp),
          sets_text(holding),
          notes_on(holding)};
}

ListedCells cells_of(const store::UnreadFile& file) {
  return {file.doc,
          documents::kind_of(file.path),
          "-",
          bytes_text(file.stamp.size),
          day_of(file.stamp),
          "",
          format("failed: {}", code_name(file.code))};
}

// Columns are as wide as the characters of their longest cell; bytes would let a name with accents
// shift the columns after it. Numbers are aligned at the right.
void print_listing(const std::vector<ListedCells>& rows) {
  const ListedCells heads = {"document", "kind", "pages", "size", "changed", "vectors", "notes"};
  std::vector<std::size_t> widths;
  for (std::size_t column = 0; column < heads.size(); ++column) {
    std::size_t width = heads[column].size();
    for (const ListedCells& row : rows) width = std::max(width, count_code_points(row[column]));
    widths.push_back(width);
  }
  const auto print = [&](const ListedCells& row) {
    std::string line;
    for (std::size_t column = 0; column < row.size(); ++column) {
      const std::string space(widths[column] - count_code_points(row[column]), ' ');
      const bool is_number = column == 2 || column == 3;
      line += column > 0 ? "  " : "";
      line += is_number ? space + row[column] : row[column] + space;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    print_line(line);
  };
  print(heads);
  for (const ListedCells& row : rows) print(row);
}

// Both the listed documents and the whole store are counted, because a filter may hide most of it.
void note_totals(const exchange::Collection& listed, const store::Totals& totals) {
  std::int64_t pages = 0;
  for (const exchange::Holding& one : listed.documents) pages += one.row.page_count;
  log::note("{} documents, {} pages{}; the store has {} documents and {} pages in {}",
            listed.documents.size(), pages,
            listed.failures.empty()
                ? std::string()
                : format(", {} files that could not be read", listed.failures.size()),
            totals.documents, totals.pages, bytes_text(totals.bytes));
}

}  // namespace

int run_list(const Settings& settings) {
  const store::Store store(store_dir(settings), store::Mode::read);
  const exchange::Collection listed =
      exchange::collection(store, document_filter(settings, settings.arguments));
  if (settings.flag("json")) {
    for (const exchange::Holding& one : listed.documents)
      print_line(dump_json(exchange::describe(one)));
    for (const store::UnreadFile& one : listed.failures)
      print_line(dump_json(exchange::describe(one)));
    return 0;
  }
  std::vector<ListedCells> rows;
  for (const exchange::Holding& one : listed.documents) rows.push_back(cells_of(one));
  for (const store::UnreadFile& one : listed.failures) rows.push_back(cells_of(one));
  if (!rows.empty()) print_listing(rows);
  note_totals(listed, store.totals());
  return 0;
}

}  // namespace fineprint::cli
