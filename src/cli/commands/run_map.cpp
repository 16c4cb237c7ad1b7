// `fineprint map`: prints the maps of documents as a tree or as JSON.
#include "fineprint/docmap/document_map.h"
#include "fineprint/docmap/stored_map.h"
#include "fineprint/session/corpus.h"
#include "fineprint/store/store.h"

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

std::vector<docmap::DocumentMap> maps_of(const store::Store& store, const std::string& doc) {
  const session::Corpus corpus(store);
  std::vector<docmap::DocumentMap> maps;
  for (const DocumentId document : corpus.pool({doc})) {
    maps.push_back(docmap::stored_map(store, corpus.documents()[document.value].row));
  }
  return maps;
}

}  // namespace

int run_map(const Settings& settings) {
  allow_arguments(settings, 1);
  const std::string doc = argument(settings, 0, "DOC (a document of the store)");
  const store::Store store(store_dir(settings), store::Mode::read);
  for (const docmap::DocumentMap& map : maps_of(store, doc)) {
    if (settings.flag("json")) {
      print_line(docmap::to_json(map));
    } else {
      for (const std::string& line : docmap::tree_lines(map)) print_line(line);
    }
  }
  return 0;
}

}  // namespace fineprint::cli
