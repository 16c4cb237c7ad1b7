// Golden cases: a folder with a model or tokenizer, inputs, and the values that the reference
// implementation gave.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fineprint::models {

// One expected tensor (or list) against ours.
struct TensorCheck {
  std::string name;
  std::int64_t elements = 0;
  // Of a list of texts or ids: how many entries differ. Of a tensor that was computed with codes as
  // they are held ("NAME held"): the difference's length in lengths of the expected tensor.
  double max_absolute = 0;
  double max_relative = 0;  // |a - b| / max(|b|, 1e-6) at its largest
  double tolerance = 0;     // absolute
  bool passed = false;
  std::string note;  // where it fails first, or why the tensor was left out
};

struct CaseReport {
  std::string dir, name, kind;  // kind: "tokenizer" or the model's family
  std::vector<TensorCheck> checks;
  std::string skipped;  // the reason, when the case is none that can be verified here
  // Every check passed, and there was one; or the case was skipped.
  bool passed() const;
};

struct VerifyOptions {
  std::string model_dir;  // --model: weights of a case that only names them
  double tolerance_factor = 1;
  // A tensor whose largest value is v may be off by this many roundings of v in float32, whatever
  // its tolerance: other instructions than the reference's sum in another order.
  int roundings = 0;
};

enum class CaseKind { tokenizer, model, other };

// What a case folder is, by its case.json.
struct CaseFacts {
  std::string dir;   // without a slash at its end
  std::string name;  // "case" of case.json
  CaseKind kind = CaseKind::other;
  std::string skipped;  // kind other: why it is not verified
  // Folder of the model or tokenizer: the case's own; `model_dir` when the case only names its
  // weights; the default text encoder when its weights are those named (by size and SHA-256).
  std::string model_dir;
};

// Throws Error(input) for a folder that is no case, and Error(model) with what to do when the case
// only names its weights and they are not at hand.
CaseFacts read_case(const std::string& case_dir, const VerifyOptions& options);

// Encodings, offsets and decodings of a tokenizer case; one check a list of expected.json. Throws
// Error(input) for a folder that is no case and Error(model) for a tokenizer that cannot be used.
CaseReport verify_tokenizer(const CaseFacts& facts);

}  // namespace fineprint::models
