// Finds the comparison that a method case needs.
#include "fineprint/verify/method_case.h"

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/pipelines/pipeline.h"

#include "verify/method_case_checks.h"

namespace fineprint::verify {
namespace {

constexpr std::string_view kPrefix = "method_";

struct Formula {
  std::string_view name;
  void (*check)(MethodCase&);
};

constexpr Formula kFormulas[] = {
    {.name = "mask", .check = check_mask},
    {.name = "gmm", .check = check_gmm},
    {.name = "ranking", .check = check_ranking},
};

// Returns the formula that a case tests: the one that a pipeline gives for its name, else the name
// itself.
std::string_view formula_of(std::string_view case_name) {
  for (const pipelines::Pipeline& pipeline : pipelines::all()) {
    for (const pipelines::GoldenCase& golden : pipeline.golden_cases) {
      if (golden.name == case_name) return golden.formula;
    }
  }
  return case_name.starts_with(kPrefix) ? case_name.substr(kPrefix.size()) : std::string_view{};
}

}  // namespace

std::optional<models::CaseReport> verify_method(const models::CaseFacts& facts,
                                                const models::VerifyOptions& options) {
  const std::string_view name = formula_of(facts.name);
  for (const Formula& formula : kFormulas) {
    if (name != formula.name) continue;
    models::CaseReport report;
    report.dir = facts.dir;
    report.name = facts.name;
    report.kind = "method";
    try {
      MethodCase method_case(facts.dir, options.tolerance_factor);
      formula.check(method_case);
      report.checks = method_case.finish();
    } catch (const Json::exception& error) {  // a key is missing or has another type
      throw Error(ErrorCode::input,
                  format("{}/case.json: not a case {}: {}", facts.dir, facts.name, error.what()));
    }
    return report;
  }
  return std::nullopt;
}

}  // namespace fineprint::verify
