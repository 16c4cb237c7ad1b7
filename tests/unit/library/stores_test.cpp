// Which store belongs to which folders, and the stores that one text names.
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/library/cached_stores.h"
#include "fineprint/library/joined_stores.h"

#include "support/temp_dir.h"

namespace fineprint::library {
namespace {

using Names = std::vector<std::string>;

TEST(StoreDirs, AreDividedByCommas) {
  EXPECT_EQ(store_dirs("/missing/a"), Names{"/missing/a"});
  EXPECT_EQ(store_dirs("/missing/a,/missing/b"), (Names{"/missing/a", "/missing/b"}));
  EXPECT_EQ(store_dirs(",/missing/a,,/missing/b,"), (Names{"/missing/a", "/missing/b"}));
}

TEST(StoreDirs, AnExistingFolderMayHaveAComma) {
  const testing::TempDir folder;
  const std::string name = folder.file("2022,2023");
  std::filesystem::create_directories(name);
  EXPECT_EQ(store_dirs(name), Names{name});
  EXPECT_EQ(searched_store(name), name);
}

// The user's cache folder is one of the test's own.
class AskedPlaces : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = std::filesystem::canonical(folder_.path()).string() + "/documents";
    std::filesystem::create_directories(root_ + "/inner");
    folder_.write("documents/inner/a.pdf", "");
    setenv("XDG_CACHE_HOME", folder_.file("cache").c_str(), 1);
  }
  void TearDown() override { unsetenv("XDG_CACHE_HOME"); }

  // Makes the folder of a store, as indexing does.
  static void keep(const AskedPlace& place) {
    std::filesystem::create_directories(place.dir);
    note_use(place);
  }

  testing::TempDir folder_;
  std::string root_;
};

TEST_F(AskedPlaces, EqualFoldersHaveOneStore) {
  const AskedPlace place = asked_place({root_ + "/inner/..", root_ + "/inner"});
  EXPECT_EQ(place.roots, Names{root_});
  EXPECT_TRUE(place.within.empty());
  EXPECT_EQ(asked_place({root_}).dir, place.dir);
  EXPECT_NE(asked_place({root_ + "/inner"}).dir, place.dir);
  EXPECT_TRUE(cached_stores().empty());  // nothing was written
}

TEST_F(AskedPlaces, AFolderIsAnsweredByTheStoreAboveIt) {
  const AskedPlace above = asked_place({root_});
  keep(above);
  const std::vector<CachedStore> stores = cached_stores();
  ASSERT_EQ(stores.size(), 1U);
  EXPECT_EQ(stores[0].dir, above.dir);
  EXPECT_EQ(stores[0].roots, Names{root_});
  const AskedPlace inner = asked_place({root_ + "/inner"});
  EXPECT_EQ(inner.dir, above.dir);
  EXPECT_EQ(inner.roots, Names{root_});
  EXPECT_EQ(inner.within, Names{root_ + "/inner"});
}

TEST_F(AskedPlaces, AMissingPathIsRefusedByName) {
  try {
    asked_place({root_ + "/missing"});
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unreadable);
    EXPECT_NE(std::string(error.what()).find(root_ + "/missing"), std::string::npos);
  }
}

}  // namespace
}  // namespace fineprint::library
