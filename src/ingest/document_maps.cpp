// Makes document maps from the contents of the store, or lets a model make them. Source: DMAP,
// section 3.2.
#include "ingest/document_maps.h"

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/log.h"
#include "fineprint/core/progress.h"
#include "fineprint/core/threads.h"
#include "fineprint/docmap/heuristic.h"
#include "fineprint/docmap/map_builder.h"
#include "fineprint/docmap/stored_map.h"
#include "fineprint/session/context.h"

#include "ingest/run_errors.h"

namespace fineprint::ingest {

namespace {

// A map by another maker counts as missing, so that it is made again.
bool is_current(const std::optional<store::StoredMap>& stored, std::string_view maker) {
  return stored && stored->maker == maker;
}

std::int64_t map_without_model(const IngestOptions& options, store::Store& store,
                               RunEstimate& estimate) {
  const std::string maker(docmap::kHeuristicMaker);
  std::vector<store::DocumentRow> documents = store.documents();
  std::erase_if(documents, [&](const store::DocumentRow& row) {
    return is_current(store.document_map(row.id), maker);
  });
  estimate.expect(Phase::maps, std::ssize(documents));
  if (documents.empty()) return 0;
  Progress progress("mapping", "documents", std::ssize(documents),
                    [&] { return estimate.after(Phase::maps); });
  const int threads =
      options.document_workers.workers > 0 ? options.document_workers.workers : usable_cores();
  parallel_for(documents.size(), threads, [&](std::size_t i) {
    const store::DocumentRow& row = documents[i];
    const docmap::DocumentMap map =
        docmap::heuristic_map(row, store.outline(row.id), [&](int number) {
          throw_if_interrupted();
          return store.page(row.id, number);
        });
    store.put_document_map(row.id, docmap::to_stored(map, maker));
    estimate.advance(Phase::maps, 1);
    progress.advance();
  });
  progress.finish();
  return std::ssize(documents);
}

session::SessionOptions session_of(const IngestOptions& options) {
  session::SessionOptions out;
  // The model of `--map` takes the place of the generator; no pipeline runs here.
  out.generator = options.map;
  out.model = options.model;
  out.read = options.read;
  out.document_workers = options.document_workers;
  return out;
}

// A document, and the part of its map that exists.
struct Unfinished {
  session::CorpusDocument document;
  docmap::DocumentMap map;
};

// Maps one page of one document after the other. The model sees the pages before each page, and
// each page is stored before the next one is mapped, so that a killed run loses one page.
class MapsByModel {
 public:
  MapsByModel(const IngestOptions& options, store::Store& store, RunEstimate& estimate,
              IngestReport* report)
      : store_(store),
        estimate_(estimate),
        report_(*report),
        session_(store, session_of(options)),
        builder_(session_),
        maker_(builder_.maker()) {}

  std::int64_t make() {
    if (const std::string host = session_.generator().remote(); !host.empty()) {
      log::note("pages are sent to {}, which makes document maps", host);
    }
    std::vector<Unfinished> all = unfinished();
    long pages = 0;
    for (const Unfinished& one : all) {
      pages += one.map.pages_total - static_cast<long>(one.map.pages.size());
    }
    estimate_.expect(Phase::maps, pages);
    Progress progress("mapping", "pages", pages, [&] { return estimate_.after(Phase::maps); });
    std::int64_t made = 0;
    for (Unfinished& one : all) made += finish(one, progress) ? 1 : 0;
    progress.finish();
    return made;
  }

 private:
  std::vector<Unfinished> unfinished() const {
    std::vector<Unfinished> out;
    for (const session::CorpusDocument& document : session_.corpus().documents()) {
      docmap::DocumentMap map = builder_.begin(document.row);
      if (const auto stored = store_.document_map(document.row.id); is_current(stored, maker_)) {
        // A map of the same maker that a killed run left incomplete is continued.
        map = docmap::parse_map(stored->json, fineprint::format("the map of {}", document.row.doc));
      }
      if (!docmap::is_whole(map)) out.push_back({document, std::move(map)});
    }
    return out;
  }

  // Completes a map. Returns false if the document could not be mapped to its end; its pages so far
  // are kept.
  bool finish(Unfinished& one, Progress& progress) {
    while (!docmap::is_whole(one.map)) {
      throw_if_interrupted();
      try {
        builder_.add_page(one.document, &one.map);
      } catch (const Error& error) {
        // Other errors concern this document; the next ones are still mapped.
        if (ends_the_run(error.code())) throw;
        const store::DocumentRow& row = one.document.row;
        report_.failures.push_back({row.doc, row.path, error.code(), error.what(), true});
        // The skipped pages count as done, so that the estimate of the remaining time stays right.
        advance(one.map.pages_total - static_cast<long>(one.map.pages.size()), progress);
        return false;
      }
      store_.put_document_map(one.document.row.id, docmap::to_stored(one.map, maker_));
      advance(1, progress);
    }
    return true;
  }

  void advance(long pages, Progress& progress) {
    estimate_.advance(Phase::maps, pages);
    progress.advance(pages);
  }

  store::Store& store_;
  RunEstimate& estimate_;
  IngestReport& report_;
  const session::Session session_;
  const docmap::MapBuilder builder_;
  const std::string maker_;
};

}  // namespace

// Called before anything is read, because a misspelt model should not be noticed after an hour of
// OCR.
void check_map_maker(const IngestOptions& options) {
  if (options.map.empty() || options.map == docmap::kHeuristic) return;
  session::check_generator(options.map, options.model);
}

std::vector<docmap::MappedElement> mapped_elements(const store::Store& store,
                                                   std::int64_t document) {
  const auto stored = store.document_map(document);
  if (!stored) return {};
  return docmap::parse_map(stored->json, fineprint::format("the map of document {}", document))
      .elements;
}

std::int64_t update_document_maps(const IngestOptions& options, store::Store& store,
                                  RunEstimate& estimate, IngestReport* report) {
  if (options.map == docmap::kHeuristic) return map_without_model(options, store, estimate);
  return MapsByModel(options, store, estimate, report).make();
}

}  // namespace fineprint::ingest
