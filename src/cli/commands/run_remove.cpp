// `fineprint remove`: removes documents from a store.
#include <set>

#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"
#include "fineprint/exchange/holdings.h"
#include "fineprint/store/store.h"

#include "cli/commands.h"
#include "cli/kept_files.h"
#include "cli/output.h"
#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

void print_removed(const exchange::Collection& removed, bool json) {
  for (const exchange::Holding& one : removed.documents) {
    if (json) {
      print_line(
          dump_json({{"doc", one.row.doc}, {"status", "removed"}, {"pages", one.row.page_count}}));
    } else {
      print_line(format("removed {} ({} pages)", one.row.doc, one.row.page_count));
    }
  }
  for (const store::UnreadFile& one : removed.failures) {
    if (json) {
      print_line(dump_json({{"doc", one.doc}, {"status", "forgotten"}}));
    } else {
      print_line(format("removed the record of {}, which could not be read", one.doc));
    }
  }
}

std::vector<std::string> names_in(const exchange::Collection& removed) {
  std::set<std::string> names;
  for (const exchange::Holding& one : removed.documents) names.insert(one.row.doc);
  for (const store::UnreadFile& one : removed.failures) names.insert(one.doc);
  return {names.begin(), names.end()};
}

}  // namespace

int run_remove(const Settings& settings) {
  argument(settings, 0, "DOC (a document of the store, or a glob in quotes)");
  const std::string dir = store_dir(settings);
  require_store(dir);
  store::Store store(dir, store::Mode::write);
  const exchange::Collection removed =
      exchange::collection(store, document_filter(settings, settings.arguments));
  // All documents go in one transaction, so that an interrupt removes all of them or none.
  store.remove_all(names_in(removed));
  print_removed(removed, settings.flag("json"));
  // Removed text stays in the files until they are rewritten.
  store.compact();
  prune_pdfs(store);
  if (!removed.documents.empty()) {
    log::note("the files themselves were not changed; `index` on their folder adds them again");
  }
  return 0;
}

}  // namespace fineprint::cli
