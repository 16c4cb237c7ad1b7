// Seeing that a store has changed.
#include "fineprint/store/changes.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/store/store.h"

#include "support/temp_dir.h"

namespace fineprint::store {
namespace {

NewDocument document_named(const std::string& name) {
  NewDocument document;
  document.row.doc = name;
  document.row.path = "/" + name;
  document.row.hash = name;
  return document;
}

class StoreChanges : public ::testing::Test {
 protected:
  const testing::TempDir folder_;
  const std::string dir_ = folder_.file("a.store");
};

TEST_F(StoreChanges, AreSeenOnceEach) {
  Store writer(dir_, Mode::write);
  Changes changes(dir_);
  EXPECT_FALSE(changes.seen());
  writer.put(document_named("a.pdf"));
  EXPECT_TRUE(changes.seen());
  EXPECT_FALSE(changes.seen());
  writer.put(document_named("b.pdf"));
  writer.put(document_named("c.pdf"));
  EXPECT_TRUE(changes.seen());
  EXPECT_FALSE(changes.seen());
}

TEST_F(StoreChanges, AreNotMadeByReading) {
  {
    Store(dir_, Mode::write).put(document_named("a.pdf"));
  }
  Changes changes(dir_);
  EXPECT_EQ(Store(dir_, Mode::read).documents().size(), 1u);
  EXPECT_FALSE(changes.seen());
}

TEST_F(StoreChanges, AreThoseOfTheStoreThatIsThereNow) {
  {
    Store(dir_, Mode::write).put(document_named("a.pdf"));
  }
  Changes changes(dir_);
  std::filesystem::rename(dir_, dir_ + ".old");
  EXPECT_THROW(changes.seen(), Error);
  {
    Store(dir_, Mode::write).put(document_named("b.pdf"));
  }
  EXPECT_TRUE(changes.seen());
  EXPECT_FALSE(changes.seen());
}

}  // namespace
}  // namespace fineprint::store
