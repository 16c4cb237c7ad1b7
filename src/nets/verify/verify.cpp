// Chooses how a golden case is run.
#include "nets/verify/verify.h"

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"

#include "nets/verify/case_check.h"
#include "nets/verify/ways.h"

namespace fineprint::nets {

namespace {

// The order of the checks matters, because several kinds of cases have "queries".
models::CaseReport run_case(const std::string& case_dir, const models::VerifyOptions& options,
                            const Device& device) {
  CaseCheck check(case_dir, options, device);
  const Json& facts = check.facts();
  if (facts.contains("runs")) {
    verify_runs(&check);
  } else if (facts.contains("images") && check.spec().head.vocabulary) {
    verify_sparse_pages(&check);
  } else if (facts.contains("images") && facts.contains("queries")) {
    verify_late_pages(&check);
  } else if (facts.contains("sentences") && check.spec().head.vocabulary) {
    verify_sparse_texts(&check);
  } else if (facts.contains("sentences")) {
    verify_sentences(&check);
  } else if (facts.contains("queries") && facts.contains("docs")) {
    verify_late_texts(&check);
  } else if (facts.contains("judged")) {
    verify_judged(&check);
  } else if (facts.contains("pairs")) {
    verify_pairs(&check);
  } else {
    models::CaseReport report = check.finish();
    report.checks.clear();
    report.skipped = "it has no runs, images, sentences, queries or pairs for a model";
    return report;
  }
  return check.finish();
}

}  // namespace

models::CaseReport verify_case(const std::string& case_dir, const models::VerifyOptions& options,
                               const Device& device) {
  try {
    return run_case(case_dir, options, device);
  } catch (const Json::exception& error) {  // a key is missing or of another type
    throw Error(ErrorCode::input,
                format("{}/case.json: not a golden case of a model: {}", case_dir, error.what()));
  }
}

}  // namespace fineprint::nets
