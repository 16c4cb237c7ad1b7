// Tests of labels and their values.
#include "fineprint/text/label_pairs.h"

#include <gtest/gtest.h>

#include "support/typed_page.h"

namespace fineprint::text {
namespace {

using fineprint::testing::type_element;
using fineprint::testing::typed_page;
using Texts = std::vector<std::string>;

// The pairs as "label=value".
Texts pairs_on(const Page& page) {
  Texts texts;
  for (const LabelPair& pair : label_pairs(page)) {
    texts.push_back(joined_words(page, pair.label) + "=" + joined_words(page, pair.value));
  }
  return texts;
}

Texts pairs_of(const std::vector<std::string>& lines) { return pairs_on(typed_page(lines)); }

// Makes words bold whose text is among `texts`.
Page with_bold(Page page, const std::vector<std::string>& texts) {
  for (Word& word : page.words) {
    word.bold = std::find(texts.begin(), texts.end(), word.text) != texts.end();
  }
  return page;
}

TEST(LabelPairs, TwoColumnsOfLabelsAndValues) {
  EXPECT_EQ(
      pairs_of({"Vessel        Merry Heron", "Skipper       Ines Farrow", "Length        11.4"}),
      (Texts{"Vessel=Merry Heron", "Skipper=Ines Farrow", "Length=11.4"}));
}

// OCR gives a low mark at the end of a line a box of its own that is below most of the line.
TEST(LabelPairs, ALowMarkInALineIsNoSecondLine) {
  Page page = typed_page({"Surveyors since 1958.", "9 Ropewalk Port Merrow _"});
  const Word& before = page.words[6];
  Word& mark = page.words[7];
  mark.box.y0 = before.box.y1 - 0.2F * before.size_pt;
  mark.box.y1 = before.box.y1 - 0.1F * before.size_pt;
  EXPECT_EQ(pairs_on(page), Texts());
}

TEST(LabelPairs, AValueGoesOnBelowItself) {
  EXPECT_EQ(pairs_of({"Owner         Ines Farrow", "Address       4 Quay Street",
                      "              Anstey", "Engine        Diesel"}),
            (Texts{"Owner=Ines Farrow", "Address=4 Quay Street Anstey", "Engine=Diesel"}));
}

TEST(LabelPairs, ALabelWithoutAValueTakesNoOther) {
  EXPECT_EQ(pairs_of({"Vessel:       Merry Heron", "Engine:", "Skipper:      Ines Farrow"}),
            (Texts{"Vessel:=Merry Heron", "Skipper:=Ines Farrow"}));
}

TEST(LabelPairs, ColumnsWithAHeaderAreATable) {
  EXPECT_EQ(pairs_of({"Hill          Height in metres", "Combe Tor     412", "Black Down    388",
                      "Wether Hill   561"}),
            Texts());
  const Page page =
      with_bold(typed_page({"Name          Role", "Ivo Hart      Miller", "Sanne Dahl    Clerk"}),
                {"Name", "Role"});
  EXPECT_EQ(pairs_on(page), Texts());
}

TEST(LabelPairs, BoldLabelsMayBeCloseToTheirValues) {
  const std::vector<std::string> lines = {"Manufacturer Rhodes Works", "Engine       Diesel"};
  EXPECT_EQ(pairs_of(lines), Texts());
  EXPECT_EQ(pairs_on(with_bold(typed_page(lines), {"Manufacturer", "Engine"})),
            (Texts{"Manufacturer=Rhodes Works", "Engine=Diesel"}));
}

TEST(LabelPairs, RecordsRepeatTheirLabels) {
  EXPECT_EQ(pairs_of({"Harbour   Anstey", "Skipper   Ines Farrow", "Harbour   Corfe",
                      "Skipper   Ada Lorne"})
                .size(),
            4U);
}

TEST(LabelPairs, AListOfNamesIsATable) {
  EXPECT_EQ(pairs_of({"Name       Role", "Ann Lee    Chair", "Bo Diaz    Auditor"}), Texts());
  EXPECT_EQ(
      pairs_of({"Vessel        Merry Heron", "Home Port     Anstey", "First Owner   Ann Lee"}),
      (Texts{"Vessel=Merry Heron", "Home Port=Anstey", "First Owner=Ann Lee"}));
}

TEST(LabelPairs, PairsToTheRightOfOtherText) {
  EXPECT_EQ(pairs_of({"Larch and Sons    Invoice number   INV-2041",
                      "                  Due date         14 March 2024",
                      "                  Total            1,284.50 EUR"}),
            (Texts{"Invoice number=INV-2041", "Due date=14 March 2024", "Total=1,284.50 EUR"}));
  EXPECT_EQ(
      pairs_of({"Anstey    Harbour master    Lena Crook", "Brixley   Clerk             Otto 2",
                "Corfe     Pilot             Mira Stott"}),
      Texts());
}

TEST(LabelPairs, ARowOfAFormIsAPairIfOthersAre) {
  Page page;
  type_element(&page, ElementKind::paragraph, {"Inspector          Nora Pike"});
  EXPECT_EQ(pairs_on(page), Texts());
  type_element(&page, ElementKind::table, {"Pump working   \u2612", "Flares in date \u2610"});
  EXPECT_EQ(pairs_on(page),
            (Texts{"Inspector=Nora Pike", "Pump working=\u2612", "Flares in date=\u2610"}));
}

TEST(LabelPairs, ColumnsOfNumbersAreATable) {
  EXPECT_EQ(pairs_of({"Net sales       1,234", "Cost of sales     900", "Gross profit      334"}),
            Texts());
  EXPECT_EQ(pairs_of({"Sales      5   4", "Costs      3   2", "Profit     2   2"}), Texts());
}

TEST(LabelPairs, DataSheetsHaveDifferentUnits) {
  EXPECT_EQ(pairs_of({"Weight     12 kg", "Power      350 W"}),
            (Texts{"Weight=12 kg", "Power=350 W"}));
}

TEST(LabelPairs, SeveralPairsInARow) {
  const Page page = with_bold(typed_page({"Vessel    Sea Pinks     Skipper   Ada Lorne",
                                          "Length    13.2 m        Engine    Diesel"}),
                              {"Vessel", "Skipper", "Length", "Engine"});
  EXPECT_EQ(pairs_on(page),
            (Texts{"Vessel=Sea Pinks", "Skipper=Ada Lorne", "Length=13.2 m", "Engine=Diesel"}));
  EXPECT_EQ(pairs_of({"Vessel: Sea Pinks     Skipper: Ada Lorne"}),
            (Texts{"Vessel:=Sea Pinks", "Skipper:=Ada Lorne"}));
}

TEST(LabelPairs, FourColumnsWithAHeaderAreATable) {
  EXPECT_EQ(pairs_of({"Harbour    Berths    Fee     Warden", "Anstey     forty     310     Crook",
                      "Brixley    fifty     295     Venn"}),
            Texts());
}

TEST(LabelPairs, LeaderDots) {
  EXPECT_EQ(pairs_of({"Length ............... 13.2", "Draught .............. 1.9"}),
            (Texts{"Length=13.2", "Draught=1.9"}));
  // A table of contents has page numbers.
  EXPECT_EQ(pairs_of({"Introduction ......... 3", "Methods .............. 7"}), Texts());
}

TEST(LabelPairs, ValuesBelowLabelsSetSmaller) {
  Page page = typed_page({"Vessel", "Sea Pinks", "Skipper", "Ada Lorne"});
  EXPECT_EQ(pairs_on(page), Texts());
  for (Word& word : page.words) word.size_pt = 10;
  page.words[0].size_pt = page.words[3].size_pt = 7;
  EXPECT_EQ(pairs_on(page), (Texts{"Vessel=Sea Pinks", "Skipper=Ada Lorne"}));
}

TEST(LabelPairs, ValuesBelowLabelsInOneLineOfTheLayout) {
  Page page = typed_page({"Skipper Ada Lorne"});
  for (Word& word : page.words) word.size_pt = 10;
  for (std::size_t i : {1U, 2U}) {
    page.words[i].box.x0 -= 48;
    page.words[i].box.x1 -= 48;
    page.words[i].box.y0 += 12;
    page.words[i].box.y1 += 12;
  }
  EXPECT_EQ(pairs_on(page), (Texts{"Skipper=Ada Lorne"}));
}

TEST(LabelPairs, LabelsInParenthesesAreBelow) {
  EXPECT_EQ(
      pairs_of({"Haldane Potteries Inc.", "(Exact name of registrant as", "specified in it)"}),
      (Texts{"(Exact name of registrant as specified in it)=Haldane Potteries Inc."}));
  EXPECT_EQ(pairs_of({"Balance sheet", "(in millions)"}), Texts());
}

TEST(LabelPairs, BoxesToTick) {
  EXPECT_EQ(pairs_of({"\u2610 Life rafts tested"}), (Texts{"Life rafts tested=\u2610"}));
  EXPECT_EQ(pairs_of({"Life rafts tested      \u2612"}), (Texts{"Life rafts tested=\u2612"}));
  EXPECT_EQ(pairs_of({"Insured     \u2612 Yes  \u2610 No"}),
            (Texts{"Insured=\u2612 Yes \u2610 No"}));
}

TEST(LabelPairs, SumsBelowATableOfItems) {
  EXPECT_EQ(pairs_of({"Item            Pieces    Price         Amount",
                      "Rope, 4 m       36        18.50 EUR     666.00 EUR",
                      "Hooks           120       2.15 EUR      258.00 EUR",
                      "                          Net total     924.00 EUR",
                      "                          VAT 20%       184.80 EUR"}),
            (Texts{"Net total=924.00 EUR", "VAT 20%=184.80 EUR"}));
  // The row goes on below, or its label is in the first column: a cell is empty.
  EXPECT_EQ(pairs_of({"Sales      North     5   4", "           South         2",
                      "           West      3   1"}),
            Texts());
  EXPECT_EQ(pairs_of({"Sales      5   4", "Costs          2"}), Texts());
}

// The labels without a value.
Texts empty_on(const Page& page) {
  Texts texts;
  for (const WordRun& label : page_labels(page).empty) texts.push_back(joined_words(page, label));
  return texts;
}

TEST(EmptyLabels, AreBetweenLabelsWithValues) {
  EXPECT_EQ(empty_on(typed_page({"Vessel        Merry Heron", "Skipper       Ines Farrow", "Locker",
                                 "Length        11.4 m"})),
            Texts{"Locker"});
  EXPECT_EQ(empty_on(typed_page({"Vessel: Merry Heron", "Skipper: Ines Farrow", "Engine:"})),
            Texts{"Engine:"});
  EXPECT_EQ(empty_on(typed_page({"Vessel: Sea Pinks     Skipper:     Engine: Diesel"})),
            Texts{"Skipper:"});
}

TEST(EmptyLabels, AreNotHeadingsOrPartsOfText) {
  EXPECT_EQ(empty_on(typed_page({"Locker", "Mooring"})), Texts());
  EXPECT_EQ(empty_on(typed_page({"Vessel: Merry Heron", "Skipper: Ines Farrow", "Safety",
                                 "The rafts were tested in May."})),
            Texts());
  EXPECT_EQ(empty_on(typed_page({"Name:          Address:", "Ines Farrow    4 Quay Street"})),
            Texts());
}

// A page with a table whose cells are stated, all words of size 10.
Page page_of_cells(const std::vector<Texts>& rows) {
  Page page;
  Element table;
  table.kind = ElementKind::table;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    Line line{static_cast<std::uint32_t>(page.words.size()), 0, {}};
    for (std::size_t column = 0; column < rows[row].size(); ++column) {
      StatedCell cell;
      cell.row = static_cast<std::uint16_t>(row);
      cell.column = static_cast<std::uint16_t>(column);
      cell.is_head = row == 0;
      cell.first_word = static_cast<std::uint32_t>(page.words.size());
      const Page typed = typed_page({rows[row][column]});
      for (Word word : typed.words) {
        word.box.y0 += 12 * static_cast<float>(row);
        word.box.y1 += 12 * static_cast<float>(row);
        page.words.push_back(word);
      }
      cell.word_count = static_cast<std::uint32_t>(typed.words.size());
      line.word_count += cell.word_count;
      table.cells.push_back(cell);
    }
    page.lines.push_back(line);
  }
  table.line_count = static_cast<std::uint32_t>(page.lines.size());
  page.elements.push_back(table);
  return page;
}

TEST(LabelPairs, OfAFormInStatedCells) {
  const Page page = page_of_cells({{"Reported by", "Ines Farrow", "Date", "7 May 2025"},
                                   {"Place", "Loading bay 3", "Witness", ""},
                                   {"Injury", "Cut on left hand", "Days off work", "4"}});
  EXPECT_TRUE(is_form(page, page.elements.front()));
  EXPECT_EQ(pairs_on(page),
            (Texts{"Reported by=Ines Farrow", "Date=7 May 2025", "Place=Loading bay 3",
                   "Injury=Cut on left hand", "Days off work=4"}));
  EXPECT_EQ(empty_on(page), Texts{"Witness"});
}

TEST(LabelPairs, ATableInStatedCellsIsNoForm) {
  const auto is_form_of = [](const std::vector<Texts>& rows) {
    const Page page = page_of_cells(rows);
    return is_form(page, page.elements.front());
  };
  EXPECT_FALSE(is_form_of({{"Hill", "Height"}, {"Combe Tor", "412"}, {"Black Down", "388"}}));
  EXPECT_FALSE(is_form_of({{"Name", "Role"}, {"Ann Lee", "Chair"}, {"Bo Diaz", "Clerk"}}));
  EXPECT_FALSE(is_form_of({{"Part", "Note"}, {"Bolt 4", "2 boxes"}, {"Bolt 6", "on order"}}));
  const std::vector<Texts> mixed = {{"Part", "Note"}, {"Bolts", "2 boxes"}, {"Nuts", "on order"}};
  EXPECT_TRUE(is_form_of(mixed));
  Page with_header = page_of_cells(mixed);
  with_header.words[0].bold = with_header.words[1].bold = true;
  EXPECT_FALSE(is_form(with_header, with_header.elements.front()));
}

TEST(LabelPairs, RunningTextHasNone) {
  EXPECT_EQ(pairs_of({"The council met in May: it talked about the price of the new",
                      "crane and put the matter off until the next meeting of all."}),
            Texts());
  EXPECT_EQ(pairs_of({"The crane of Dalby costs money."}), Texts());
}

TEST(LabelPairs, OneWordInParenthesesBelowMustBeSmaller) {
  Page page = typed_page({"Corvane Presses Ltd", "(Manufacturer)"});
  EXPECT_EQ(pairs_on(page), Texts{});
  page.words.back().size_pt = 7;  // the others have 10, by their boxes
  EXPECT_EQ(pairs_on(page), Texts{"(Manufacturer)=Corvane Presses Ltd"});
}

TEST(LabelPairs, OfStatedCellsWithoutAHeader) {
  Page page = page_of_cells({{"Opened", "05.11.2024"}, {"Code", "00042"}, {"Hours", "37:30"}});
  EXPECT_EQ(pairs_on(page), Texts{});
  for (StatedCell& cell : page.elements.front().cells) cell.is_head = false;
  EXPECT_EQ(pairs_on(page), (Texts{"Opened=05.11.2024", "Code=00042", "Hours=37:30"}));
}

TEST(LabelPairs, SeveralColonsInOneLine) {
  EXPECT_EQ(pairs_of({"IBAN : FR76 1010 - BIC : BREDFRPP"}),
            (Texts{"IBAN :=FR76 1010", "BIC :=BREDFRPP"}));
  EXPECT_EQ(pairs_of({"Date: 28/11/2022 File no: 365"}),
            (Texts{"Date:=28/11/2022", "File no:=365"}));
  EXPECT_EQ(pairs_of({"Port: the old one Anstey kept Owner: Ann"}), Texts());
}

TEST(LabelPairs, NumbersOfThings) {
  EXPECT_EQ(pairs_of({"Invoice No. 4711 of 3 May"}), (Texts{"Invoice No.=4711"}));
  EXPECT_EQ(pairs_of({"Facture n\u00b0562044387 du 02 Juillet"}),
            (Texts{"Facture=n\u00b0562044387"}));
  EXPECT_EQ(pairs_of({"Handelsrechnung (380) Nr. 471102 vom 05.03.2018"}),
            (Texts{"Handelsrechnung (380) Nr.=471102"}));
  EXPECT_EQ(pairs_of({"Steuer-Nr. 044 241 601 03"}), (Texts{"Steuer-Nr.=044 241 601 03"}));
  EXPECT_EQ(pairs_of({"No. 4711"}), Texts());
  EXPECT_EQ(pairs_of({"Section 4 No. 2 applies"}), Texts());
}

TEST(LabelPairs, ANameAndALongNumber) {
  EXPECT_EQ(pairs_of({"IBAN DE30507500940000048567"}), (Texts{"IBAN=DE30507500940000048567"}));
  EXPECT_EQ(pairs_of({"KvK Rotterdam 24330087"}), (Texts{"KvK Rotterdam=24330087"}));
  EXPECT_EQ(pairs_of({"Weena 664"}), Texts());
  EXPECT_EQ(pairs_of({"Total 1,284,500.00"}), Texts());
}

TEST(LabelPairs, ACodeBelowItsLabel) {
  EXPECT_EQ(pairs_of({"Line number", "  FO10479674"}), (Texts{"Line number=FO10479674"}));
  EXPECT_EQ(pairs_of({"Line number", "  seven"}), Texts());
}

TEST(LabelPairs, TwoPairsInARowOfAForm) {
  EXPECT_EQ(pairs_of({"Issued by:    Ann Lee", "Invoice nr.   30064443    Customer nr.   47774",
                      "Issued on:    7 May"}),
            (Texts{"Issued by:=Ann Lee", "Invoice nr.=30064443", "Customer nr.=47774",
                   "Issued on:=7 May"}));
}

TEST(LabelPairs, SumsBelowANoteOnTheLastItem) {
  const Texts pairs =
      pairs_of({"Item         Pieces    Price     Amount", "Beeswax      2         21.00     42.00",
                "  from Acme", "             Subtotal            42.00",
                "             Total               48.30"});
  EXPECT_EQ(pairs, (Texts{"Subtotal=42.00", "Total=48.30"}));
}

TEST(LabelPairs, AnAmountBelowOthersAwayFromTheirTable) {
  Page page;
  type_element(&page, ElementKind::paragraph,
               {"Room      2 nights      1,939", "Bed       1 night         120"});
  type_element(&page, ElementKind::paragraph, {"Grand total             2,059"});
  EXPECT_EQ(pairs_on(page), (Texts{"Grand total=2,059"}));
}

}  // namespace
}  // namespace fineprint::text
