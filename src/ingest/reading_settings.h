// What, besides a file's content, decides what is read from it.
#pragma once

#include <string>

#include "fineprint/ingest/ingest.h"

#include "ingest/known_encoder.h"

namespace fineprint::ingest {

// How documents are read, cut and indexed; vectors follow later and have no part in it.
class ReadingSettings {
 public:
  // `measure` is the model whose tokenizer measures the chunks.
  ReadingSettings(const IngestOptions& options, const KnownEncoder& measure);

  // Equal for two runs exactly when they would store the same text for this file. Office files are
  // read again when LibreOffice has come, but not when it has gone; PDFs when what another program
  // has read of them comes, changes or goes.
  std::string hash_for(const std::string& path) const;
  // Equal for two runs when a file that could not be read by the one cannot be read by the other.
  std::string hash_for_failure(const std::string& path) const;
  // Whether a stored document's settings are these.
  bool mean_the_same_as(const std::string& stored, const std::string& path) const;

 private:
  bool converts_;
  std::string limits_;
  std::string hash_, hash_as_pdf_;
};

}  // namespace fineprint::ingest
