// Keeps one golden case: its facts, its expected tensors, and the checks made so far.
#include "nets/verify/case_check.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string_view>

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/topk.h>
#include <ATen/ops/zeros_like.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/tensorfile/gguf.h"

namespace fineprint::nets {
namespace {

// If the reference's two best logits are closer than this, choosing the other one is no error.
constexpr double kTie = 1e-3;
// Relative error of float32.
constexpr double kRounding = std::numeric_limits<float>::epsilon();
constexpr std::string_view kLevels = ".levels", kLevelValues = ".level_values";

// Reads case.json. A missing file means that the folder is not a case, so the message says that.
Json read_facts(const std::string& dir) {
  const std::string path = dir + "/case.json";
  try {
    return parse_json(read_file(path), path);
  } catch (const Error& error) {
    throw Error(ErrorCode::input, format("{}: not a golden case: {}", dir, error.what()));
  }
}

// Golden cases hold only the types that their scripts write.
at::ScalarType torch_type(tensorfile::Dtype dtype) {
  switch (dtype) {
    case tensorfile::Dtype::f32:
      return at::kFloat;
    case tensorfile::Dtype::f64:
      return at::kDouble;
    case tensorfile::Dtype::i64:
      return at::kLong;
    case tensorfile::Dtype::i32:
      return at::kInt;
    case tensorfile::Dtype::u8:
      return at::kByte;
    case tensorfile::Dtype::boolean:
      return at::kBool;
    default:
      throw Error(ErrorCode::input, "a golden case has a tensor of an unsupported type");
  }
}

std::string shape_text(const at::Tensor& tensor) {
  std::string text = "[";
  for (const std::int64_t size : tensor.sizes()) {
    text += (text.size() > 1 ? ", " : "") + std::to_string(size);
  }
  return text + "]";
}

// Returns the values of a picture's levels: level l of channel c is values[c][l]. Pictures have at
// most 256 values in each channel, because their pixels are bytes before they are normalised; so a
// byte and a table hold them exactly, in a quarter of the space. The channels are an axis of
// pictures [n, channels, height, width], and follow each other in the last axis of patches. One row
// of values is for all channels.
at::Tensor from_levels(const std::string& name, const at::Tensor& levels,
                       const at::Tensor& values) {
  constexpr std::int64_t kMost = 256;
  const bool planes = levels.dim() == 4;
  const bool table = values.dim() == 2 && values.size(0) > 0 && values.size(1) == kMost;
  if (!table || levels.dim() < 2 || levels.scalar_type() != at::kByte ||
      levels.size(planes ? 1 : -1) % values.size(0) != 0) {
    throw Error(ErrorCode::input, format("the case's levels of {} do not fit their values", name));
  }
  const std::int64_t channels = values.size(0);
  const std::int64_t run =  // of one channel
      planes ? levels.size(2) * levels.size(3) : levels.size(-1) / channels;
  const at::Tensor rows = at::arange(channels, at::kLong).mul(kMost).view({1, channels, 1});
  const at::Tensor places = levels.to(at::kLong).view({-1, channels, run}).add(rows);
  return values.flatten().index_select(0, places.flatten()).view(levels.sizes());
}

// Returns true if weights in codes are tried twice: widened to their exact values, because
// references have these in float32, and as the program holds them. Only if no format is asked for.
bool tries_codes(const models::ModelSpec& spec, const Device& device) {
  const bool codes = spec.quantisation || tensorfile::is_gguf(spec.dir);
  return codes && !device.matrices && device.device.is_cpu();
}

// Returns the device with all matrices widened to float32, so that no product rounds.
Device exactly(Device device) {
  device.matrices = MatrixFormat::float32;
  return device;
}

}  // namespace

CaseCheck::CaseCheck(const std::string& dir, const models::VerifyOptions& options,
                     const Device& device)
    : dir_(dir),
      facts_(read_facts(dir)),
      spec_(models::read_model(models::read_case(dir, options).model_dir)),
      device_(tries_codes(spec_, device) ? exactly(device) : device),
      held_(tries_codes(spec_, device) ? std::optional(device) : std::nullopt),
      factor_(options.tolerance_factor),
      roundings_(options.roundings),
      expected_(dir + "/expected.safetensors") {
  report_.dir = dir;
  report_.name = facts_.value("case", std::filesystem::path(dir).filename().string());
  report_.kind = spec_.family;
}

// A missing key at any level means equality: a case must name each tolerance that it grants.
double CaseCheck::tolerance(std::initializer_list<const char*> path) const {
  if (!facts_.contains("tolerances")) return 0;
  const Json* at = &facts_.at("tolerances");
  for (const char* key : path) {
    if (!at->contains(key)) return 0;
    // A case that names no tolerance asks for equality.
    at = &at->at(key);
  }
  return at->is_number() ? at->get<double>() * factor_ : 0;
}

bool CaseCheck::has(const std::string& name) const {
  const auto& tensors = expected_.tensors();
  return tensors.contains(name) || tensors.contains(format("{}{}", name, kLevels));
}

at::Tensor CaseCheck::expected(const std::string& name) const {
  const std::string levels = format("{}{}", name, kLevels);
  if (expected_.tensors().contains(name) || !expected_.tensors().contains(levels)) {
    return stored_view(name);
  }
  return from_levels(name, stored_view(levels), stored_view(format("{}{}", name, kLevelValues)));
}

// LibTorch has no read-only tensors; nothing writes to the file's view.
at::Tensor CaseCheck::stored_view(const std::string& name) const {
  const tensorfile::TensorView& view = expected_.at(name);
  return at::from_blob(const_cast<std::uint8_t*>(view.bytes.data()), view.shape,
                       at::TensorOptions(torch_type(view.dtype)));
}

std::vector<std::int64_t> CaseCheck::integers(const std::string& name) const {
  const at::Tensor values = expected(name).to(at::kLong).contiguous();
  const auto* data = values.const_data_ptr<std::int64_t>();
  return {data, data + values.numel()};
}

// Large tensors are stored as a sample of their values, because cases are part of the repository.
void CaseCheck::compare(const std::string& name, const at::Tensor& ours, double tolerance) {
  if (has(name)) {
    seen_.insert(name);
    compare_with(name, expected(name), ours, tolerance);
  } else if (has(name + ".sample_value")) {
    const std::string places = sample_places(name);
    seen_.insert(name + ".sample_value");
    seen_.insert(places);
    const at::Tensor index = expected(places);
    const at::Tensor flat = ours.to(at::kCPU).flatten();
    if (index.max().item().toLong() >= flat.numel()) {
      compare_with(name + " (sample)", index, flat, tolerance);  // fails by its shape
    } else {
      compare_with(name + " (sample)", expected(name + ".sample_value"),
                   flat.index_select(0, index), tolerance);
    }
  }
}

// Returns the name of the indices of a sample. Another backend's sample of the same tensor has the
// same indices, which are stored once.
std::string CaseCheck::sample_places(const std::string& name) const {
  const std::string own = name + ".sample_index";
  const std::size_t backend = name.rfind('_');
  return has(own) || backend == std::string::npos ? own : name.substr(0, backend) + ".sample_index";
}

void CaseCheck::compare(const std::string& name, const std::vector<std::int64_t>& ours) {
  if (!has(name)) return;
  seen_.insert(name);
  compare_with(name, expected(name).flatten(), at::tensor(ours, at::kLong), 0);
}

void CaseCheck::compare_with(const std::string& name, const at::Tensor& reference,
                             const at::Tensor& ours, double tolerance) {
  models::TensorCheck check{name, reference.numel(), 0, 0, tolerance, false, {}};
  if (reference.sizes() != ours.sizes()) {
    check.note = format("has shape {}, expected {}", shape_text(ours), shape_text(reference));
    check.max_absolute = INFINITY;
    return add(check);
  }
  // In double, so that the comparison itself does not round.
  const at::Tensor a = ours.to(at::kCPU).to(at::kDouble).flatten();
  const at::Tensor b = reference.to(at::kDouble).flatten();
  if (a.numel() == 0) {
    check.passed = true;
    return add(check);
  }
  const at::Tensor difference = (a - b).abs();
  check.max_absolute = difference.max().item().toDouble();
  // Values near 0 would make the relative error meaningless, so the divisor has a lower limit.
  check.max_relative = (difference / b.abs().clamp_min(1e-6)).max().item().toDouble();
  if (tolerance > 0) {
    check.tolerance = std::max(tolerance, roundings_ * kRounding * b.abs().max().item().toDouble());
  }
  check.passed = check.max_absolute <= check.tolerance;  // false for NaN
  if (!check.passed) {
    const auto at = difference.argmax().item().toLong();
    check.note = format("at element {}: {} instead of {}", at, a[at].item().toDouble(),
                        b[at].item().toDouble());
  }
  add(check);
}

// A bound for each value would have to allow the largest one's error everywhere.
void CaseCheck::compare_held(const std::string& name, const at::Tensor& ours, double tolerance) {
  if (!has(name)) return;
  const at::Tensor reference = expected(name);
  models::TensorCheck check{name + " held", reference.numel(), 0, 0, tolerance, false, {}};
  if (reference.sizes() != ours.sizes()) {
    check.note = format("has shape {}, expected {}", shape_text(ours), shape_text(reference));
    check.max_absolute = INFINITY;
    return add(check);
  }
  const at::Tensor b = reference.to(at::kDouble);
  const at::Tensor difference = ours.to(at::kCPU).to(at::kDouble) - b;
  check.max_absolute = (difference.norm() / b.norm()).item().toDouble();
  check.max_relative = check.max_absolute;
  check.passed = check.max_absolute <= tolerance;  // false for NaN
  if (!check.passed)
    check.note =
        "the length of the difference, divided by the expected tensor's length, is too large";
  add(check);
}

void CaseCheck::compare_generated(const std::string& prefix, const std::vector<std::int64_t>& ids,
                                  const at::Tensor& logits, double logits_tolerance) {
  std::vector<std::int64_t> wanted = integers(prefix + ".ids");
  seen_.insert(prefix + ".ids");
  const bool has_logits = has(prefix + ".logits");
  std::size_t same = 0;
  while (same < std::min(ids.size(), wanted.size()) && ids[same] == wanted[same]) ++same;
  models::TensorCheck check{prefix + ".ids",
                            static_cast<std::int64_t>(wanted.size()),
                            0,
                            0,
                            0,
                            same == wanted.size() && same == ids.size(),
                            {}};
  // After a tie, both replies are right; from there on they cannot be compared.
  if (!check.passed && has_logits && same < wanted.size() && same < ids.size()) {
    const at::Tensor best =
        std::get<0>(expected(prefix + ".logits")[static_cast<std::int64_t>(same)].topk(2));
    const double gap = (best[0] - best[1]).item().toDouble();
    check.passed = gap < std::max(kTie, logits_tolerance);
    check.note = format(
        "token {} is {} instead of {}, where the reference's two best are {:.2g} "
        "apart",
        same, ids[same], wanted[same], gap);
  } else if (!check.passed) {
    check.note = format("token {} differs", same);
  }
  check.max_absolute = check.passed ? 0 : 1;
  add(check);
  if (has_logits) {
    // The first `same` tokens are equal, so the logits after them can be compared too.
    seen_.insert(prefix + ".logits");
    const auto rows = static_cast<std::int64_t>(
        std::min({same + 1, wanted.size(), static_cast<std::size_t>(logits.size(0))}));
    compare_with(prefix + ".logits", expected(prefix + ".logits").narrow(0, 0, rows),
                 logits.narrow(0, 0, rows), logits_tolerance);
  }
}

void CaseCheck::compare_choices(const std::string& name, const at::Tensor& logits,
                                double tolerance) {
  seen_.insert(name);
  const at::Tensor ours = logits.cpu();
  const at::Tensor wanted = expected(name);
  const at::Tensor shortfall =
      std::get<0>(ours.max(1)) - ours.gather(1, wanted.unsqueeze(1)).squeeze(1);
  compare_with(name, at::zeros_like(shortfall), shortfall, std::max(kTie, 2 * tolerance));
}

void CaseCheck::compare_mask(const std::string& name, const std::vector<std::int64_t>& lengths) {
  if (!has(name)) return;
  seen_.insert(name);
  const at::Tensor reference = expected(name);  // [n, width]
  const std::int64_t width = reference.size(1);
  // The reference padded on the left if any row's mask begins with 0.
  const bool left = reference.select(1, 0).sum().item().toLong() < reference.size(0);
  std::vector<std::int64_t> ours;
  for (const std::int64_t length : lengths) {
    for (std::int64_t t = 0; t < width; ++t) {
      ours.push_back((left ? width - 1 - t : t) < length ? 1 : 0);
    }
  }
  compare_with(name, reference.flatten(), at::tensor(ours, at::kLong), 0);
}

// Counted as passed: the reason is in the report.
void CaseCheck::leave_out(const std::string& name, const std::string& why) {
  if (!has(name)) return;
  seen_.insert(name);
  add({name, expected(name).numel(), 0, 0, 0, true, "not compared: " + why});
}

// Tensors that nothing looked at are listed, so that a check that is never run does not go
// unnoticed.
models::CaseReport CaseCheck::finish() {
  for (const auto& [name, view] : expected_.tensors()) {
    std::string_view tensor = name;  // without the suffix, if this is a part of a tensor
    for (const std::string_view suffix : {kLevels, kLevelValues}) {
      if (tensor.ends_with(suffix)) tensor.remove_suffix(suffix.size());
    }
    if (!seen_.contains(name) && !seen_.contains(std::string(tensor))) {
      add({name, view.element_count(), 0, 0, 0, true,
           "not compared: this program does not know it"});
    }
  }
  return report_;
}

}  // namespace fineprint::nets
