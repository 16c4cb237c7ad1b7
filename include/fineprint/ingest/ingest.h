// Brings a store up to date with folders of documents: reads, chunks, writes, embeds and links. A
// run that was interrupted can be continued.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/core/option.h"
#include "fineprint/documents/document_workers.h"
#include "fineprint/score/page_graph.h"
#include "fineprint/session/load.h"
#include "fineprint/store/store.h"

namespace fineprint::ingest {

// How page graphs are made. An unset value is taken from the store's graphs over the same vectors
// or, if there are none, from GraphOptions.
struct GraphChoice {
  std::optional<score::GraphSimilarity> similarity;
  std::optional<int> neighbours;
  std::optional<double> threshold;
};

// What a run does.
struct IngestOptions {
  documents::ReadOptions read;
  documents::DocumentWorkerOptions document_workers;
  // What to bring up to date: scorers, or names of vector sets. "text" makes a set of the default
  // text encoder if the store has no set of that kind; any other set must exist. If the list is
  // empty, it means "bm25", "text" and every set of the store. Sets that are left out lack vectors
  // of new documents until a later run names them.
  std::vector<std::string> scorers;
  // Specs of models whose vectors to make, too. The store remembers them, so that later runs need
  // not repeat them. If one is a sentence encoder, the default text encoder is not needed.
  std::vector<std::string> retrievers;
  // For sets that this run makes; unset means float32 and no pooling. Must agree with sets that
  // exist.
  std::optional<store::VectorFormat> vector_format;
  std::optional<int> pool_factor;
  GraphChoice graph;
  // Who makes document maps: "heuristic", or the spec of a generator. Empty: no maps are made.
  std::string map;
  // Also makes vectors of the figures, tables and charts of maps, with the model of each set that
  // is brought up to date, in a separate set of elements (store::elements_set). Once such a set
  // exists, it is kept up to date with its main set, even without this option.
  bool elements = false;
  session::ModelOptions model;
  // Tries files again that an earlier run could not read and that have not changed since.
  bool retry_failed = false;
  // Drops documents of the given folders that no longer exist, or not under that name.
  bool prune = false;
  // Options of a quick first pass; a run without them continues from it. With `defer_ocr`, pages
  // that OcrMode::automatic would read are left waiting (DocumentRow::waiting_pages). With
  // `texts_only`, no vectors, graphs or maps are made, though sets are registered.
  bool defer_ocr = false;
  bool texts_only = false;
  // Limits the run to files at or under these absolute paths. Empty: no limit.
  std::vector<std::string> within;
  // Limits the run to documents for whose names this returns true. Empty: no limit. Other files are
  // treated as if they did not exist.
  std::function<bool(const std::string& doc)> wanted;
};

// Returns the table of command-line options.
const OptionTable<IngestOptions>& ingest_options();

// A file that could not be read, or not completely.
struct FailedFile {
  std::string file;  // name in the store
  std::string path;  // absolute
  ErrorCode code = ErrorCode::internal;
  std::string message;
  bool kept = false;   // the document is in the store, without the pages that failed
  bool known = false;  // found by an earlier run; the file has not changed and was not tried again
};

// A file of a kind that is not read.
struct SkippedFile {
  std::string file;
  std::string path;  // absolute
};

// What a run did.
struct IngestReport {
  // One entry per problem, sorted by file. Includes documents that were indexed without some pages,
  // and documents of which some pages got no vectors; these count as indexed or unchanged, not as
  // failed. If a file fails now, what an earlier run stored of it is kept. Problems found by an
  // earlier run are listed again, as `known`, as long as the file does not change.
  std::vector<FailedFile> failures;
  // Files in the folders whose kind is not read, by name. Not counted in `files`.
  std::vector<SkippedFile> skipped;
  // files = indexed + unchanged + failed
  // partly: those of indexed and unchanged that are in `failures` as kept
  // known: those of failed and partly that an earlier run found and this one did not try again
  std::int64_t partly = 0, known = 0;
  std::int64_t files = 0, indexed = 0, unchanged = 0, failed = 0, removed = 0;
  std::int64_t pages = 0, ocr_pages = 0;
  std::int64_t waiting_pages = 0;  // pages that this run left to OCR, see IngestOptions::defer_ocr
  // Words that this run found in files but that their pages do not show, and the pages and
  // documents that have them; see Page::hidden.
  std::int64_t hidden_words = 0, hidden_pages = 0, hidden_documents = 0;
  // True if documents lack page vectors because their files are gone or have changed since they
  // were read.
  bool files_gone = false;
  // Number of units (pages, chunks or elements) that got vectors in this run, by vector set. Sets
  // that lacked nothing have 0.
  std::map<std::string, std::int64_t> vectors;
  // With `texts_only`: units without vectors in sets of this run. `lacking_chunks` counts sets of
  // the kind "text", which a search completes as it needs them; `lacking_others` counts all other
  // sets.
  std::int64_t lacking_chunks = 0, lacking_others = 0;
  std::optional<std::int64_t> maps;  // finished in this run; nullopt if none were asked for
  double seconds = 0;
};

// Reads all documents under `paths` into `store`. In each set to bring up to date, gives vectors to
// all units that lack them, including those of documents in other folders. If the stamp of a file
// is unchanged, the file takes only a stat; if its content is unchanged, a hash. Failures of
// documents are collected in the report. Throws Error for failures of the store and of models, if
// options contradict the store, if none of the paths exists, and on interrupts.
//
// Text layers are read first, then pages by OCR. Then texts are embedded, then page images, one set
// after the other. Then maps are made, and the vectors of their elements. If the process is killed
// or interrupted (Error(interrupted)), the next run continues from what was committed: the text of
// each document, text vectors every 5 seconds, vectors of pages and elements every 5 seconds, 64 MB
// or document, and the map of each document (each page of it, if a model makes it). If no picture
// of a page can be made, that is a failure, and the next run tries again. A page that could not
// even be read, so that its size is unknown, is not tried again until its file changes.
IngestReport ingest(const std::vector<std::string>& paths, const IngestOptions& options,
                    store::Store& store);

// Returns whether something failed that no earlier run has reported.
bool has_new_failures(const IngestReport& report);

// Drops vector sets, each with its set of elements. Throws Error(usage) if the store has no set of
// a given name.
void drop_sets(const std::vector<std::string>& names, store::Store& store);

}  // namespace fineprint::ingest
