// Joins the arrays of quantised matrices and checks that they fit each other.
#include "models/coded_weights.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "models/module_names.h"

namespace fineprint::models {
namespace {

using tensorfile::CodedMatrix;
using tensorfile::CodeLayout;
using tensorfile::Dtype;
using tensorfile::TensorView;

// Endings of the names of a matrix's arrays, after the name of its module.
struct ArrayNames {
  std::string_view codes, scales, zeros, groups, shape;
};

ArrayNames names_of(const Quantisation& quantisation, CodeLayout layout) {
  switch (layout) {
    case CodeLayout::awq:
    case CodeLayout::gptq:
      return {".qweight", ".scales", ".qzeros", ".g_idx", ""};
    case CodeLayout::packed:
      return {".weight_packed", ".weight_scale", ".weight_zero_point", ".weight_g_idx",
              ".weight_shape"};
    case CodeLayout::int8:
      return {".weight", ".weight_scale", ".weight_zero_point", "", ""};
    case CodeLayout::fp8:
      return {".weight", quantisation.method == "fp8" ? ".weight_scale_inv" : ".weight_scale", "",
              "", ""};
  }
  return {};
}

// Returns true if a tensor holds the codes of such a matrix. Ordinary weights may have the same
// name and are distinguished by their type.
bool holds_codes(const ArrayNames& names, CodeLayout layout, const FoundTensor& found,
                 const std::string& name) {
  if (!name.ends_with(names.codes)) return false;
  if (layout == CodeLayout::fp8) return found.view->dtype == Dtype::f8_e4m3;
  return layout != CodeLayout::int8 || found.view->dtype == Dtype::i8;
}

[[noreturn]] void refuse_codes(const FoundTensor& codes, const std::string& problem) {
  throw Error(ErrorCode::model,
              format("{}: {}; the file is damaged, or its config.json belongs to another",
                     codes.file->path, problem));
}

std::int64_t shape_number(const TensorView& view, std::size_t at) {
  std::int64_t number = 0;
  // Copied, because the bytes of a file need not be aligned.
  std::memcpy(&number, view.bytes.data() + at * sizeof number, sizeof number);
  return number;
}

// Collects the arrays of one matrix by the names of one scheme.
class Joiner {
 public:
  Joiner(const Quantisation& quantisation, const WeightFiles& files, const CodeScheme& scheme,
         const std::string& codes_name)
      : files_(files),
        scheme_(scheme),
        names_(names_of(quantisation, scheme.layout)),
        module_(codes_name.substr(0, codes_name.size() - names_.codes.size())),
        codes_(*files.find(codes_name)) {
    joined_.name = module_ + ".weight";
    joined_.codes = codes_;
    // The names of all arrays that were joined, which then count as used.
    joined_.parts.push_back(codes_name);
  }

  // Returns what does not fit, or an empty string; then `finish` returns the matrix.
  std::string join() {
    CodedMatrix matrix;
    matrix.layout = scheme_.layout;
    matrix.bits = scheme_.bits;
    matrix.zeros_less_one = scheme_.zeros_less_one;
    matrix.codes = *codes_.view;
    std::string problem = set_extents(&matrix);
    if (!problem.empty()) return problem;
    // 0 means that one scale covers all rows or all columns.
    matrix.block_rows = scheme_.block_rows == 0 ? matrix.rows : scheme_.block_rows;
    matrix.block_columns = scheme_.block_columns == 0 ? matrix.columns : scheme_.block_columns;
    const FoundTensor* scales = take(names_.scales);
    if (scales == nullptr) return missing(names_.scales);
    matrix.scales = *scales->view;
    const FoundTensor* zeros = names_.zeros.empty() ? nullptr : take(names_.zeros);
    if (scheme_.has_zeros && zeros == nullptr) return missing(names_.zeros);
    if (!scheme_.has_zeros && zeros != nullptr) {
      return format("tensor '{}' is there, but config.json says that the middle code is zero",
                    zeros->view->name);
    }
    if (zeros != nullptr) matrix.zeros = *zeros->view;
    const FoundTensor* groups = names_.groups.empty() ? nullptr : take(names_.groups);
    if (groups != nullptr && !says_nothing(*groups->view)) matrix.groups = *groups->view;
    problem = tensorfile::problem_of(matrix);
    if (problem.empty()) joined_.matrix = std::make_shared<const CodedMatrix>(std::move(matrix));
    return problem;
  }

  JoinedMatrix finish() { return std::move(joined_); }

 private:
  const FoundTensor* take(std::string_view ending) {
    const std::string name = module_ + std::string(ending);
    const FoundTensor* found = files_.find(name);
    if (found != nullptr) joined_.parts.push_back(name);
    return found;
  }

  std::string missing(std::string_view ending) const {
    return format("tensor '{}' has codes, but '{}{}' is missing", codes_.view->name, module_,
                  ending);
  }

