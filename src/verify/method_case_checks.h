// A method case during its comparison: its files, and the checks so far.
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

namespace fineprint::verify {

class MethodCase {
 public:
  // Throws Error(input) or Error(model) if the files cannot be used.
  MethodCase(const std::string& dir, double tolerance_factor);

  const Json& json() const { return json_; }
  // Returns a tolerance of case.json. Throws Json::exception if there is none with that name.
  double tolerance(const std::string& name) const;

  // Returns values of expected.safetensors, and marks the tensor as used.
  const tensorfile::TensorView& tensor(const std::string& name);
  std::vector<double> doubles(const std::string& name);
  std::vector<double> doubles(const tensorfile::TensorView& view) const;
  std::span<const std::uint8_t> flags(const std::string& name);

  // Adds values to the check with that name. Values of checks may come in any order.
  void compare(const std::string& check, double ours, double expected, double tolerance);
  void compare(const std::string& check, std::span<const double> ours,
               std::span<const double> expected, double tolerance);
  void compare(const std::string& check, std::span<const std::uint8_t> ours,
               std::span<const std::uint8_t> expected);
  // Adds a check that fails because this program computes nothing to compare with.
  void unknown(const std::string& what);

  // Returns all checks, including a failed one for each tensor that was not used.
  std::vector<models::TensorCheck> finish();

 private:
  models::TensorCheck& check(const std::string& name, double tolerance);

  std::string dir_;
  double tolerance_factor_;
  Json json_;
  tensorfile::SafetensorsReader reader_;
  std::set<std::string> used_;
  std::vector<models::TensorCheck> checks_;
  std::map<std::string, std::size_t> place_;  // in `checks_`
};

// One function for each formula; see method_case.h.
void check_mask(MethodCase& method);
void check_gmm(MethodCase& method);
void check_ranking(MethodCase& method);

}  // namespace fineprint::verify
