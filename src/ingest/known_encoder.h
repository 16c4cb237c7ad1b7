// Where vectors come from: models that are known before they are loaded.
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

// A model whose small files were read. Everything that takes long is a function.
struct KnownEncoder {
  std::string spec;  // opens it again from anywhere: an absolute path, org/name; empty: the default
  std::string name;  // for people
  models::RetrieverKind kind = models::RetrieverKind::text;
  models::PageRaster raster;  // of kinds that see pages
  std::size_t dim = 0;
  // Of all that shapes its vectors: reads every byte of the weights at the first call.
  std::function<std::string()> hash;
  std::function<std::string()> tokenizer_hash;
  std::function<std::shared_ptr<const tokenizer::Tokenizer>()> tokenizer;
  // Opens LibTorch. A sentence encoder gives a matrix of one row for each text.
  std::function<std::unique_ptr<models::Encoder>()> load;
};

// Finds the model that a SPEC names. Throws Error(model).
using FindEncoder = std::function<KnownEncoder(const std::string& spec)>;
FindEncoder find_encoders(const session::ModelOptions& options);

// `ingest` with other encoders; tests use it.
IngestReport ingest_with(const std::vector<std::string>& paths, const IngestOptions& options,
                         const FindEncoder& find, store::Store& store);

}  // namespace fineprint::ingest
