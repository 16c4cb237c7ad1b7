// Verifies golden cases: folders with a model or tokenizer, inputs, and the outputs of the
// reference implementation.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fineprint::models {

// One expected tensor or list compared with ours.
struct TensorCheck {
  std::string name;
  std::int64_t elements = 0;
  // Largest absolute difference. Of a list of texts or ids: the number of entries that differ. Of a
  // tensor computed with codes as they are held ("NAME held"): the length of the difference divided
  // by the length of the expected tensor.
  double max_absolute = 0;
  double max_relative = 0;  // largest |a - b| / max(|b|, 1e-6)
  double tolerance = 0;     // largest absolute difference that passes
  bool passed = false;
  std::string note;  // where it first fails, or why the tensor was skipped
};

// The result of one case.
struct CaseReport {
  std::string dir, name, kind;  // kind: "tokenizer" or the model's family
  std::vector<TensorCheck> checks;
  std::string skipped;  // why the case cannot be verified here; empty if it was
  // Returns true if there was a check and all passed, or if the case was skipped.
  bool passed() const;
};

// How strictly a case is verified.
struct VerifyOptions {
  std::string model_dir;        // --model: the weights, if the case only names them
  double tolerance_factor = 1;  // multiplies every tolerance
  // Further tolerance: a tensor whose largest value is v may be off by this many roundings of v in
  // float32, because instruction sets other than the reference's add up in another order.
  int roundings = 0;
};

// What a case verifies.
enum class CaseKind { tokenizer, model, other };

// What the case.json of a folder says.
struct CaseFacts {
  std::string dir;   // without a trailing slash
  std::string name;  // "case" of case.json
  CaseKind kind = CaseKind::other;
  std::string skipped;  // why it is not verified, if the kind is other
  // Folder of the model or tokenizer: the case's own, or `model_dir` if the case only names its
  // weights, or the default text encoder if its weights are the named ones (by size and SHA-256).
  std::string model_dir;
};

// Reads a case. Throws Error(input) if the folder is no case, and Error(model) with advice if the
// case only names its weights and they cannot be found.
CaseFacts read_case(const std::string& case_dir, const VerifyOptions& options);

// Verifies encodings, offsets and decodings of a tokenizer case, with one check for each list of
// expected.json. Throws Error(input) if the folder is no case and Error(model) if the tokenizer
// cannot be used.
CaseReport verify_tokenizer(const CaseFacts& facts);

}  // namespace fineprint::models
