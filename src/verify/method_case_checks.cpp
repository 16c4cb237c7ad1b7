// Reads a method case, and collects how far its values differ from ours.
#include "verify/method_case_checks.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"

namespace fineprint::verify {
namespace {

constexpr const char* kTensors = "/expected.safetensors";

// Differences are relative to at least this, as for the tensors of models.
constexpr double kSmallest = 1e-6;

}  // namespace

MethodCase::MethodCase(const std::string& dir, double tolerance_factor)
    : dir_(dir),
      tolerance_factor_(tolerance_factor),
      json_(parse_json(read_file(dir + "/case.json"), dir + "/case.json")),
      reader_(dir + kTensors) {}

double MethodCase::tolerance(const std::string& name) const {
  return json_.at("tolerances").at(name).get<double>();
}

const tensorfile::TensorView& MethodCase::tensor(const std::string& name) {
  used_.insert(name);
  return reader_.at(name);
}

std::vector<double> MethodCase::doubles(const std::string& name) { return doubles(tensor(name)); }

std::vector<double> MethodCase::doubles(const tensorfile::TensorView& view) const {
  if (view.dtype != tensorfile::Dtype::f64) {
    throw Error(ErrorCode::model, format("{}{}: {} is {}, not F64", dir_, kTensors, view.name,
                                         dtype_name(view.dtype)));
  }
  std::vector<double> values(view.bytes.size() / sizeof(double));
  if (!values.empty()) std::memcpy(values.data(), view.bytes.data(), view.bytes.size());
  return values;
}

std::span<const std::uint8_t> MethodCase::flags(const std::string& name) {
  const tensorfile::TensorView& view = tensor(name);
  if (view.dtype != tensorfile::Dtype::u8) {
    throw Error(ErrorCode::model,
                format("{}{}: {} is {}, not U8", dir_, kTensors, name, dtype_name(view.dtype)));
  }
  return view.bytes;
}

// Returns the check of that name, which is created at its first use.
models::TensorCheck& MethodCase::check(const std::string& name, double tolerance) {
  const auto [found, is_new] = place_.try_emplace(name, checks_.size());
  if (is_new) {
    models::TensorCheck fresh;
    fresh.name = name;
    fresh.tolerance = tolerance * tolerance_factor_;
    fresh.passed = true;
    checks_.push_back(std::move(fresh));
  }
  return checks_[found->second];
}

void MethodCase::compare(const std::string& name, double ours, double expected, double tolerance) {
  models::TensorCheck& into = check(name, tolerance);
  const double difference = std::abs(ours - expected);
  // Written so that NaN on either side fails.
  if (!(difference <= into.tolerance) && into.passed) {
    into.passed = false;
    into.note = format("value {}: expected {}, got {}", into.elements, expected, ours);
  }
  into.max_absolute = std::max(into.max_absolute, difference);
  into.max_relative =
      std::max(into.max_relative, difference / std::max(std::abs(expected), kSmallest));
  ++into.elements;
}

void MethodCase::compare(const std::string& name, std::span<const double> ours,
                         std::span<const double> expected, double tolerance) {
  if (ours.size() != expected.size()) {
    models::TensorCheck& into = check(name, tolerance);
    into.passed = false;
    into.note = format("expected {} values, got {}", expected.size(), ours.size());
    return;
  }
  for (std::size_t i = 0; i < ours.size(); ++i) compare(name, ours[i], expected[i], tolerance);
}

void MethodCase::compare(const std::string& name, std::span<const std::uint8_t> ours,
                         std::span<const std::uint8_t> expected) {
  const std::vector<double> mine(ours.begin(), ours.end());
  const std::vector<double> theirs(expected.begin(), expected.end());
  compare(name, mine, theirs, 0);
}

void MethodCase::unknown(const std::string& what) {
  models::TensorCheck& into = check(what, 0);
  into.passed = false;
  into.note = "this program computes nothing to compare it with";
}

// A tensor that was not compared is a failure, so that a case cannot pass by being ignored.
std::vector<models::TensorCheck> MethodCase::finish() {
  for (const auto& [name, view] : reader_.tensors()) {
    if (!used_.contains(name)) unknown(name);
  }
  return std::move(checks_);
}

}  // namespace fineprint::verify
