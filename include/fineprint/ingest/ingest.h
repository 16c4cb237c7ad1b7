// From a folder to a store: read, chunk, embed, write; resumable.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/documents/reader.h"
#include "fineprint/session/load.h"
#include "fineprint/store/store.h"

namespace fineprint::ingest {

struct IngestOptions {
  documents::ReadOptions read;
  documents::ReaderOptions reader;
  std::vector<std::string> scorers = {"bm25", "text"};  // what to prepare
  std::string retriever;                                // SPEC of the text encoder
  session::ModelOptions model;
  // Drop documents of the given folders that are not found there any more, or not under that name.
  bool prune = false;
};

struct FailedFile {
  std::string file;
  ErrorCode code = ErrorCode::internal;
  std::string message;
};

struct IngestReport {
  // By file. Also documents that are indexed but for some pages that could not be read: these count
  // as indexed, not as failed. A file that fails now keeps what an earlier run stored of it.
  std::vector<FailedFile> failures;
  // files = indexed + unchanged + failed
  std::int64_t files = 0, indexed = 0, unchanged = 0, failed = 0, removed = 0;
  std::int64_t pages = 0, ocr_pages = 0;
  double seconds = 0;
};

// Reads everything under `paths` into `store`. A file whose stamp is unchanged costs a stat, one
// whose content is unchanged a hash. Failures are collected, never thrown, except of the store and
// the model. Stops between documents when interrupted (throws Error(interrupted)); what was
// committed stays.
IngestReport ingest(const std::vector<std::string>& paths, const IngestOptions& options,
                    store::Store& store);

}  // namespace fineprint::ingest
