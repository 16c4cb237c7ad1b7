// Captions, sentences and titles cut to what a map has room for.
#include "docmap/wording.h"

#include <gtest/gtest.h>

#include "docmap/captions.h"

namespace fineprint::docmap {
namespace {

TEST(Wording, ShortensBetweenWords) {
  EXPECT_EQ(shortened("one two three", 13), "one two three");
  EXPECT_EQ(shortened("one two three", 12), "one two…");
  EXPECT_EQ(shortened("one two three", 8), "one two…");
  EXPECT_EQ(shortened("unbreakable", 5), "unbr…");
  EXPECT_EQ(shortened("äöüß", 4), "äöüß");
  EXPECT_EQ(shortened("äöüßé", 4), "äöü…");
}

TEST(Wording, TakesTheFirstSentenceOnOneLine) {
  EXPECT_EQ(first_sentence("The harbour, e.g. its\nquay, was built. It is old."),
            "The harbour, e.g. its quay, was built.");
  EXPECT_EQ(first_sentence(" \n"), "");
}

TEST(Captions, AreNamedAsTheyCount) {
  struct Case {
    const char *caption, *name, *text;
    MappedKind kind;
  };
  for (const Case& one :
       {Case{"Table 3: Catches by year", "Table 3", "Catches by year", MappedKind::table},
        {"FIG. IV. The quay", "Figure 4", "The quay", MappedKind::figure},
        {"Fig. 2a: Left", "Figure 2a", "Left", MappedKind::figure},
        {"Figure C", "Figure C", "", MappedKind::figure},
        {"Chart 1 Sales", "Chart 1", "Sales", MappedKind::chart},
        {"Graph IIII odd", "Chart IIII", "odd", MappedKind::chart},
        {"Exhibit XII) Costs", "Exhibit 12", "Costs", MappedKind::figure},
        {"A drawing of\nthe quay", "", "A drawing of the quay", MappedKind::figure},
        {"", "", "", MappedKind::figure}}) {
    const CaptionParts parts = caption_parts(one.caption, MappedKind::figure);
    EXPECT_EQ(parts.name, one.name);
    EXPECT_EQ(parts.text, one.text);
    EXPECT_EQ(parts.kind, one.kind) << one.caption;
  }
  EXPECT_EQ(caption_parts("Exhibit 1", MappedKind::table).kind, MappedKind::table);
}

}  // namespace
}  // namespace fineprint::docmap
