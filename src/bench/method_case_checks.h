// One method case while it is compared: its files, and the checks so far.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "fineprint/core/json.h"
#include "fineprint/models/verify.h"
#include "fineprint/tensorfile/safetensors.h"

namespace fineprint::bench {

class MethodCase {
 public:
  // Throws Error(input) and Error(model) for files that cannot be used.
  MethodCase(const std::string& dir, double tolerance_factor);

  const Json& json() const { return json_; }
  // A tolerance of case.json. Throws Json::exception when it has none of that name.
  double tolerance(const std::string& name) const;

  // Values of expected.safetensors; the tensor counts as used.
  const tensorfile::TensorView& tensor(const std::string& name);
  std::vector<double> doubles(const std::string& name);
  std::vector<double> doubles(const tensorfile::TensorView& view) const;
  std::span<const std::uint8_t> flags(const std::string& name);

  // Adds to the check of that name. Values of checks come in any order.
  void compare(const std::string& check, double ours, double expected, double tolerance);
  void compare(const std::string& check, std::span<const double> ours,
               std::span<const double> expected, double tolerance);
  void compare(const std::string& check, std::span<const std::uint8_t> ours,
               std::span<const std::uint8_t> expected);
  // A check that fails because nothing of ours stands against it.
  void unknown(const std::string& what);

  // All checks, those of tensors that nobody used among them.
  std::vector<models::TensorCheck> finish();

 private:
  models::TensorCheck& check(const std::string& name, double tolerance);

  std::string dir_;
  double tolerance_factor_;
  Json json_;
  tensorfile::Reader reader_;
  std::set<std::string> used_;
  std::vector<models::TensorCheck> checks_;
  std::map<std::string, std::size_t> place_;  // in `checks_`
};

// One function a formula; see method_case.h.
void check_mask(MethodCase& method);
void check_gmm(MethodCase& method);
void check_ranking(MethodCase& method);

}  // namespace fineprint::bench
