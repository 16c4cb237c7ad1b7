// What PyTorch makes of the same numbers; see scripts/golden/make_training.py and
// make_training_pages.py.
#pragma once

#include <string>

#include <ATen/ops/from_blob.h>

#include "support/golden_tensors.h"

namespace fineprint::train {

class GoldenTraining {
 public:
  explicit GoldenTraining(const std::string& name = "training")
      : file_(FINEPRINT_TEST_GOLDEN "/" + name + ".safetensors") {}

  bool has(const std::string& name) const { return file_.has(name); }
  at::Tensor numbers(const std::string& name) const {
    std::vector<float> values = file_.floats(name);
    return at::from_blob(values.data(), file_.shape(name), at::kFloat).clone();
  }
  at::Tensor whole_numbers(const std::string& name) const {
    std::vector<std::uint8_t> bytes = file_.bytes(name);
    return at::from_blob(bytes.data(), file_.shape(name), at::kLong).clone();
  }

 private:
  testing::GoldenTensors file_;
};

// The largest difference, by the largest of the expected values.
inline double apart(const at::Tensor& a, const at::Tensor& expected) {
  return ((a - expected).abs().max() / expected.abs().max().clamp_min(1e-30)).item<double>();
}

}  // namespace fineprint::train
