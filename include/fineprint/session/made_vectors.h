// Makes vectors of chunks that a store lacks when a question needs them.
#pragma once

#include <map>
#include <mutex>
#include <span>
#include <vector>

#include "fineprint/core/ids.h"
#include "fineprint/core/matrix.h"
#include "fineprint/models/encoder.h"
#include "fineprint/session/corpus.h"

namespace fineprint::session {

// The vectors made for one vector set. Safe from several threads; only one encodes at a time.
class MadeVectors {
 public:
  // `corpus` must outlive the object.
  explicit MadeVectors(const Corpus& corpus) : corpus_(corpus) {}

  // Returns the vectors of the given chunks, one in each row. Remembers them, so each chunk is
  // encoded once. Throws Error(model) if the encoder does not return exactly one vector for each
  // text.
  Matrix of(const models::Encoder& encoder, std::span<const ChunkId> chunks);
  // Returns all vectors made so far. Neighbouring chunks are joined into one part.
  std::vector<store::NewVectors> parts() const;

 private:
  // Encodes chunks that have no vectors yet. The caller holds the lock.
  void embed(const models::Encoder& encoder, std::span<const ChunkId> chunks);

  const Corpus& corpus_;
  mutable std::mutex mutex_;  // guards the next
  std::map<ChunkId, std::vector<float>> vector_of_;
};

}  // namespace fineprint::session
