// Where the tokenizer and the vectors of chunks come from.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "fineprint/ingest/ingest.h"
#include "fineprint/models/embedder.h"
#include "fineprint/text/tokenizer.h"

namespace fineprint::ingest {

// The encoder's small files are read at once; its weights (and LibTorch with them) are loaded only
// when a document needs vectors.
struct EncoderSource {
  std::string identity;  // hash of all that shapes its tokens and vectors
  std::shared_ptr<const text::Tokenizer> tokenizer;
  std::function<std::unique_ptr<models::Embedder>()> load;
};

// The encoder that `options.retriever` names. Throws Error(model).
EncoderSource encoder_source(const IngestOptions& options);

// `ingest` with another encoder; tests use it.
IngestReport ingest_with(const std::vector<std::string>& paths, const IngestOptions& options,
                         const EncoderSource& encoder, store::Store& store);

}  // namespace fineprint::ingest
