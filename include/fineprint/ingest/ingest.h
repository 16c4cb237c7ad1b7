// From a folder to a store: read, chunk, write, embed, link; resumable.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/core/option.h"
#include "fineprint/documents/reader.h"
#include "fineprint/score/page_graph.h"
#include "fineprint/session/load.h"
#include "fineprint/store/store.h"

namespace fineprint::ingest {

// How page graphs are made. What is unset is as in the graphs that the store has of the same
// vectors, and at first as in GraphOptions.
struct GraphChoice {
  std::optional<score::GraphSimilarity> similarity;
  std::optional<int> neighbours;
  std::optional<double> threshold;
};

struct IngestOptions {
  documents::ReadOptions read;
  documents::ReaderOptions reader;
  // What to bring up to date: scorers, or names of vector sets. "text" makes a set of the default
  // text encoder when the store has none of its kind; what else is named must be there. Empty:
  // "bm25", "text" and every set that the store has. Sets that are left out lack vectors of new
  // documents until a run names them.
  std::vector<std::string> scorers;
  // SPECs of models whose vectors are wanted too. The store remembers them: a later run needs none.
  // A sentence encoder makes the default one needless.
  std::vector<std::string> retrievers;
  // Of sets that this run makes; unset: float32, no pooling. Sets that are there must agree.
  std::optional<store::VectorFormat> vector_format;
  std::optional<int> pool_factor;
  GraphChoice graph;
  // Who makes maps of documents: "heuristic", or SPEC of a generator; empty: none are made.
  std::string map;
  // Give vectors to the figures, tables and charts of maps too, by the model of each set that is
  // brought up to date, in a set beside it (store::elements_set). Sets that are there once are kept
  // up to date with those that they stand beside, also without this.
  bool elements = false;
  session::ModelOptions model;
  // Try files again that an earlier run could not read and that have not changed since.
  bool retry_failed = false;
  // Drop documents of the given folders that are not found there any more, or not under that name.
  bool prune = false;
  // A first pass, for an answer soon; a run without these goes on from it. With `defer_ocr` pages
  // that OcrMode::automatic would read are left waiting (DocumentRow::waiting_pages); with
  // `texts_only` no vectors, graphs or maps are made, though the sets are registered.
  bool defer_ocr = false;
  bool texts_only = false;
  // Only files at or under these absolute paths; empty: all.
  std::vector<std::string> within;
  // Only documents of these names; empty: all. What else is found is as if it were not there.
  std::function<bool(const std::string& doc)> wanted;
};

const OptionTable<IngestOptions>& ingest_options();

struct FailedFile {
  std::string file;  // as the store names it
  std::string path;  // absolute
  ErrorCode code = ErrorCode::internal;
  std::string message;
  bool kept = false;   // the document is in the store all the same, less the pages that failed
  bool known = false;  // from an earlier run: the file has not changed and was not tried again
};

struct SkippedFile {
  std::string file;
  std::string path;  // absolute
};

struct IngestReport {
  // By file. Also documents that are indexed but for some pages that could not be read, and those
  // of whose pages some got no vectors: these count as indexed or unchanged, not as failed. A file
  // that fails now keeps what an earlier run stored of it. What an earlier run found is here again
  // as `known` while the file stays as it is.
  std::vector<FailedFile> failures;
  // Files in the folders of kinds that are not read, by name; not counted as `files`.
  std::vector<SkippedFile> skipped;
  // files = indexed + unchanged + failed
  // partly: of those indexed and unchanged, the ones that stand in `failures` as kept
  // known: of those failed and partly, the ones that an earlier run found and this one left alone
  std::int64_t partly = 0, known = 0;
  std::int64_t files = 0, indexed = 0, unchanged = 0, failed = 0, removed = 0;
  std::int64_t pages = 0, ocr_pages = 0;
  std::int64_t waiting_pages = 0;  // that this run left to OCR, see IngestOptions::defer_ocr
  // Documents lack page vectors because their files are gone, or changed since they were read.
  bool files_gone = false;
  // Units (pages, chunks of sets over text, elements) that got vectors in this run, by set; also
  // the sets that lacked nothing.
  std::map<std::string, std::int64_t> vectors;
  // With `texts_only`: units that lack vectors of sets of this run, of the default scorer's kind
  // ("text", which a search makes as it needs them) and of others.
  std::int64_t lacking_chunks = 0, lacking_others = 0;
  std::optional<std::int64_t> maps;  // finished in this run; absent: none were asked for
  double seconds = 0;
};

// Reads everything under `paths` into `store`, and gives vectors to all that lacks them in the sets
// that are brought up to date, also to documents of other folders. A file whose stamp is unchanged
// costs a stat, one whose content is unchanged a hash. Failures are collected, never thrown, except
// of the store and of models.
//
// Text layers are read first, then pages by OCR; then texts are embedded, then page images, set by
// set; then maps are made, and vectors of their elements. Killed at any moment, or interrupted
// (throws Error(interrupted)), the next run goes on from what was committed: each document's text,
// text vectors every 5 seconds, page vectors every 5 seconds, 64 MB, or document, as are those of
// elements, and each document's map, by a model each page of it. A page that no picture can be made
// of is a failure and tried again by the next run; but one that already failed to be read, so that
// not even its size is known, is left alone until its file changes.
IngestReport ingest(const std::vector<std::string>& paths, const IngestOptions& options,
                    store::Store& store);

// Whether something failed that no earlier run has told of.
bool has_new_failures(const IngestReport& report);

// Drops vector sets, each with the set of elements beside it. Throws Error(usage) for a name that
// the store has no set of.
void drop_sets(const std::vector<std::string>& names, store::Store& store);

}  // namespace fineprint::ingest
