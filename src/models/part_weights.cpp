// Matches the tensors of files with the tensors that parts need.
#include "models/part_weights.h"

#include <algorithm>
#include <set>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::models {
namespace {

// Returns the first prefix under which the files have a tensor of the part, else the first of all.
// Proper names are tried before alternative ones.
std::string prefix_of(const PartTensors& part, const WeightFiles& files) {
  for (const std::string& prefix : part.prefixes) {
    for (const TensorSpec& tensor : part.tensors) {
      if (files.find(prefix + tensor.name) != nullptr) return prefix;
    }
  }
  for (const std::string& prefix : part.prefixes) {
    for (const TensorSpec& tensor : part.tensors) {
      if (tensor.alternative.empty()) continue;
      if (files.find(prefix + tensor.alternative) != nullptr) return prefix;
    }
  }
  return part.prefixes.front();
}

void check_shape(const FoundTensor& found, const TensorSpec& wanted, const std::string& part) {
  if (found.view->shape == wanted.shape) return;
  throw Error(ErrorCode::model,
              format("{}: tensor '{}' has shape {}, but the {} that config.json describes needs {}",
                     found.file->path, found.view->name, shape_text(found.view->shape), part,
                     shape_text(wanted.shape)));
}

// Matches part after part and records which tensors are left over.
class Matcher {
 public:
  Matcher(const ModelSpec& spec, const WeightFiles& files) : spec_(spec), files_(files) {}

  void match(const PartTensors& part) {
    const std::string prefix = prefix_of(part, files_);
    std::map<std::string, Weight>& weights = weights_[part.part];
    for (const TensorSpec& wanted : part.tensors) {
      const FoundTensor* found = take(prefix + wanted.name);
      // Both names are taken, so that a tensor which is stored twice does not count as surplus.
      if (!wanted.alternative.empty()) {
        const FoundTensor* other = take(prefix + wanted.alternative);
        if (found == nullptr) found = other;
      }
      if (found == nullptr) {
        miss(part.part, prefix, wanted);
        continue;
      }
      check_shape(*found, wanted, part.part);
      check_readable(*found);
      weights[wanted.name] = {found->view, found->file->path, {}, wanted.interleaved_heads};
    }
  }

  PartWeights finish() {
    if (missing_ > 0) {
      throw Error(ErrorCode::model, format("{}: {}{}; download the model again, or check that its "
                                           "config.json belongs to it",
                                           spec_.dir, first_missing_, more(missing_)));
    }
    // Only after missing tensors: a wrong prefix makes both, and the missing one is easier to
    // understand.
    check_surplus();
    return std::move(weights_);
  }

 private:
  static std::string more(int count) {
    return count > 1 ? format(" (and {} more)", count - 1) : std::string();
  }

  const FoundTensor* take(const std::string& name) {
    const FoundTensor* found = files_.find(name);
    // Remembered by view and not by name, because two names may refer to one tensor.
    if (found != nullptr) matched_.insert(found->view);
    return found;
  }

  void miss(const std::string& part, const std::string& prefix, const TensorSpec& wanted) {
    // Only the first missing tensor is described: one cause often makes all others missing too.
    if (missing_++ == 0) {
      first_missing_ = format("tensor '{}{}' {} of the {} is missing", prefix, wanted.name,
                              shape_text(wanted.shape), part);
      const std::string module = prefix + wanted.name.substr(0, wanted.name.rfind('.'));
      const bool codes = files_.find(module + ".qweight") != nullptr ||
                         files_.find(module + ".weight_packed") != nullptr;
      if (codes) {
        first_missing_ +=
            ", but its codes are there, and config.json has no quantization_config that "
            "explains them";
      }
    }
  }

  // AutoGPTQ writes a bias of zeros with every matrix, even in models that have no biases.
  bool is_zero_bias(const std::string& name, const FoundTensor& found) const {
    constexpr std::string_view kBiasEnding = ".bias";
    if (!name.ends_with(kBiasEnding)) return false;
    const FoundTensor* matrix =
        files_.find(name.substr(0, name.size() - kBiasEnding.size()) + ".weight");
    return matrix != nullptr && matrix->view->coded != nullptr &&
           std::ranges::all_of(found.view->bytes, [](std::uint8_t byte) { return byte == 0; });
  }

  bool accounted(const std::string& name) const {
    for (const PartTensors& part : spec_.parts) {
      if (is_unused(part, name)) return true;
    }
    return false;
  }

  void check_surplus() const {
    int surplus = 0;
    const FoundTensor* first = nullptr;
    for (const auto& [name, found] : files_.tensors()) {
      if (matched_.contains(found.view) || accounted(name) || is_zero_bias(name, found)) continue;
      if (surplus++ == 0) first = &found;
    }
    // A surplus tensor means that the recipe ignores a part of the model, whose results would then
    // be wrong.
    if (surplus == 0) return;
    throw Error(ErrorCode::model,
                format("{}: tensor '{}' belongs to no part of the model that config.json "
                       "describes{}; check that the two belong together",
                       first->file->path, first->view->name, more(surplus)));
  }

  const ModelSpec& spec_;
  const WeightFiles& files_;
  PartWeights weights_;
  std::set<const tensorfile::TensorView*> matched_;
  int missing_ = 0;
  std::string first_missing_;
};

}  // namespace

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text = "[";
  for (const std::int64_t extent : shape) {
    text += (text.size() > 1 ? ", " : "") + std::to_string(extent);
  }
  return text + "]";
}

bool is_unused(const PartTensors& part, const std::string& name) {
  for (const std::string& unused : part.unused) {
    const bool beginning = unused.ends_with('*');
    if (beginning ? name.starts_with(std::string_view(unused).substr(0, unused.size() - 1))
                  : name == unused) {
      return true;
    }
  }
  return false;
}

void check_readable(const FoundTensor& found) {
  using tensorfile::Dtype;
  const Dtype dtype = found.view->dtype;
  if (dtype != Dtype::f32 && dtype != Dtype::f16 && dtype != Dtype::bf16) {
    throw Error(ErrorCode::model,
                format("{}: tensor '{}' has dtype {}; weights are read as F32, F16 or BF16",
                       found.file->path, found.view->name, tensorfile::dtype_name(dtype)));
  }
  if (found.view->blocks || found.view->coded) return;  // read byte by byte
  const auto address = reinterpret_cast<std::uintptr_t>(found.view->bytes.data());
  // Weights are used where they are mapped, and unaligned reads are undefined.
  if (address % tensorfile::dtype_bytes(dtype) != 0) {
    throw Error(ErrorCode::model,
                format("{}: tensor '{}' is not aligned to the size of its elements; save the file "
                       "again with a current safetensors library",
                       found.file->path, found.view->name));
  }
}

PartWeights match_parts(const ModelSpec& spec, const WeightFiles& files) {
  Matcher matcher(spec, files);
  for (const PartTensors& part : spec.parts) matcher.match(part);
  return matcher.finish();
}

}  // namespace fineprint::models
