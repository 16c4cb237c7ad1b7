// Collects what a store holds of each document.
#include "fineprint/exchange/holdings.h"

#include <set>
#include <utility>

#include "fineprint/core/dates.h"
#include "fineprint/core/error.h"
#include "fineprint/core/json.h"
#include "fineprint/documents/address.h"
#include "fineprint/documents/kinds.h"

namespace fineprint::exchange {
namespace {

// Returns a row for filters. It has no id, whereas every document has one.
store::DocumentRow as_row(const store::UnreadFile& file) {
  store::DocumentRow row;
  // The id stays 0, which marks the row as one of a failed file.
  row.doc = file.doc;
  row.path = file.path;
  row.stamp = file.stamp;
  return row;
}

// Failed files are filtered together with documents, so that one pattern selects both.
std::vector<store::DocumentRow> rows_of_all(const store::Store& store,
                                            const std::vector<store::UnreadFile>& unread) {
  std::vector<store::DocumentRow> rows = store.documents();
  for (const store::UnreadFile& file : unread) rows.push_back(as_row(file));
  return rows;
}

// Counts what the sets have and lack of each document, in one pass over each set.
void count_vectors(const store::Store& store, std::map<std::int64_t, Holding*>& holding_of) {
  for (const auto& [document, sets] : store.vector_counts()) {
    const auto found = holding_of.find(document);
    if (found == holding_of.end()) continue;
    for (const auto& [set, vectors] : sets) found->second->sets[set].vectors = vectors;
  }
  for (const store::VectorSet& set : store.vector_sets()) {
    for (const auto& [document, ranges] : store.missing_vectors(set.name)) {
      const auto found = holding_of.find(document);
      if (found == holding_of.end()) continue;
      for (const store::UnitRange& range : ranges) {
        found->second->sets[set.name].missing += range.count;
      }
    }
  }
}

// Returns the problem of the first page that has one. A damaged page has none that can be read; the
// list shows what else is there.
std::string first_problem(const store::Store& store, const Holding& holding) {
  if (holding.problem_pages.empty()) return {};
  try {
    return store.page(holding.row.id, holding.problem_pages.front()).problem;
  } catch (const Error&) {
    return {};
  }
}

const char* status_of(const Holding& holding) {
  // Problems first, because a page that failed is worth more attention than one that waits.
  if (!holding.problem_pages.empty()) return "partly";
  return holding.row.waiting_pages > 0 ? "waiting" : "indexed";
}

}  // namespace

Collection collection(const store::Store& store, const session::DocumentFilter& filter) {
  std::vector<store::UnreadFile> unread = store.unread_files();
  std::set<std::string> failed;
  Collection out;
  for (store::DocumentRow& row :
       session::filtered(rows_of_all(store, unread), filter, store.dir())) {
    // Rows without an id are failed files.
    if (row.id == 0) {
      failed.insert(row.doc);
    } else {
      out.documents.push_back(
          {.row = std::move(row), .sets = {}, .problem_pages = {}, .problem = {}});
    }
  }
  for (store::UnreadFile& file : unread) {
    // The filter worked on rows; here the failures get back their code and message.
    if (failed.contains(file.doc)) out.failures.push_back(std::move(file));
  }
  std::map<std::int64_t, Holding*> holding_of;
  const std::set<std::int64_t> mapped = store.mapped_documents();
  // One query for all documents, because one for each would be slow for stores of many thousands.
  auto problems = store.pages_with_problems();
  for (Holding& one : out.documents) {
    holding_of[one.row.id] = &one;
    one.has_map = mapped.contains(one.row.id);
    one.problem_pages = std::move(problems[one.row.id]);
    one.problem = first_problem(store, one);
  }
  count_vectors(store, holding_of);
  return out;
}

Json describe(const Holding& holding) {
  const store::DocumentRow& row = holding.row;
  Json sets = Json::object();
  for (const auto& [name, count] : holding.sets) {
    sets[name] = {{"vectors", count.vectors}, {"missing", count.missing}};
  }
  return {{"doc", row.doc},
          {"path", documents::shown_path(row.path)},
          {"status", status_of(holding)},
          {"title", row.title},
          {"kind", documents::kind_of(row.path)},
          {"format", row.format},
          {"pages", row.page_count},
          {"ocr_pages", row.ocr_pages},
          {"waiting_pages", row.waiting_pages},
          {"problem_pages", holding.problem_pages},
          {"hidden_words", row.hidden_words},
          {"hidden_pages", row.hidden_pages},
          {"problem", holding.problem},
          {"bytes", row.stamp.size},
          {"changed", utc_text(moment_of(row.stamp.mtime_ns))},
          {"hash", row.hash},
          {"languages", row.languages},
          {"map", holding.has_map},
          {"sets", std::move(sets)}};
}

Json describe(const store::UnreadFile& file) {
  return {{"doc", file.doc},
          {"path", documents::shown_path(file.path)},
          {"status", "failed"},
          {"kind", documents::kind_of(file.path)},
          {"bytes", file.stamp.size},
          {"changed", utc_text(moment_of(file.stamp.mtime_ns))},
          {"code", code_name(file.code)},
          {"message", file.message}};
}

}  // namespace fineprint::exchange
