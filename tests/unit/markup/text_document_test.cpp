// Text documents as they are shown: numbers of lists, symbols, fields, revisions, hidden text.
#include <string>

#include <gtest/gtest.h>

#include "fineprint/markup/markup.h"

#include "support/has.h"
#include "support/office_package.h"

namespace fineprint::markup {
namespace {

using fineprint::testing::docx;
using fineprint::testing::has;
using Others = std::vector<std::pair<std::string, std::string>>;

std::string text_run(const std::string& text, const std::string& look = "") {
  return "<w:r>" + (look.empty() ? "" : "<w:rPr>" + look + "</w:rPr>") + "<w:t>" + text +
         "</w:t></w:r>";
}

std::string block(const std::string& inside, const std::string& properties = "") {
  return "<w:p><w:pPr>" + properties + "</w:pPr>" + inside + "</w:p>";
}

// A paragraph of a list.
std::string item(const std::string& text, int list, int level) {
  return block(text_run(text), "<w:numPr><w:ilvl w:val=\"" + std::to_string(level) +
                                   "\"/><w:numId w:val=\"" + std::to_string(list) +
                                   "\"/></w:numPr>");
}

std::string level(int at, const std::string& format, const std::string& text,
                  const std::string& more = "<w:start w:val=\"1\"/>") {
  return "<w:lvl w:ilvl=\"" + std::to_string(at) + "\">" + more + "<w:numFmt w:val=\"" + format +
         "\"/><w:lvlText w:val=\"" + text + "\"/></w:lvl>";
}

std::string definition(int id, const std::string& levels) {
  return "<w:abstractNum w:abstractNumId=\"" + std::to_string(id) + "\">" + levels +
         "</w:abstractNum>";
}

std::string list(int id, int definition_id, const std::string& changes = "") {
  return "<w:num w:numId=\"" + std::to_string(id) + "\"><w:abstractNumId w:val=\"" +
         std::to_string(definition_id) + "\"/>" + changes + "</w:num>";
}

// The lines of the body without its tags for blocks.
std::string lines_of(const std::string& bytes) {
  const std::string html = to_markup("a.docx", bytes).xhtml;
  std::string out;
  for (std::size_t at = html.find("<body>\n") + 7; at < html.find("</body>");) {
    const std::size_t begin = html.find('>', at) + 1, end = html.find("\n", at);
    out += (out.empty() ? "" : "|") + html.substr(begin, html.rfind("</", end) - begin);
    at = end + 1;
  }
  return out;
}

TEST(Lists, LevelsCountWithinThoseAbove) {
  const std::string lists =
      definition(0, level(0, "decimal", "%1.") + level(1, "decimal", "%1.%2") +
                        level(2, "lowerLetter", "(%3)") + level(3, "lowerRoman", "%4)")) +
      list(1, 0);
  EXPECT_EQ(lines_of(docx(item("Definitions", 1, 0) + item("Berth", 1, 1) + item("Dues", 1, 1) +
                              item("Payment", 1, 0) + item("In advance", 1, 1) +
                              item("Late", 1, 1) + item("first", 1, 2) + item("deep", 1, 3) +
                              item("deeper", 1, 3) + item("second", 1, 2) + item("Waiver", 1, 1),
                          {{"numbering", lists}})),
            "1. Definitions|1.1 Berth|1.2 Dues|2. Payment|2.1 In advance|2.2 Late|(a) first|"
            "i) deep|ii) deeper|(b) second|2.3 Waiver");
}

TEST(Lists, StartsRestartsAndListsOfOneDefinition) {
  const std::string lists =
      definition(0, level(0, "decimal", "%1.", "<w:start w:val=\"5\"/>") +
                        level(1, "upperRoman", "%2.",
                              "<w:start w:val=\"1\"/><w:lvlRestart "
                              "w:val=\"0\"/>")) +
      list(1, 0) + list(2, 0) +
      list(3, 0, "<w:lvlOverride w:ilvl=\"0\"><w:startOverride w:val=\"1\"/></w:lvlOverride>");
  // List 2 continues list 1; list 3 starts again; level 1 never does.
  EXPECT_EQ(lines_of(docx(item("a", 1, 0) + item("b", 1, 1) + item("c", 2, 0) + item("d", 2, 1) +
                              item("e", 3, 0) + item("f", 3, 0),
                          {{"numbering", lists}})),
            "5. a|I. b|6. c|II. d|1. e|2. f");
}

TEST(Lists, HeadingsTakeTheirNumbersFromStyles) {
  const std::string styles =
      "<w:style w:type=\"paragraph\" w:styleId=\"H1\"><w:pPr><w:numPr><w:numId w:val=\"1\"/>"
      "</w:numPr><w:outlineLvl w:val=\"0\"/></w:pPr></w:style>"
      "<w:style w:type=\"paragraph\" w:styleId=\"H2\"><w:basedOn w:val=\"H1\"/><w:pPr>"
      "<w:outlineLvl w:val=\"1\"/></w:pPr></w:style>";
  const std::string lists =
      definition(0, level(0, "upperLetter", "Part %1:", "<w:pStyle w:val=\"H1\"/>") +
                        level(1, "decimal", "%1.%2", "<w:pStyle w:val=\"H2\"/>")) +
      list(1, 0);
  const std::string html =
      to_markup("a.docx", docx(block(text_run("Dues"), "<w:pStyle w:val=\"H1\"/>") +
                                   block(text_run("Late"), "<w:pStyle w:val=\"H2\"/>") +
                                   block(text_run("Unnumbered"),
                                         "<w:pStyle w:val=\"H2\"/><w:numPr><w:numId w:val=\"0\"/>"
                                         "</w:numPr>") +
                                   block(text_run("Early"), "<w:pStyle w:val=\"H2\"/>"),
                               {{"styles", styles}, {"numbering", lists}}))
          .xhtml;
  EXPECT_TRUE(has(html,
                  "<h1>Part A: Dues</h1>\n<h2>A.1 Late</h2>\n<h2>Unnumbered</h2>\n"
                  "<h2>A.2 Early</h2>"))
      << html;
}

TEST(Lists, OtherFormats) {
  const std::string lists =
      definition(0, level(0, "bullet", "\xef\x82\xb7") + level(1, "decimalZero", "%2") +
                        level(2, "ordinal", "%3") + level(3, "none", "%4") +
                        level(4, "upperRoman", "Article %5") +
                        level(5, "decimal", "%5.%6", "<w:isLgl/>")) +
      list(1, 0) + definition(7, "<w:numStyleLink w:val=\"L\"/>") +
      definition(8, "<w:styleLink w:val=\"L\"/>" + level(0, "lowerRoman", "%1.")) + list(2, 7);
  EXPECT_EQ(lines_of(docx(item("a", 1, 0) + item("b", 1, 1) + item("c", 1, 2) + item("d", 1, 3) +
                              item("e", 1, 4) + item("f", 1, 5) + item("g", 2, 0) + item("h", 9, 0),
                          {{"numbering", lists}})),
            "• a|01 b|1st c|d|Article I e|1.1 f|i. g|h");
}

TEST(Lists, DeletedParagraphsAreNotCounted) {
  const std::string lists = definition(0, level(0, "decimal", "%1.")) + list(1, 0);
  const std::string place = "<w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"1\"/></w:numPr>";
  EXPECT_EQ(lines_of(docx(item("one", 1, 0) +
                              block("<w:del><w:r><w:delText>gone</w:delText></w:r></w:del>",
                                    place + "<w:rPr><w:del w:id=\"1\"/></w:rPr>") +
                              item("two", 1, 0),
                          {{"numbering", lists}})),
            "1. one|2. two");
}

TEST(Runs, SymbolsAndHyphens) {
  const auto sym = [](const std::string& font, const std::string& code) {
    return "<w:r><w:sym w:font=\"" + font + "\" w:char=\"" + code + "\"/></w:r>";
  };
  EXPECT_EQ(
      lines_of(docx(
          block(text_run("AB") + "<w:r><w:noBreakHyphen/></w:r>" + text_run("470") +
                "<w:r><w:softHyphen/></w:r>" + text_run("2")) +
          block(sym("Symbol", "F0B1") + text_run("250 kg ") + sym("Symbol", "00A3") +
                sym("Wingdings", "F0FC") + sym("Wingdings", "F0FE") + sym("Wingdings 2", "F050") +
                sym("Wingdings", "F082") + sym("Segoe UI Symbol", "2713")) +
          block(text_run("m", "<w:rFonts w:ascii=\"Symbol\"/>") + text_run("\xef\x81\xa1") +
                text_run("\xef\x81\xa1", "<w:rFonts w:ascii=\"Icons\"/>")))),
      "AB-4702|±250 kg ≤✓☑✓②✓|μα\xef\x81\xa1");
}

TEST(Runs, FieldsShowTheirResults) {
  const auto mark = [](const char* kind) {
    return "<w:r><w:fldChar w:fldCharType=\"" + std::string(kind) + "\"/></w:r>";
  };
  // A field inside of an instruction is part of it.
  EXPECT_EQ(
      lines_of(docx(
          block(text_run("a ") + mark("begin") + "<w:r><w:instrText>IF </w:instrText></w:r>" +
                mark("begin") + "<w:r><w:instrText>PAGE</w:instrText></w:r>" + mark("separate") +
                text_run("7") + mark("end") + mark("separate") + text_run("shown") + mark("end") +
                "<w:fldSimple w:instr=\"REF x\">" + text_run(" b") + "</w:fldSimple>") +
          block(mark("begin") + text_run("broken")) + block(text_run("after")))),
      "a shown b|after");
}

TEST(Runs, FieldsOfFormsShowTheirValues) {
  const auto field = [](const std::string& data) {
    return "<w:r><w:fldChar w:fldCharType=\"begin\"><w:ffData>" + data +
           "</w:ffData></w:fldChar></w:r><w:r><w:instrText>FORM</w:instrText></w:r><w:r>"
           "<w:fldChar w:fldCharType=\"end\"/></w:r>";
  };
  EXPECT_EQ(lines_of(docx(
                block(field("<w:checkBox><w:default w:val=\"1\"/></w:checkBox>") + text_run("a") +
                      field("<w:checkBox><w:default w:val=\"1\"/><w:checked w:val=\"0\"/>"
                            "</w:checkBox>") +
                      text_run("b ") +
                      field("<w:ddList><w:result w:val=\"1\"/><w:listEntry w:val=\"Hull\"/>"
                            "<w:listEntry w:val=\"York\"/></w:ddList>")))),
            "☒a☐b York");
}

TEST(Runs, HiddenTextIsReportedApart) {
  const std::string styles =
      "<w:style w:type=\"character\" w:styleId=\"H\"><w:rPr><w:vanish/></w:rPr></w:style>"
      "<w:style w:type=\"character\" w:styleId=\"I\"><w:basedOn w:val=\"H\"/></w:style>"
      "<w:style w:type=\"paragraph\" w:styleId=\"P\"><w:rPr><w:vanish/></w:rPr></w:style>";
  const Markup read = to_markup(
      "a.docx",
      docx(block(text_run("Rent 4,800.") + text_run(" Draft 1,111.", "<w:vanish/>") +
                 text_run(" Old 2,222.", "<w:rStyle w:val=\"I\"/>") +
                 text_run(" Due in May.", "<w:rStyle w:val=\"H\"/><w:vanish w:val=\"0\"/>")) +
               block(text_run("Whole 3,333."), "<w:pStyle w:val=\"P\"/>") +
               block("<w:r><w:rPr><w:vanish/></w:rPr><w:pict><v:textbox><w:txbxContent>" +
                     block(text_run("Boxed 4,444.")) +
                     "</w:txbxContent></v:textbox></w:pict></w:r>"),
           {{"styles", styles}}));
  EXPECT_TRUE(has(read.xhtml, "<body>\n<p>Rent 4,800. Due in May.</p>\n</body>")) << read.xhtml;
  EXPECT_EQ(read.hidden, "Draft 1,111. Old 2,222.\nWhole 3,333.\nBoxed 4,444.");
}

TEST(Runs, WhiteTextOnAWhitePageIsHidden) {
  const std::string white = "<w:color w:val=\"FFFFFF\"/>";
  const auto hidden_in = [](const std::string& body) {
    return to_markup("a.docx", docx(block(text_run("Seen.")) + body)).hidden;
  };
  EXPECT_EQ(hidden_in(block(text_run("Rent 1,111.", white))), "Rent 1,111.");
  // Something dark is behind it.
  EXPECT_EQ(
      hidden_in(block(text_run("Head", white + "<w:shd w:val=\"clear\" w:fill=\"1F3864\"/>"))), "");
  EXPECT_EQ(hidden_in(block(text_run("Head", white),
                            "<w:shd w:val=\"clear\" w:color=\"auto\" w:fill=\"1F3864\"/>")),
            "");
  EXPECT_EQ(
      hidden_in("<w:tbl><w:tr><w:tc>" + block(text_run("Head", white)) + "</w:tc></w:tr></w:tbl>"),
      "");
  EXPECT_EQ(hidden_in(block("<w:r><w:drawing><wp:anchor behindDoc=\"1\"/></w:drawing></w:r>" +
                            text_run("Head", white))),
            "");
}

TEST(Runs, ReviewsAreReadAsAccepted) {
  EXPECT_EQ(lines_of(docx(block(text_run("closes on ") +
                                "<w:del><w:r><w:delText>3 March</w:delText></w:r>" +
                                "</w:del><w:ins>" + text_run("17 April") + "</w:ins>") +
                          block("<w:moveFrom>" + text_run("moved") + "</w:moveFrom>") +
                          block("<w:moveTo>" + text_run("moved") + "</w:moveTo>") +
                          // The end of this paragraph was deleted, so the next one continues it.
                          block(text_run("One "), "<w:rPr><w:del w:id=\"1\"/></w:rPr>") +
                          block(text_run("sentence.")))),
            "closes on 17 April|moved|One sentence.");
  const std::string table =
      to_markup("a.docx", docx("<w:tbl><w:tr><w:tc>" + block(text_run("kept")) +
                               "</w:tc></w:tr><w:tr><w:trPr><w:del w:id=\"2\"/></w:trPr><w:tc>" +
                               block(text_run("row gone")) + "</w:tc></w:tr></w:tbl>"))
          .xhtml;
  EXPECT_TRUE(has(table, "<tr><td>kept</td></tr>\n</table>")) << table;
  EXPECT_FALSE(has(table, "gone"));
}

TEST(Runs, FormulasAndReadings) {
  const auto m = [](const std::string& text) { return "<m:r><m:t>" + text + "</m:t></m:r>"; };
  EXPECT_EQ(
      lines_of(docx(
          block("<m:oMath><m:f><m:num>" + m("a+1") + "</m:num><m:den>" + m("2") + "</m:den></m:f>" +
                m("=") + "<m:sSup><m:e>" + m("x") + "</m:e><m:sup>" + m("2") +
                "</m:sup></m:sSup><m:rad><m:deg/><m:e>" + m("y") + "</m:e></m:rad></m:oMath>") +
          block("<w:r><w:ruby><w:rt>" + text_run("やまだ") + "</w:rt><w:rubyBase>" +
                text_run("山田") + "</w:rubyBase></w:ruby></w:r>" + text_run(" of Garston")))),
      "(a+1)/2=x^2√y|山田 of Garston");
}

TEST(Runs, NotesHaveTheNumbersThatAreShown) {
  const auto mark = [](const char* kind, const char* id, const char* more = "") {
    return "<w:r><w:" + std::string(kind) + "Reference " + more + " w:id=\"" + id + "\"/></w:r>";
  };
  const std::string html =
      to_markup(
          "a.docx",
          docx(
              block(text_run("438") + mark("footnote", "5") + text_run(" tons") +
                    mark("footnote", "3") + mark("endnote", "1") +
                    mark("footnote", "4", "w:customMarkFollows=\"1\"") + text_run("*")) +
                  "<w:sectPr><w:footnotePr><w:numFmt w:val=\"upperLetter\"/>"
                  "</w:footnotePr></w:sectPr>",
              {{"footnotes", "<w:footnote w:id=\"3\">" + block(text_run("second")) +
                                 "</w:footnote><w:footnote w:id=\"4\">" + block(text_run("* own")) +
                                 "</w:footnote><w:footnote w:id=\"5\">" + block(text_run("first")) +
                                 "</w:footnote><w:footnote w:id=\"6\">" +
                                 block(text_run("without a mark")) + "</w:footnote>"},
               {"endnotes", "<w:endnote w:id=\"1\">" + block(text_run("end")) + "</w:endnote>"}}))
          .xhtml;
  EXPECT_TRUE(has(html,
                  "<p>438 [A] tons [B] [i] *</p>\n<h3>Footnotes</h3>\n<p>[A] first</p>\n"
                  "<p>[B] second</p>\n<p>* own</p>\n<h3>Endnotes</h3>\n<p>[i] end</p>"))
      << html;
  EXPECT_FALSE(has(html, "without a mark"));
}

TEST(Runs, AlternativesBoxesAndPicturesAreReadOnce) {
  const auto box = [](const std::string& text) {
    return "<w:txbxContent>" + block(text_run(text)) + "</w:txbxContent>";
  };
  EXPECT_EQ(lines_of(docx(
                block(text_run("before") + "<w:r><mc:AlternateContent><mc:Choice>" + box("one") +
                      box("two") + "</mc:Choice><mc:Fallback>" + box("one") + box("two") +
                      "</mc:Fallback></mc:AlternateContent></w:r>" + text_run(" after")) +
                // The newer version has nothing that can be read here.
                block("<w:r><mc:AlternateContent><mc:Choice><w:ink/></mc:Choice><mc:Fallback>" +
                      box("only here") + "</mc:Fallback></mc:AlternateContent></w:r>") +
                block("<w:r><w:drawing><wp:anchor><wp:docPr hidden=\"1\"/>" + box("switched off") +
                      "</wp:anchor></w:drawing></w:r>"))),
            "before after|one|two|only here");
}

}  // namespace
}  // namespace fineprint::markup
