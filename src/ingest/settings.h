// What, besides a file's content, decides what is read from it.
#pragma once

#include <functional>
#include <string>

#include "fineprint/ingest/ingest.h"

#include "ingest/known_encoder.h"

namespace fineprint::ingest {

// How documents are read, cut and indexed; vectors follow later and have no part in it.
class ReadingSettings {
 public:
  // `measure` is the model whose tokenizer measures the chunks.
  ReadingSettings(const IngestOptions& options, const KnownEncoder& measure);

  // Equal for two runs exactly when they would store the same text for the same file.
  const std::string& hash() const { return hash_; }
  // Whether a stored document's settings are these; also in the words of programs that counted the
  // weights of the text encoder in.
  bool mean_the_same_as(const std::string& stored) const;

 private:
  std::string how_;
  std::function<std::string()> encoder_hash_;
  std::string hash_;
};

}  // namespace fineprint::ingest
