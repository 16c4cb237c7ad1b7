// Keeps one golden case: its facts, its expected tensors, and the checks made so far.
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

// A case is a folder with case.json, expected.safetensors and perhaps images. Each compare function
// adds a line to the report and marks the tensor as seen.
class CaseCheck {
 public:
  // Reads case.json and expected.safetensors. Throws Error(input) if they are missing or damaged.
  CaseCheck(const std::string& dir, const models::VerifyOptions& options, const Device& device);

  const std::string& dir() const { return dir_; }
  const Json& facts() const { return facts_; }
  const models::ModelSpec& spec() const { return spec_; }
  // The device that compares exactly: it widens weights in codes, so that nothing is rounded.
  const Device& device() const { return device_; }
  // For a model with weights in codes, if the user asked for no format: the device as the program
  // runs it, whose products round the vectors that they multiply codes with. Empty for all other
  // models.
  const std::optional<Device>& held() const { return held_; }
  // Returns the tolerance under "tolerances" along a path of keys (for example, "golden_pixels",
  // "hidden"), times the options' factor; 0, which means equality, if the case names none.
  double tolerance(std::initializer_list<const char*> path) const;

  bool has(const std::string& name) const;
  // Returns a view of a tensor in the file; or, if it is stored as NAME.levels and
  // NAME.level_values, the values of its levels. Throws Error(input) if these do not fit together.
  at::Tensor expected(const std::string& name) const;
  std::vector<std::int64_t> integers(const std::string& name) const;

  // Compares with the expected tensor of this name; or, if only a sample of it is stored, with
  // NAME.sample_value at NAME.sample_index. Does nothing if the case has neither.
  void compare(const std::string& name, const at::Tensor& ours, double tolerance);
  void compare(const std::string& name, const std::vector<std::int64_t>& ours);
  // Compares with a reference that the caller made from several of the case's tensors.
  void compare_with(const std::string& name, const at::Tensor& reference, const at::Tensor& ours,
                    double tolerance);
  // Compares the length of the difference, which may be `tolerance` times the length of the
  // expected tensor. The rounding of held codes is small in all, but not for each value. The report
  // names it "NAME held".
  void compare_held(const std::string& name, const at::Tensor& ours, double tolerance);
  // Compares greedy ids [n]. They must be equal up to the token where the reference's two best
  // logits [n, vocabulary] are closer than a tie; logits are compared up to the same token.
  void compare_generated(const std::string& prefix, const std::vector<std::int64_t>& ids,
                         const at::Tensor& logits, double logits_tolerance);
  // Compares the best index of each row of logits [n, vocabulary] with expected ids [n]. If two of
  // our logits are closer than rounding, either index is right.
  void compare_choices(const std::string& name, const at::Tensor& logits, double tolerance);
  // Compares a mask [n, width] of padded rows with the rows' lengths. The padding may be on either
  // side.
  void compare_mask(const std::string& name, const std::vector<std::int64_t>& lengths);
  // Marks a tensor that the caller compares in another way.
  void see(const std::string& name) { seen_.insert(name); }
  // Marks a tensor that must not match, with the reason for the report.
  void leave_out(const std::string& name, const std::string& why);

  // Returns the report. It also lists tensors that no check looked at.
  models::CaseReport finish();

 private:
  at::Tensor stored_view(const std::string& name) const;
  std::string sample_places(const std::string& name) const;
  void add(models::TensorCheck check) { report_.checks.push_back(std::move(check)); }

  std::string dir_;
  Json facts_;
  models::ModelSpec spec_;
  Device device_;
  std::optional<Device> held_;
  double factor_;
  int roundings_;
  tensorfile::SafetensorsReader expected_;
  std::set<std::string> seen_;
  models::CaseReport report_;
};

}  // namespace fineprint::nets
