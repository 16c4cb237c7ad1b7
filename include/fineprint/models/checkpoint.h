// The weights of a model folder or a GGUF file. All tensors are found and checked before any is
// used.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fineprint/models/model_spec.h"
#include "fineprint/tensorfile/safetensors.h"

namespace fineprint::models {

// The low-rank change of one weight by a LoRA adapter: weight + scale * up * down. Source: Hu et
// al., "LoRA" (2021), section 4.1.
struct LowRank {
  const tensorfile::TensorView* down = nullptr;  // [rank, in]
  const tensorfile::TensorView* up = nullptr;    // [out, rank]
  double scale = 1;                              // alpha / rank, or alpha / sqrt(rank) for rsLoRA
};

// One weight of a part, by its tensor in a file.
struct Weight {
  const tensorfile::TensorView* view = nullptr;  // memory-mapped
  std::string file;
  std::vector<LowRank> changes;
  // If above 0, the number of heads whose rows are interleaved: within each head, rows 2i and 2i +
  // 1 of the file belong at rows i and i + half a head. `rows_in_order` puts them there. Some GGUF
  // files store queries and keys like this.
  int interleaved_heads = 0;
};

// Returns a copy of the stored rows in their proper order, for weights with interleaved heads.
// Copies whole blocks if the values are stored in blocks.
std::vector<std::uint8_t> rows_in_order(const Weight& weight);

// The weights of a model, memory-mapped: model.safetensors, the shards that
// model.safetensors.index.json names, or a GGUF file; and the tensors of the adapter, if there is
// one. Keeps the mappings alive. Thread-safe for reading.
class Checkpoint {
 public:
  // Matches the files with the tensors that `spec` asks for. Throws Error(model) if a tensor is
  // missing, surplus, misaligned, or of a wrong shape or unreadable type. It also throws if a shard
  // holds a tensor that the index assigns to another shard or does not name. The message names the
  // tensor, the part and the file.
  explicit Checkpoint(const ModelSpec& spec);
  ~Checkpoint();
  Checkpoint(Checkpoint&&) noexcept;

  // Returns a weight of a part. Throws Error(internal) if the spec of the part does not name it.
  const Weight& at(const std::string& part, const std::string& name) const;
  // Returns the same, or nullptr if the tensor is optional and absent.
  const Weight* find(const std::string& part, const std::string& name) const;

  // Return the number of parameters in use and their bytes as stored, those of the adapter
  // included.
  std::int64_t parameters() const;
  std::int64_t bytes() const;
  // Returns the same of one part.
  std::int64_t parameters(const std::string& part) const;
  // Returns the bytes that the weights take in memory on a CPU if no number format is chosen. That
  // is as stored, except for codes that the products cannot use: these are widened to 16 bits.
  std::int64_t held_bytes() const;
  // Returns the same of a part, or of one tensor in it.
  std::int64_t held_bytes(const std::string& part, const std::string& name = {}) const;
  // Returns the number format of most parameters, for example "F32", "BF16" or "Q4_K". If there are
  // quantised tensors, only those count.
  std::string dtype() const;
  // Returns a hash of the contents of all files that were read: weights, configuration, tokenizer,
  // adapter. It does not depend on the folder's place, but differs if products use 8-bit codes. The
  // first call reads every byte, unless this was done within a day and no file has changed since.
  std::string hash() const;
  // Checks every value in use, on `threads` threads. Throws Error(model) that names the first
  // tensor with a NaN or an infinity. Does nothing if all values passed within a day and no file
  // has changed since.
  void check_finite(int threads) const;
  // Lets the system drop the pages of a weight that was copied elsewhere and is no longer needed.
  void release(const Weight& weight) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fineprint::models
