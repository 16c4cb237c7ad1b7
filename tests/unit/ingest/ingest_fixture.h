// A folder to index, a store, and runs from the one into the other.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fineprint/ingest/ingest.h"

#include "fake_encoder.h"
#include "support/temp_dir.h"

namespace fineprint::ingest::testing {

class IngestTest : public ::testing::Test {
 protected:
  IngestTest();

  void add(const std::string& source, const std::string& name);
  IngestReport run(const std::vector<std::string>& paths);
  IngestReport run() { return run({dir_.file("in")}); }
  // A run in which every attempt to read a page would fail.
  IngestReport run_without_workers();
  // The message of the Error that a run throws.
  std::string failure(ErrorCode code);

  store::Store reader() const { return {dir_.file("s"), store::Mode::read}; }
  std::vector<std::string> names() const;
  // All vectors of a set as float32, one after the other, by document's name and unit.
  using Vectors = std::map<std::pair<std::string, std::uint32_t>, std::vector<float>>;
  Vectors vectors(const std::string& set, bool exact = false) const;
  // The vector sets by name.
  std::vector<std::string> sets() const;

  fineprint::testing::TempDir dir_;
  Counts counts_;
  std::map<std::string, std::string> moved_;
  IngestOptions options_;
};

}  // namespace fineprint::ingest::testing
