// Runs a transcript test, and says in what it went other than expected.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fineprint/core/json.h"

#include "support/recording_generator.h"
#include "unit/pipelines/case_file.h"

namespace fineprint::testing {

struct CaseRun {
  Answer answer;                 // as the program prints it, but for its generator and time
  std::optional<Error> failure;  // what the pipeline threw
  std::vector<Asked> asked;
  Json trace;
  std::string log;  // warnings and notes
};

CaseRun run_case(const PipelineCase& test);

// What the tests of this process have logged: some warnings come once a process, whoever meets
// them.
inline std::string& logged_so_far() {
  static std::string all;
  return all;
}

// Each a line that begins with the place in the file. Empty: all is as it must be. Besides what the
// file expects: pages outside the pool are not shown, pages that were not shown are not cited,
// boxes mark only what stands on the page, no reply of the script is left over, and the answer's
// record agrees with itself.
std::vector<std::string> problems_of(const PipelineCase& test, const CaseRun& run);

}  // namespace fineprint::testing
