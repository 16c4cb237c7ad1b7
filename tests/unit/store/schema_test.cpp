// A catalogue of another format or program is refused and left as it is.
#include "store/schema.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"
#include "fineprint/store/store.h"

#include "sample.h"
#include "support/has.h"
#include "support/temp_dir.h"

namespace fineprint::store {
namespace {

using fineprint::testing::has;
using fineprint::testing::TempDir;
using testing::sample_document;

std::string catalog_of(const TempDir& dir) { return dir.file("s/catalog.sqlite"); }

void change_catalog(const TempDir& dir, const std::string& sql) {
  Database(catalog_of(dir), OpenAs::writer).execute(sql);
}

void make_store(const TempDir& dir) {
  testing::put_with_vectors(*std::make_unique<Store>(dir.file("s"), Mode::write),
                            sample_document("a.pdf", 1));
}

// Every file of the store and what is in it, but for what any reader leaves beside the catalogue:
// its shared memory and an empty log.
std::map<std::string, std::string> files_and_bytes(const TempDir& dir) {
  std::map<std::string, std::string> out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(dir.file("s"))) {
    const std::string name = entry.path().string();
    if (!entry.is_regular_file() || name.ends_with("-shm")) continue;
    if (name.ends_with("-wal") && entry.file_size() == 0) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    out[name] = std::string(std::istreambuf_iterator<char>(file), {});
  }
  return out;
}

// Empty when the store was opened.
std::string refusal(const TempDir& dir, Mode mode) {
  try {
    const Store store(dir.file("s"), mode);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::store) << error.what();
    return error.what();
  }
  return {};
}

TEST(Schema, AnotherFormatIsRefusedAndLeftAsItIs) {
  const TempDir dir;
  make_store(dir);
  for (const std::int64_t format :
       {kFormat - 1, kFormat + 1, std::int64_t{0}, std::int64_t{1}, std::int64_t{-1},
        std::int64_t{-1000}, std::int64_t{INT32_MIN}, std::int64_t{INT32_MAX}}) {
    change_catalog(dir, fineprint::format("PRAGMA user_version = {}", format));
    const auto before = files_and_bytes(dir);
    for (const Mode mode : {Mode::read, Mode::write}) {
      const std::string said = refusal(dir, mode);
      EXPECT_TRUE(has(said, catalog_of(dir))) << said;
      EXPECT_TRUE(has(said, fineprint::format("its format is {},", format))) << said;
      EXPECT_TRUE(has(said, fineprint::format("this program's is {};", kFormat))) << said;
      EXPECT_TRUE(has(said, "into a new folder: fineprint index")) << said;
      EXPECT_EQ(has(said, "newer"), format > kFormat) << said;
      EXPECT_EQ(files_and_bytes(dir), before) << format;
    }
  }
  change_catalog(dir, fineprint::format("PRAGMA user_version = {}", kFormat));
  Store store(dir.file("s"), Mode::write);
  EXPECT_TRUE(store.verify().empty());
  EXPECT_EQ(testing::difference(store, sample_document("a.pdf", 1)), "");
}

// The numbers are set last: what has tables but no numbers is nobody's catalogue.
TEST(Schema, TablesOfSomebodyElseAreRefused) {
  const TempDir dir;
  std::filesystem::create_directories(dir.file("s"));
  change_catalog(dir, "CREATE TABLE page_graphs(x)");
  for (const Mode mode : {Mode::read, Mode::write}) {
    EXPECT_TRUE(has(refusal(dir, mode), "another program"));
  }
  change_catalog(dir, "DROP TABLE page_graphs");
  Store(dir.file("s"), Mode::write).put(sample_document("a.pdf", 1));
  EXPECT_TRUE(Store(dir.file("s"), Mode::read).verify().empty());
}

TEST(Schema, AnEmptyCatalogueIsFilledByTheWriterOnly) {
  const TempDir dir;
  std::filesystem::create_directories(dir.file("s"));
  dir.write("s/catalog.sqlite", "");
  EXPECT_TRUE(has(refusal(dir, Mode::read), "fineprint index"));
  EXPECT_EQ(refusal(dir, Mode::write), "");
  EXPECT_EQ(refusal(dir, Mode::read), "");
}

// Deleted segments leave their numbers behind: a reader may still have the file of one mapped.
TEST(Schema, NumbersOfSegmentsAreNotUsedTwice) {
  const TempDir dir;
  make_store(dir);
  change_catalog(dir, "UPDATE sqlite_sequence SET seq = 9 WHERE name = 'segments'");
  Store store(dir.file("s"), Mode::write);
  store.remove("a.pdf");
  store.compact();
  testing::put_with_vectors(store, sample_document("a.pdf", 2));
  EXPECT_TRUE(std::filesystem::exists(dir.file("s/vectors/text/00000010.safetensors")));
  EXPECT_TRUE(store.verify().empty());
}

// Who changes a table raises kFormat, and this sum with it.
TEST(Schema, TheFormatNumberStandsForTheseTables) {
  const TempDir dir;
  std::filesystem::create_directories(dir.file("s"));
  const auto database = open_for_writing(catalog_of(dir));
  std::string columns;
  Query rows = database->query(
      "SELECT t.name, c.name, c.type, c.\"notnull\", c.pk FROM pragma_table_list AS t, "
      "pragma_table_info(t.name) AS c WHERE t.name NOT LIKE 'sqlite_%' ORDER BY 1, 2");
  while (rows.step()) {
    columns += fineprint::format("{} {} {} {} {}\n", rows.text(0), rows.text(1), rows.text(2),
                                 rows.integer(3), rows.integer(4));
  }
  EXPECT_EQ(kFormat, 8);
  EXPECT_EQ(checksum({reinterpret_cast<const std::uint8_t*>(columns.data()), columns.size()}),
            1100843427868336947U)
      << columns;
}

}  // namespace
}  // namespace fineprint::store
