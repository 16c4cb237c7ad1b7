// What of a list is taken.
#include "fetch/lists.h"

#include <string>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

namespace fineprint::fetch {
namespace {

documents::Address folder() { return documents::parse_address("https://h/.config/docs/"); }

TEST(Lists, DocumentsOnly) {
  ListBuilder list(folder(), {});
  for (const char* path : {"a.pdf", "in/B.DOCX", "film.mp4", "in/film.MP4", "README", ".hidden.pdf",
                           ".git/a.pdf", "in/.x/a.pdf", "~$a.docx", "a.pdf"}) {
    list.add({.path = std::string(".config/docs/") + path}, "");
  }
  EXPECT_TRUE(list.takes_folder(".config/docs/in", ""));
  EXPECT_FALSE(list.takes_folder(".config/docs/.git", ""));
  EXPECT_FALSE(list.takes_folder(".config/docs/in/..", "a name is \"..\""));
  const FileList taken = list.take();
  ASSERT_EQ(taken.files.size(), 2u);
  EXPECT_EQ(taken.files.begin()->first, ".config/docs/a.pdf");
  EXPECT_EQ(taken.left, (std::map<std::string, std::int64_t>{{"", 1}, {"mp4", 2}}));
  ASSERT_EQ(taken.failures.size(), 1u);
  EXPECT_EQ(taken.failures[0].message.find("https://h/.config/docs/in/../: a name"), 0u);
}

TEST(Lists, Limits) {
  documents::FetchOptions options;
  options.files = 2;
  ListBuilder list(folder(), options);
  list.add({.path = "a.pdf"}, "");
  list.add({.path = "b.pdf"}, "");
  EXPECT_THROW(list.add({.path = "c.pdf"}, ""), Error);
  FolderQueue folders("d");
  std::string path = "d";
  const auto add_all = [&] {
    for (int i = 0; i < 40; ++i) folders.add(path += "/x");
  };
  EXPECT_THROW(add_all(), Error);
  FolderQueue two("");
  two.add("a");
  two.add("a");
  EXPECT_EQ(two.next(), "");
  EXPECT_EQ(two.next(), "a");
  EXPECT_EQ(two.next(), std::nullopt);
}

}  // namespace
}  // namespace fineprint::fetch
