// What can be read is also found in folders.
#include <gtest/gtest.h>

#include "fineprint/documents/reader.h"
#include "fineprint/markup/markup.h"

#include "support/temp_dir.h"

namespace fineprint::reading {
namespace {

using fineprint::testing::TempDir;

TEST(FoundKinds, TheFilesThatMarkupReadsAreFound) {
  const TempDir dir;
  std::size_t kinds = 0;
  for (const std::string_view extension : markup::extensions()) {
    dir.write("file" + std::string(extension), "text");
    ++kinds;
  }
  ASSERT_GT(kinds, 5U);
  const documents::Found found = documents::find_documents({dir.path()});
  EXPECT_EQ(found.files.size(), kinds);
  for (const documents::FoundFile& file : found.skipped) ADD_FAILURE() << file.relative;
  for (const documents::FoundFile& file : found.files) {
    EXPECT_TRUE(markup::has_markup_name(file.path)) << file.path;
  }
}

}  // namespace
}  // namespace fineprint::reading