  // Sets rows and columns from the shape of the codes, or from the tensor with the shape.
  std::string set_extents(CodedMatrix* matrix) {
    const std::vector<std::int64_t>& shape = codes_.view->shape;
    if (shape.size() != 2) return format("tensor '{}' is not a matrix", codes_.view->name);
    const std::int64_t in_word = 32 / scheme_.bits;
    matrix->rows = shape[0];
    matrix->columns = shape[1];
    // Below 2^31, so that products of extents cannot overflow.
    const bool sane = std::ranges::all_of(shape, [](std::int64_t n) { return n < (1LL << 31); });
    if (!sane) return format("tensor '{}' is too large", codes_.view->name);
    if (scheme_.layout == CodeLayout::awq) {
      matrix->rows = shape[1] * in_word;
      matrix->columns = shape[0];
    } else if (scheme_.layout == CodeLayout::gptq) {
      matrix->rows = shape[1];
      matrix->columns = shape[0] * in_word;
    } else if (scheme_.layout == CodeLayout::packed) {
      const FoundTensor* written = take(names_.shape);
      if (written == nullptr) return missing(names_.shape);
      if (written->view->dtype != Dtype::i64 ||
          written->view->shape != std::vector<std::int64_t>{2}) {
        return format("tensor '{}' is not a pair of I64 values", written->view->name);
      }
      matrix->rows = shape_number(*written->view, 0);
      matrix->columns = shape_number(*written->view, 1);
    }
    return {};
  }

  // Writers that do not reorder columns fill the array with -1.
  static bool says_nothing(const TensorView& groups) {
    return std::ranges::all_of(groups.bytes, [](std::uint8_t byte) { return byte == 0xFF; });
  }

  const WeightFiles& files_;
  const CodeScheme& scheme_;
  ArrayNames names_;
  std::string module_;
  FoundTensor codes_;
  JoinedMatrix joined_;
};

// Finds the scheme of a module: the one that names it or has a pattern for it, else the one for the
// class of all matrices. Source: compressed-tensors' matching of targets.
class Schemes {
 public:
  explicit Schemes(const Quantisation& quantisation)
      : quantisation_(quantisation), ignored_(quantisation.ignored, quantisation.file) {
    for (const CodeScheme& scheme : quantisation.schemes) {
      targets_.emplace_back(scheme.targets, quantisation.file);
    }
  }

  // Returns nullptr if the tensor holds no codes. Throws if no scheme covers its module.
  const CodeScheme* find(const std::string& name, const FoundTensor& found) const {
    bool codes = false;
    const CodeScheme *named = nullptr, *of_class = nullptr;
    std::string module;
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      const CodeScheme& scheme = quantisation_.schemes[i];
      const ArrayNames names = names_of(quantisation_, scheme.layout);
      if (!holds_codes(names, scheme.layout, found, name)) continue;
      codes = true;
      module = name.substr(0, name.size() - names.codes.size());
      if (named == nullptr && targets_[i].name(module)) named = &scheme;
      // A single scheme applies to all modules, whatever its targets are called.
      const bool any = targets_[i].list("Linear") || targets_.size() == 1;
      if (of_class == nullptr && any) of_class = &scheme;
    }
    if (!codes) return nullptr;
    if (ignored_.name_part_of(module)) {
      refuse_other(found, format("{} says that '{}' is not quantised", quantisation_.file, module));
    }
    const CodeScheme* chosen = named != nullptr ? named : of_class;
    if (chosen == nullptr) {
      refuse_other(found, format("no group in {} covers '{}'", quantisation_.file, module));
    }
    return chosen;
  }

 private:
  [[noreturn]] static void refuse_other(const FoundTensor& found, const std::string& problem) {
    throw Error(ErrorCode::model,
                format("{}: tensor '{}' has codes, but {}; check that the two belong together",
                       found.file->path, found.view->name, problem));
  }

  const Quantisation& quantisation_;
  ModuleNames ignored_;
  std::vector<ModuleNames> targets_;
};

}  // namespace

std::vector<JoinedMatrix> joined_codes(const Quantisation& quantisation, const WeightFiles& files) {
  const Schemes schemes(quantisation);
  std::vector<JoinedMatrix> joined;
  for (const auto& [name, found] : files.tensors()) {
    const CodeScheme* scheme = schemes.find(name, found);
    if (scheme == nullptr) continue;
    Joiner joiner(quantisation, files, *scheme, name);
    const std::string problem = joiner.join();
    if (!problem.empty()) refuse_codes(found, problem);
    joined.push_back(joiner.finish());
  }
  return joined;
}

bool is_of_activations(const std::string& name) {
  constexpr std::array<std::string_view, 9> kEndings{
      ".input_scale",       ".output_scale",     ".input_zero_point",
      ".output_zero_point", ".activation_scale", ".q_scale",
      ".k_scale",           ".v_scale",          ".prob_scale"};
  return std::ranges::any_of(kEndings, [&](std::string_view end) { return name.ends_with(end); });
}

}  // namespace fineprint::models
