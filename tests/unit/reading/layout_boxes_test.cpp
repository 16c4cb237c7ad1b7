// Forms: labels next to and above their values, boxes to tick, notes.
#include <gtest/gtest.h>

#include "reading/layout.h"
#include "unit/reading/raw_pages.h"

namespace fineprint::reading {
namespace {

using testing::lines_of;
using testing::RawPageBuilder;
using Lines = std::vector<std::string>;

// The file has all labels first, then all values.
TEST(LayoutBoxes, LabelsAndValuesAreNotTwoColumnsOfText) {
  RawPageBuilder builder;
  builder.text(60, 100, "Vessel:").text(60, 130, "Skipper:").text(60, 160, "Length:");
  builder.text(200, 100, "Merry Heron").text(200, 130, "Ines Farrow").text(200, 160, "11.4");
  EXPECT_EQ(lines_of(lay_out(builder.page())),
            (Lines{"Vessel: Merry Heron", "Skipper: Ines Farrow", "Length: 11.4"}));
}

TEST(LayoutBoxes, FarLinesAreLabelsAndValuesEvenWithoutColons) {
  RawPageBuilder builder;
  for (int i = 0; i < 4; ++i) builder.text(60, 100.0F + 24 * i, "Label");
  for (int i = 0; i < 4; ++i) builder.text(200, 100.0F + 24 * i, "some value");
  EXPECT_EQ(lines_of(lay_out(builder.page()))[0], "Label some value");
}

// Two addresses side by side, each written at once.
TEST(LayoutBoxes, AddressesSideBySideAreColumns) {
  RawPageBuilder builder;
  builder.text(60, 100, "Larch and Sons").text(60, 112, "Quarry Road").text(60, 124, "Tolne");
  builder.text(300, 100, "Brook Mills").text(300, 112, "Mill Lane").text(300, 124, "Corfe");
  EXPECT_EQ(lines_of(lay_out(builder.page())),
            (Lines{"Larch and Sons", "Quarry Road", "Tolne", "Brook Mills", "Mill Lane", "Corfe"}));
}

// Text in a field is in the middle of its box, not on the line of the label; a field may be empty.
TEST(LayoutBoxes, FieldsALittleLowerThanTheirLabelsFollowThem) {
  RawPageBuilder builder;
  const Lines labels = {"Family name", "Given name", "Date of birth", "Boat class", "Locker"};
  const Lines values = {"Okonjo", "Adaeze", "14 March", "Double scull"};
  for (std::size_t i = 0; i < labels.size(); ++i) {
    builder.text(60, 100 + 30 * static_cast<float>(i), labels[i]);
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    builder.text(230, 103.5F + 30 * static_cast<float>(i), values[i]);
  }
  EXPECT_EQ(lines_of(lay_out(builder.page())).front(), "Family name Okonjo");
}

TEST(LayoutBoxes, ValuesBelowSmallLabelsFollowThem) {
  RawPageBuilder builder;
  builder.text(60, 100, "Vessel", 7).text(220, 100, "Skipper", 7).text(380, 100, "Length", 7);
  builder.text(60, 109, "Sea Pinks").text(220, 109, "Ada Lorne").text(380, 109, "13.2");
  builder.text(60, 130, "Home port", 7).text(220, 130, "Engine", 7).text(380, 130, "Built", 7);
  builder.text(60, 139, "Corfe").text(220, 139, "Diesel").text(380, 139, "1987");
  EXPECT_EQ(lines_of(lay_out(builder.page())),
            (Lines{"Vessel Sea Pinks", "Skipper Ada Lorne", "Length 13.2", "Home port Corfe",
                   "Engine Diesel", "Built 1987"}));
}

TEST(LayoutBoxes, AHeaderAboveSeveralRowsStays) {
  RawPageBuilder builder;
  builder.text(60, 100, "Harbour", 10, true).text(220, 100, "Berths", 10, true);
  builder.text(380, 100, "Warden", 10, true);
  builder.text(60, 114, "Anstey").text(220, 114, "40").text(380, 114, "Lena Crook");
  builder.text(60, 128, "Brixley").text(220, 128, "55").text(380, 128, "Otto Venn");
  EXPECT_EQ(lines_of(lay_out(builder.page())),
            (Lines{"Harbour Berths Warden", "Anstey 40 Lena Crook", "Brixley 55 Otto Venn"}));
}

// An order: the head of its table is set off from the boxes above, and in another size.
TEST(LayoutBoxes, AreNoPartOfTheTableBelow) {
  RawPageBuilder builder;
  builder.text(60, 100, "Supplier", 8).text(220, 100, "Ship to", 8).text(380, 100, "Terms", 8);
  builder.text(60, 110, "Norrland", 11).text(220, 110, "Dock 3", 11).text(380, 110, "net", 11);
  builder.text(60, 148, "Article").text(220, 148, "Quantity").text(380, 148, "Price");
  builder.text(60, 162, "Pine").text(220, 162, "120").text(380, 162, "6.40");
  builder.text(60, 176, "Birch").text(220, 176, "35").text(380, 176, "28.00");
  EXPECT_EQ(lines_of(lay_out(builder.page())),
            (Lines{"Supplier Norrland", "Ship to Dock 3", "Terms net", "Article Quantity Price",
                   "Pine 120 6.40", "Birch 35 28.00"}));
}

TEST(LayoutBoxes, LabelsInParenthesesFollowTheValueAboveThem) {
  RawPageBuilder builder;
  builder.text(120, 100, "Delaware").text(360, 100, "51-0038821");
  builder.text(90, 111, "(State or other jurisdiction of", 7).text(350, 111, "(Employer", 7);
  builder.text(90, 120, "incorporation)", 7).text(350, 120, "Identification No.)", 7);
  EXPECT_EQ(lines_of(lay_out(builder.page())),
            (Lines{"Delaware (State or other jurisdiction of incorporation)",
                   "51-0038821 (Employer Identification No.)"}));
}

TEST(LayoutBoxes, NotesFollowThePage) {
  RawPageBuilder builder;
  builder.text(60, 100, "The council put the matter off.");
  pdf::RawPage raw = builder.page();
  raw.notes.push_back({{60, 150, 80, 170}, "The crane costs\n55,100 euros."});
  const Page page = lay_out(raw);
  EXPECT_EQ(lines_of(page),
            (Lines{"The council put the matter off.", "The crane costs 55,100 euros."}));
  EXPECT_EQ(page.words.back().box, (Box{60, 150, 80, 170}));
}

// Two pairs, one close below the other, are not a label above its value.
TEST(LayoutBoxes, ALabelIsNoValue) {
  RawPageBuilder builder;
  builder.text(60, 100, "Contact:").text(260, 100, "Torti Mayer");
  builder.text(60, 111, "Address:").text(260, 111, "Quay 3");
  EXPECT_EQ(lines_of(lay_out(builder.page())), (Lines{"Contact: Torti Mayer", "Address: Quay 3"}));
}

}  // namespace
}  // namespace fineprint::reading
