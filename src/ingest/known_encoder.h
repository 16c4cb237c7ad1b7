// Encoders that are known before they are loaded.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "fineprint/ingest/ingest.h"
#include "fineprint/models/encoder.h"
#include "fineprint/models/retriever.h"
#include "fineprint/tokenizer/tokenizer.h"

namespace fineprint::ingest {

// A model of which only small files have been read. Everything that takes long is a function.
struct KnownEncoder {
  // Opens the model again from anywhere: an absolute path, org/name or a server's address; empty
  // for the default.
  std::string spec;
  std::string name;  // for messages
  models::RetrieverKind kind = models::RetrieverKind::text;
  models::PageRaster raster;  // for kinds that see pages
  std::size_t dim = 0;        // 0: the model is on a server, and asked_dim() asks it
  std::function<std::size_t()> asked_dim;
  // Hash of everything that determines its vectors. The first call reads all weights.
  std::function<std::string()> hash;
  // Null for a model on a server, which does not give its tokenizer.
  std::function<std::string()> tokenizer_hash;
  std::function<std::shared_ptr<const tokenizer::Tokenizer>()> tokenizer;
  // Loads LibTorch and the model. A sentence encoder returns a matrix with one row for each text.
  std::function<std::unique_ptr<models::Encoder>()> load;
};

// Finds the model of a spec. Throws Error(model).
using FindEncoder = std::function<KnownEncoder(const std::string& spec)>;
FindEncoder find_encoders(const session::ModelOptions& options);

// Does the same as `ingest`, with other encoders. For tests.
IngestReport ingest_with(const std::vector<std::string>& paths, const IngestOptions& options,
                         const FindEncoder& find, store::Store& store);

}  // namespace fineprint::ingest
