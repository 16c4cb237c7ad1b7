// What to index after a store was repaired.
#include "fineprint/ingest/repair.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "ingest_fixture.h"

namespace fineprint::ingest::testing {
namespace {

using Names = std::vector<std::string>;

class RepairStore : public IngestTest {
 protected:
  Repair repaired() const {
    store::Store store(dir_.file("s"), store::Mode::write);
    return repair(store);
  }
};

TEST_F(RepairStore, FindsNothingInASoundOne) {
  add("docs/rotated-table.pdf", "a.pdf");
  run();
  const Repair found = repaired();
  EXPECT_TRUE(found.documents.empty());
  EXPECT_TRUE(found.places.empty());
  EXPECT_EQ(found.dropped_states.states, 0);
}

TEST_F(RepairStore, NamesThePlacesUnderWhichItsDocumentsKeepTheirNames) {
  add("docs/rotated-table.pdf", "a.pdf");
  add("docs/reef-survey-paper.pdf", "sub/b.pdf");
  add("docs/rotated-table.pdf", "gone.pdf");
  run();
  std::filesystem::remove(dir_.file("in/gone.pdf"));
  std::filesystem::remove_all(dir_.file("s/postings"));
  const Repair found = repaired();
  EXPECT_EQ(found.documents, (Names{"a.pdf", "gone.pdf", "sub/b.pdf"}));
  EXPECT_EQ(found.places, (Names{dir_.file("in"), dir_.file("in/a.pdf")}));
  options_.prune = true;
  EXPECT_EQ(run(found.places).indexed, 2);
}

// A document that is gone must not keep the others from being found by their words.
TEST_F(RepairStore, WhatCannotBeReadAgainDoesNotStandInTheWay) {
  add("docs/rotated-table.pdf", "a.pdf");
  add("docs/rotated-table.pdf", "gone.pdf");
  run();
  std::filesystem::remove(dir_.file("in/gone.pdf"));
  std::filesystem::remove_all(dir_.file("s/postings"));
  EXPECT_EQ(run(repaired().places).indexed, 1);
  std::size_t documents = 0;
  for (const auto& segment : reader().postings("chunk")) documents += segment->documents().size();
  EXPECT_EQ(documents, 1U);
  EXPECT_TRUE(reader().verify().empty());
}

}  // namespace
}  // namespace fineprint::ingest::testing
