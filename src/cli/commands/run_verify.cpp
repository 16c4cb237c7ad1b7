// `fineprint verify`: runs golden cases on this machine.
#include <algorithm>
#include <cstdlib>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"
#include "fineprint/core/threads.h"
#include "fineprint/models/verify.h"
#include "fineprint/session/load.h"
#include "fineprint/simd/instruction_set.h"
#include "fineprint/verify/method_case.h"

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

using models::CaseReport;
using models::TensorCheck;

// Sums in another order round differently. The largest difference seen between AVX2 and AVX-512 was
// 19 roundings of the largest value.
constexpr int kNativeRoundings = 64;

// Cases were computed with AVX2 on a CPU. Other instructions or a GPU need more room for rounding.
models::VerifyOptions verify_options(const Settings& settings) {
  models::VerifyOptions options;
  options.model_dir = settings.text("model");
  const bool as_reference = settings.text("isa") == "reference" &&
                            simd::has(simd::InstructionSet::avx2) &&
                            !settings.text("device").starts_with("cuda");
  if (!as_reference) options.roundings = kNativeRoundings;
  options.tolerance_factor = settings.real("tolerance-factor");
  if (!(options.tolerance_factor > 0)) {
    throw Error(ErrorCode::usage,
                format("--tolerance-factor {}: must be greater than 0; 1 keeps the tolerances",
                       options.tolerance_factor));
  }
  return options;
}

// Sharp attention amplifies the last bit, so cases are compared with the instructions that computed
// the references. The networks' library reads these variables once, when it is opened. Values that
// the user set are kept.
void use_reference_instructions(const Settings& settings) {
  const std::string_view set = simd::name_of(simd::reference_set());
  if (settings.text("isa") != "reference" || !simd::limit_to(set)) return;
  log::debug("kernels are limited to {} and portable ones", set);
  const bool is_arm = simd::reference_set() == simd::InstructionSet::neon;
  setenv("ATEN_CPU_CAPABILITY", is_arm ? "default" : "avx2", /*overwrite=*/0);
  setenv("ONEDNN_MAX_CPU_ISA", is_arm ? "advsimd" : "AVX2", /*overwrite=*/0);
}

// The kind of the case decides who compares: the tokenizer, the networks, or the formulas of
// methods.
CaseReport verify_one(const std::string& dir, models::VerifyOptions options,
                      const models::DeviceOptions& device) {
  const models::CaseFacts facts = models::read_case(dir, options);
  options.model_dir = facts.model_dir;
  if (facts.kind == models::CaseKind::tokenizer) return models::verify_tokenizer(facts);
  if (facts.kind == models::CaseKind::model) {
    return session::nets().verify_case(facts.dir, options, device);
  }
  if (const auto method = verify::verify_method(facts, options)) return *method;
  CaseReport report;
  report.dir = facts.dir;
  report.name = facts.name;
  report.skipped = facts.skipped;
  return report;
}

std::size_t failures(const CaseReport& report) {
  return static_cast<std::size_t>(std::ranges::count(report.checks, false, &TensorCheck::passed));
}

// One line for each tensor, with its largest differences and its tolerance.
void print_checks(const CaseReport& report) {
  for (const TensorCheck& check : report.checks) {
    print_line(format("  {:<44} {:>9}  abs {:<9.3g} rel {:<9.3g} tol {:<9.3g} {}{}{}", check.name,
                      check.elements, check.max_absolute, check.max_relative, check.tolerance,
                      check.passed ? "ok" : "FAILED", check.note.empty() ? "" : ": ", check.note));
  }
  if (!report.skipped.empty()) {
    print_line(format("{}: skipped: {}", report.dir, report.skipped));
  } else if (report.passed()) {
    print_line(format("{}: ok, {} tensors", report.dir, report.checks.size()));
  } else {
    print_line(
        format("{}: FAILED, {} of {} tensors", report.dir, failures(report), report.checks.size()));
  }
}

void print_case_record(const CaseReport& report) {
  Json tensors = Json::array();
  for (const TensorCheck& check : report.checks) {
    Json tensor = {{"name", check.name},
                   {"elements", check.elements},
                   {"max_absolute", check.max_absolute},
                   {"max_relative", check.max_relative},
                   {"tolerance", check.tolerance},
                   {"passed", check.passed}};
    if (!check.note.empty()) tensor["note"] = check.note;
    tensors.push_back(std::move(tensor));
  }
  Json record = {{"case", report.dir}, {"name", report.name}};
  if (report.skipped.empty()) {
    record["kind"] = report.kind;
    record["status"] = report.passed() ? "ok" : "failed";
    record["tensors"] = std::move(tensors);
  } else {
    record["status"] = "skipped";
    record["reason"] = report.skipped;
  }
  print_line(dump_json(record));
}

// Reports a case that could not be run, because its folder or model cannot be used.
void print_problem(const std::string& dir, const Error& error, bool json) {
  log::error("{}", std::string_view(error.what()));
  if (json) {
    print_line(dump_json({{"case", dir},
                          {"status", "unusable"},
                          {"code", code_name(error.code())},
                          {"message", error.what()}}));
  } else {
    print_line(format("{}: could not be verified", dir));
  }
}

struct Totals {
  int ok = 0, failed = 0, skipped = 0, unusable = 0;
  int worst = 0;  // exit code
};

void count(const CaseReport& report, Totals* totals) {
  if (!report.skipped.empty()) {
    ++totals->skipped;
  } else if (report.passed()) {
    ++totals->ok;
  } else {
    ++totals->failed;
    totals->worst = std::max(totals->worst, 1);
  }
}

}  // namespace

int run_verify(const Settings& settings) {
  argument(settings, 0, "CASE (a folder with case.json)");
  const models::VerifyOptions options = verify_options(settings);
  const models::DeviceOptions device = model_options(settings).device;
  use_reference_instructions(settings);
  const bool json = settings.flag("json");
  Totals totals;
  for (const std::string& dir : settings.arguments) {
    throw_if_interrupted();
    try {
      const CaseReport report = verify_one(dir, options, device);
      json ? print_case_record(report) : print_checks(report);
      count(report, &totals);
    } catch (const Error& error) {
      // These errors would also stop the next case.
      if (error.code() == ErrorCode::usage || error.code() == ErrorCode::interrupted) throw;
      print_problem(dir, error, json);
      ++totals.unusable;
      totals.worst = std::max(totals.worst, exit_code(error.code()));
    }
  }
  log::note("{} cases: {} ok, {} failed, {} skipped, {} could not be verified",
            settings.arguments.size(), totals.ok, totals.failed, totals.skipped, totals.unusable);
  return totals.worst;
}

}  // namespace fineprint::cli
