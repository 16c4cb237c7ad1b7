// One golden case: its facts, its expected tensors, and the checks made so far.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "fineprint/core/json.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/models/verify.h"
#include "fineprint/tensorfile/safetensors.h"

#include "nets/weights/device.h"

namespace fineprint::nets {

class CaseCheck {
 public:
  // Reads case.json and expected.safetensors. Throws Error(input).
  CaseCheck(const std::string& dir, const models::VerifyOptions& options, const Device& device);

  const std::string& dir() const { return dir_; }
  const Json& facts() const { return facts_; }
  const models::ModelSpec& spec() const { return spec_; }
  // Widens weights in codes, so that nothing is rounded.
  const Device& device() const { return device_; }
  // Of a model with weights in codes, when no format was asked for: how the program holds them,
  // where products round what they multiply codes with. Nothing of any other model.
  const std::optional<Device>& held() const { return held_; }
  // "tolerances" along a path of keys ("golden_pixels", "hidden"), times the options' factor; exact
  // equality where the case names none.
  double tolerance(std::initializer_list<const char*> path) const;

  bool has(const std::string& name) const { return expected_.tensors().contains(name); }
  // A view of the file.
  at::Tensor expected(const std::string& name) const;
  std::vector<std::int64_t> integers(const std::string& name) const;

  // Compares with the expected tensor of this name, or, when only a sample of it is stored, with
  // NAME.sample_value at NAME.sample_index. Does nothing when the case has neither.
  void compare(const std::string& name, const at::Tensor& ours, double tolerance);
  void compare(const std::string& name, const std::vector<std::int64_t>& ours);
  // Against a reference that the caller made from several of the case's files.
  void compare_with(const std::string& name, const at::Tensor& reference, const at::Tensor& ours,
                    double tolerance);
  // By the length of the difference, which may be `tolerance` lengths of the expected tensor: what
  // products of held codes round is small in all, not in each value. The report says "NAME held".
  void compare_held(const std::string& name, const at::Tensor& ours, double tolerance);
  // Greedy ids [n]: equal up to where the reference's two best logits [n, vocabulary] come closer
  // than `tie`; logits up to the same place.
  void compare_generated(const std::string& prefix, const std::vector<std::int64_t>& ids,
                         const at::Tensor& logits, double logits_tolerance);
  // The best of each row of logits [n, vocabulary] against expected ids [n]; where two of ours are
  // nearer than rounding, either will do.
  void compare_choices(const std::string& name, const at::Tensor& logits, double tolerance);
  // A mask [n, width] of padded rows against the rows' lengths; padded on the side that the
  // reference padded.
  void compare_mask(const std::string& name, const std::vector<std::int64_t>& lengths);
  // Marks a tensor that the caller compares by other means.
  void see(const std::string& name) { seen_.insert(name); }
  // Marks a tensor that is not to be matched.
  void leave_out(const std::string& name, const std::string& why);

  // The report; tensors that nothing looked at are named in it.
  models::CaseReport finish();

 private:
  std::string sample_places(const std::string& name) const;
  void add(models::TensorCheck check) { report_.checks.push_back(std::move(check)); }

  std::string dir_;
  Json facts_;
  models::ModelSpec spec_;
  Device device_;
  std::optional<Device> held_;
  double factor_;
  int roundings_;
  tensorfile::Reader expected_;
  std::set<std::string> seen_;
  models::CaseReport report_;
};

}  // namespace fineprint::nets
