// Finds the comparison that a method case asks for.
#include "fineprint/bench/method_case.h"

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "bench/method_case_checks.h"

namespace fineprint::bench {
namespace {

struct Method {
  const char* name;
  void (*check)(MethodCase&);
};

constexpr Method kMethods[] = {
    {"method_hkrag", check_hkrag},
    {"method_gmm", check_gmm},
    {"method_ranking", check_ranking},
};

}  // namespace

std::optional<models::CaseReport> verify_method(const models::CaseFacts& facts,
                                                const models::VerifyOptions& options) {
  for (const Method& method : kMethods) {
    if (facts.name != method.name) continue;
    models::CaseReport report;
    report.dir = facts.dir;
    report.name = facts.name;
    report.kind = "method";
    try {
      MethodCase method_case(facts.dir, options.tolerance_factor);
      method.check(method_case);
      report.checks = method_case.finish();
    } catch (const Json::exception& error) {  // a key is missing or of another type
      throw Error(ErrorCode::input,
                  format("{}/case.json: not a case {}: {}", facts.dir, method.name, error.what()));
    }
    return report;
  }
  return std::nullopt;
}

}  // namespace fineprint::bench
