// The weights of a model folder or a GGUF file: every tensor found, checked and accounted for
// before any is used.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fineprint/models/model_spec.h"
#include "fineprint/tensorfile/safetensors.h"

namespace fineprint::models {

// The low-rank change of one weight: weight + scale * up * down.
// Source: Hu et al., "LoRA" (2021), section 4.1.
struct LowRank {
  const tensorfile::TensorView* down = nullptr;  // [rank, in]
  const tensorfile::TensorView* up = nullptr;    // [out, rank]
  double scale = 1;                              // alpha / rank (alpha / sqrt(rank) for rsLoRA)
};

// One tensor in its place.
struct Weight {
  const tensorfile::TensorView* view = nullptr;  // memory-mapped
  std::string file;
  std::vector<LowRank> changes;
  // Over 0: within each of so many heads, rows 2i and 2i + 1 stand where rows i and i + half a head
  // belong. `rows_in_order` puts them there.
  int interleaved_heads = 0;
};

// A copy of the stored rows (of whole blocks, where values lie in blocks), each in its place. For
// weights with interleaved heads.
std::vector<std::uint8_t> rows_in_order(const Weight& weight);

// model.safetensors, the shards that model.safetensors.index.json names, or the GGUF file that the
// model is, memory-mapped; and the adapter's tensors, if there is one. Keeps the mappings alive.
// Tensors of one file of a sharded checkpoint that the index gives to another, or that it does not
// name, are errors. Safe to read from several threads.
class Checkpoint {
 public:
  // Matches files and spec. Throws Error(model) naming the tensor that is missing, surplus, wrongly
  // shaped, of an unreadable type, or misaligned; and the part and file it concerns.
  explicit Checkpoint(const ModelSpec& spec);
  ~Checkpoint();
  Checkpoint(Checkpoint&&) noexcept;

  // Throws Error(internal) when the part's spec does not name the tensor.
  const Weight& at(const std::string& part, const std::string& name) const;
  // nullptr when an optional tensor is absent.
  const Weight* find(const std::string& part, const std::string& name) const;

  // Of the tensors in use, the adapter's included; bytes as stored.
  std::int64_t parameters() const;
  std::int64_t bytes() const;
  std::int64_t parameters(const std::string& part) const;
  // What they take in memory on a CPU when no format is asked for: as stored, but for codes that
  // products do not take as they are, which become numbers of 16 bits.
  std::int64_t held_bytes() const;
  // Of a part, or of one tensor in it.
  std::int64_t held_bytes(const std::string& part, const std::string& name = {}) const;
  // "F32", "BF16", "Q4_K", ...: of most of the parameters in use, among codes where there are any.
  std::string dtype() const;
  // Hash of the contents of all files that were read: weights, configuration, tokenizer, adapter.
  // With products of codes of eight bits it is another one.
  // Reads every byte the first time. Where the folder lies does not matter.
  std::string hash() const;
  // Looks at every value in use, on `threads` threads. Throws Error(model) naming the first tensor
  // that holds a NaN or an infinity.
  void check_finite(int threads) const;
  // Tells the system that the pages of a weight that was copied elsewhere are no longer needed.
  void release(const Weight& weight) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fineprint::models
