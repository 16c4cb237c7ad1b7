// What determines the text read from a file, apart from its content.
#pragma once

#include <string>

#include "fineprint/ingest/ingest.h"

#include "ingest/known_encoder.h"

namespace fineprint::ingest {

// How documents are read, chunked and indexed. Vectors are made later and are not part of it.
class ReadingSettings {
 public:
  // `measure` is the model whose tokenizer measures chunks.
  ReadingSettings(const IngestOptions& options, const KnownEncoder& measure);

  // Returns a hash that is equal for two runs if they would store the same text for this file.
  // Office files are read again if LibreOffice was installed, but not if it was removed. PDFs are
  // read again if another program's output for them appears, changes or disappears; texts, if
  // another encoding is given for them.
  std::string hash_for(const std::string& path) const;
  // Returns a hash that is equal for two runs if a file that one of them could not read would also
  // fail in the other. It also covers the limits of workers.
  std::string hash_for_failure(const std::string& path) const;
  // Returns whether a stored document was read with these settings.
  bool mean_the_same_as(const std::string& stored, const std::string& path) const;

 private:
  bool converts_;
  std::string encoding_, limits_;
  std::string hash_, hash_as_pdf_;
};

}  // namespace fineprint::ingest
