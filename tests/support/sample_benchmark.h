// A benchmark of tests/data/benchmarks in a folder of its own, with documents that hold nothing.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>

#include "support/temp_dir.h"

namespace fineprint::testing {

class SampleBenchmark {
 public:
  // `documents` is where the benchmark has them: "pdfs".
  SampleBenchmark(const std::string& name, const std::string& documents,
                  std::initializer_list<const char*> files = {
                      "harbor-annual-report.pdf", "reef-survey-paper.pdf", "rotated-table.pdf"}) {
    std::filesystem::copy(std::string(FINEPRINT_TEST_DATA) + "/benchmarks/" + name, dir(),
                          std::filesystem::copy_options::recursive);
    std::filesystem::create_directories(dir() + "/" + documents);
    for (const char* file : files) folder_.write("data/" + documents + "/" + file, "");
  }
  std::string dir() const { return folder_.file("data"); }
  // Writes a file of the benchmark anew.
  void write(const std::string& file, const std::string& text) const {
    folder_.write("data/" + file, text);
  }

 private:
  TempDir folder_;
};

}  // namespace fineprint::testing
