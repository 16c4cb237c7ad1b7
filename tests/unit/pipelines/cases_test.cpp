// Plays every transcript of tests/pipelines.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fineprint/core/files.h"

#include "unit/pipelines/case_run.h"

namespace fineprint::testing {
namespace {

// "hkrag_sufficient_early", for all files NAME.case.
std::vector<std::string> case_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(FINEPRINT_TEST_PIPELINES)) {
    if (entry.path().extension() == ".case") names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

std::string read_case(const std::string& name) {
  return read_file(std::string(FINEPRINT_TEST_PIPELINES) + "/" + name + ".case");
}

class Cases : public ::testing::TestWithParam<std::string> {};

TEST_P(Cases, GoAsWritten) {
  const PipelineCase test = parse_case(read_case(GetParam()), GetParam() + ".case");
  for (const std::string& problem : problems_of(test, run_case(test))) {
    ADD_FAILURE() << problem;
  }
}

INSTANTIATE_TEST_SUITE_P(Pipelines, Cases, ::testing::ValuesIn(case_names()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace fineprint::testing
