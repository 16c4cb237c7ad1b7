// The tensors of a checkpoint, used where they lie in the mapped file and each one accounted for.
#pragma once

#include <initializer_list>
#include <memory>
#include <set>
#include <string>

#include <ATen/core/Tensor.h>

#include "fineprint/tensorfile/safetensors.h"

namespace fineprint::nets {

// Hands out a checkpoint's tensors by name. Tensors in float32 are views of the mapped file and
// must not outlive `file()`; half-precision ones are widened into memory of their own.
class Weights {
 public:
  // `prefixes` are the beginnings that published checkpoints put before the names; the one under
  // which `probe` exists is used. Throws Error(model).
  Weights(const std::string& path, std::initializer_list<const char*> prefixes,
          const std::string& probe);

  // Throws Error(model) naming the tensor when it is missing or has another shape.
  at::Tensor take(const std::string& name, std::initializer_list<std::int64_t> shape);
  // Marks a tensor that is not needed, whether it is there or not.
  void ignore(const std::string& name);
  // Throws Error(model) naming the first tensor that was neither taken nor ignored: a surplus one
  // means that the checkpoint is of another kind of model.
  void expect_all_used() const;

  // The mapping that the tensors lie in.
  std::shared_ptr<const tensorfile::Reader> file() const { return file_; }

 private:
  std::string path_;
  std::string prefix_;
  std::shared_ptr<const tensorfile::Reader> file_;
  std::set<std::string> used_;
};

}  // namespace fineprint::nets
