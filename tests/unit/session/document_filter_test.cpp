// Which documents a filter leaves.
#include "fineprint/session/document_filter.h"

#include <gtest/gtest.h>

#include "fineprint/core/dates.h"
#include "fineprint/core/error.h"
#include "fineprint/core/formats.h"

namespace fineprint::session {
namespace {

store::DocumentRow row(const std::string& doc, const std::string& day) {
  store::DocumentRow out;
  out.doc = doc;
  out.path = "/somewhere/" + doc;
  out.stamp.mtime_ns = std::chrono::nanoseconds(parse_utc(day)->time_since_epoch()).count();
  return out;
}

std::string left(const DocumentFilter& filter) {
  std::string names;
  for (const store::DocumentRow& one :
       filtered({row("a.pdf", "2024-01-01"), row("b/photo.JPEG", "2025-06-01"),
                 row("b/sums.xlsx", "2026-01-01T12:00")},
                filter, "papers.store")) {
    names += (names.empty() ? "" : " ") + one.doc;
  }
  return names;
}

std::string refusal(const DocumentFilter& filter) {
  try {
    return "leaves " + left(filter);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::input);
    return error.what();
  }
}

// "Übung Zoë.txt" as macOS writes it, and as it is typed.
TEST(DocumentFilter, NamesAreEqualHoweverTheirMarksAreWritten) {
  const std::string apart =
                        "U\xcc\x88"
                        "bung Zoe\xcc\x88.txt",
                    typed = "Übung Zoë.txt";
  EXPECT_TRUE(names_document(typed, "notes/" + apart));
  EXPECT_TRUE(names_document(apart, "notes/" + typed));
  EXPECT_TRUE(names_document("notes/Übung*", "notes/" + apart));
  EXPECT_TRUE(names_document("/home/Übung", apart,
                             "/home/U\xcc\x88"
                             "bung/" +
                                 apart));
  EXPECT_FALSE(names_document("Ubung Zoe.txt", apart));
}

TEST(DocumentFilter, AllThatIsSetMustHold) {
  EXPECT_EQ(left({}), "a.pdf b/photo.JPEG b/sums.xlsx");
  EXPECT_EQ(left({.docs = {"b/*"}}), "b/photo.JPEG b/sums.xlsx");
  EXPECT_EQ(left({.docs = {"/somewhere/b"}, .kinds = {"image"}}), "b/photo.JPEG");
  EXPECT_EQ(left({.kinds = {"jpg", "pdf"}}), "a.pdf b/photo.JPEG");
  EXPECT_EQ(left({.since = "2025-06-01"}), "b/photo.JPEG b/sums.xlsx");
  EXPECT_EQ(left({.since = "2026-01-01T12:00"}), "b/sums.xlsx");
}

TEST(DocumentFilter, WhatLeavesNothingIsToldApart) {
  EXPECT_NE(refusal({.docs = {"a.pdf", "c.pdf"}}).find("\"c.pdf\""), std::string::npos);
  EXPECT_EQ(refusal({.since = "2027-01-01", .kinds = {"pdf", "docx"}}),
            "no document in papers.store is of --kind pdf or docx and changed --since 2027-01-01");
  EXPECT_EQ(refusal({.docs = {"a.pdf"}, .kinds = {"image"}}),
            "no document in papers.store that is named is of --kind image");
}

TEST(DocumentFilter, TheHelpOfKindNamesEveryGroup) {
  for (const auto& option : document_filter_options().options()) {
    if (option.name != "kind") continue;
    for (const std::string_view group : kFormatGroups) {
      EXPECT_NE(option.facts.help.find(group), std::string::npos) << group;
    }
    return;
  }
  FAIL() << "there is no option kind";
}

TEST(DocumentFilter, AnEmptyStoreIsNoError) {
  EXPECT_TRUE(filtered({}, {.kinds = {"pdf"}}, "papers.store").empty());
}

}  // namespace
}  // namespace fineprint::session
