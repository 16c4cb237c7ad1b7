// Makes maps of documents from what the store has of them.
// Source: DMAP, section 3.2.
#include "ingest/document_maps.h"

#include "fineprint/core/progress.h"
#include "fineprint/core/threads.h"
#include "fineprint/docmap/heuristic.h"

namespace fineprint::ingest {

namespace {

std::vector<store::DocumentRow> documents_to_map(const store::Store& store,
                                                 std::string_view maker) {
  std::vector<store::DocumentRow> out;
  for (store::DocumentRow& row : store.documents()) {
    const auto stored = store.document_map(row.id);
    if (!stored || stored->maker != maker) out.push_back(std::move(row));
  }
  return out;
}

}  // namespace

std::int64_t update_document_maps(const IngestOptions& options, store::Store& store) {
  const std::string maker(docmap::kHeuristicMaker);
  const std::vector<store::DocumentRow> documents = documents_to_map(store, maker);
  if (documents.empty()) return 0;
  Progress progress("mapping", "documents", std::ssize(documents));
  const int threads = options.reader.workers > 0 ? options.reader.workers : usable_cores();
  parallel_for(documents.size(), threads, [&](std::size_t i) {
    const store::DocumentRow& row = documents[i];
    const docmap::DocumentMap map =
        docmap::heuristic_map(row, store.outline(row.id), [&](int number) {
          throw_if_interrupted();
          return store.page(row.id, number);
        });
    store.put_document_map(row.id, {maker, docmap::to_json(map)});
    progress.advance();
  });
  progress.finish();
  return std::ssize(documents);
}

}  // namespace fineprint::ingest
