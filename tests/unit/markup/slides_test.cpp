// Slides as they are shown: a page each, hidden ones without text, shapes in reading order.
#include <string>

#include <gtest/gtest.h>

#include "fineprint/markup/markup.h"

#include "support/has.h"
#include "support/office_package.h"

namespace fineprint::markup {
namespace {

using fineprint::testing::has;
using fineprint::testing::Parts;
using fineprint::testing::pptx;
using fineprint::testing::relations;

std::string place(int x, int y, int width = 1000000, int height = 500000) {
  return "<a:xfrm><a:off x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) +
         "\"/><a:ext cx=\"" + std::to_string(width) + "\" cy=\"" + std::to_string(height) +
         "\"/></a:xfrm>";
}

std::string paragraph(const std::string& text, const std::string& properties = "") {
  return "<a:p>" + properties + "<a:r><a:t>" + text + "</a:t></a:r></a:p>";
}

std::string shape(const std::string& text, const std::string& at, const std::string& kind = "",
                  const std::string& attributes = "") {
  return "<p:sp><p:nvSpPr><p:cNvPr id=\"2\" name=\"s\" " + attributes + "/><p:nvPr>" + kind +
         "</p:nvPr></p:nvSpPr><p:spPr>" + at + "</p:spPr><p:txBody>" +
         (text.starts_with("<") ? text : paragraph(text)) + "</p:txBody></p:sp>";
}

std::string body_of(const std::string& bytes) {
  const std::string html = to_markup("a.pptx", bytes).xhtml;
  const std::size_t begin = html.find("<body>\n") + 7;
  return html.substr(begin, html.find("</body>") - begin);
}

TEST(Slides, HiddenSlidesKeepTheirPageAndNotTheirText) {
  const Markup read = to_markup(
      "a.pptx",
      pptx({shape("to be sold", place(0, 0)), shape("fees", place(0, 0)), ""}, {}, "show=\"0\""));
  EXPECT_TRUE(has(read.xhtml,
                  "<body>\n<p>(Hidden slide)</p>\n<div class=\"end\"></div>\n<p>fees</p>\n"
                  "<div class=\"end\"></div>\n<p>\xc2\xa0</p>\n</body>"))
      << read.xhtml;
  EXPECT_EQ(read.hidden, "to be sold");
  EXPECT_EQ(read.pages, 3);
}

TEST(Slides, ShapesAreReadFromTopToBottomAndLeftToRight) {
  const std::string group = "<p:grpSp><p:grpSpPr>" + place(0, 2000000, 3000000) + "</p:grpSpPr>" +
                            shape("low", place(0, 90)) + shape("high", place(0, 10, 5, 5)) +
                            "</p:grpSp>";
  EXPECT_EQ(
      body_of(pptx({shape("last", place(0, 4000000)) + group +
                    shape("right", place(5000000, 1000000)) + shape("left", place(100, 1200000)) +
                    shape("the title", place(0, 5000000), "<p:ph type=\"title\"/>")})),
      "<h2>the title</h2>\n<p>left</p>\n<p>right</p>\n<p>high</p>\n<p>low</p>\n"
      "<p>last</p>\n");
}

TEST(Slides, PlacesComeFromLayoutAndMaster) {
  const std::string spaces = " xmlns:p=\"p\" xmlns:a=\"a\"";
  const Parts above = {
      {"ppt/slides/_rels/slide1.xml.rels", relations({{"l", "slideLayout", "../layout.xml"}})},
      {"ppt/layout.xml", "<p:sldLayout" + spaces + ">" +
                             shape("Click to edit", place(0, 3000000), "<p:ph idx=\"4\"/>") +
                             "</p:sldLayout>"},
      {"ppt/_rels/layout.xml.rels", relations({{"m", "slideMaster", "master.xml"}})},
      {"ppt/master.xml", "<p:sldMaster" + spaces + ">" +
                             shape("Click here", place(0, 1000000), "<p:ph type=\"body\"/>") +
                             "</p:sldMaster>"}};
  EXPECT_EQ(
      body_of(pptx({shape("below", "", "<p:ph idx=\"4\"/>") + shape("between", place(0, 2000000)) +
                    shape("above", "", "<p:ph type=\"body\"/>")},
                   above)),
      "<p>above</p>\n<p>between</p>\n<p>below</p>\n");
}

TEST(Slides, HiddenShapesAndThoseOutsideAreReportedApart) {
  const Markup read = to_markup(
      "a.pptx", pptx({shape("seen", place(0, 0)) + shape("old draft", place(20000000, 0)) +
                      shape("off", place(0, 0), "", "hidden=\"1\"")}));
  EXPECT_TRUE(has(read.xhtml, "<body>\n<p>seen</p>\n</body>")) << read.xhtml;
  EXPECT_EQ(read.hidden, "old draft\noff");
}

TEST(Slides, NumberedParagraphs) {
  const auto numbered = [](const std::string& text, const std::string& type, int level,
                           const std::string& start = "") {
    return paragraph(text, "<a:pPr lvl=\"" + std::to_string(level) + "\"><a:buAutoNum type=\"" +
                               type + "\"" + start + "/></a:pPr>");
  };
  EXPECT_EQ(body_of(pptx({shape(
                numbered("a", "arabicPeriod", 0, " startAt=\"3\"") +
                    numbered("b", "alphaLcParenBoth", 1) + numbered("c", "alphaLcParenBoth", 1) +
                    numbered("d", "arabicPeriod", 0) + numbered("e", "alphaLcParenBoth", 1) +
                    paragraph("f") + paragraph("g", "<a:pPr><a:buChar char=\"-\"/></a:pPr>"),
                place(0, 0))})),
            "<p>3. a<br/>(a) b<br/>(b) c<br/>4. d<br/>(a) e<br/>f<br/>• g</p>\n");
}

TEST(Slides, AlternativesAreReadOnce) {
  EXPECT_EQ(
      body_of(pptx({"<mc:AlternateContent><mc:Choice>" + shape("new", place(0, 0)) +
                    "</mc:Choice><mc:Fallback>" + shape("old", place(0, 0)) +
                    "</mc:Fallback></mc:AlternateContent><mc:AlternateContent><mc:Choice>"
                    "<p:contentPart/></mc:Choice><mc:Fallback>" +
                    shape("drawn", place(0, 900000)) + "</mc:Fallback></mc:AlternateContent>"})),
      "<p>new</p>\n<p>drawn</p>\n");
}

TEST(Slides, SymbolsAndFormulas) {
  const auto run = [](const std::string& text, const std::string& fonts) {
    return "<a:r><a:rPr>" + fonts + "</a:rPr><a:t>" + text + "</a:t></a:r>";
  };
  const std::string wingdings = "<a:sym typeface=\"Wingdings\"/>";
  const std::string math =
      "<m:oMath xmlns:m=\"m\"><m:f><m:num><m:t>a</m:t></m:num><m:den><m:t>b</m:t></m:den></m:f>"
      "</m:oMath>";
  // Letters keep their font, although the run names another one for symbols.
  EXPECT_EQ(body_of(pptx({shape("<a:p>" + run("ready \xef\x83\xa0 sold", wingdings) +
                                    run("m", "<a:latin typeface=\"Symbol\"/>") +
                                    "<mc:AlternateContent><mc:Choice>" + math +
                                    "</mc:Choice><mc:Fallback><a:r><a:t>picture</a:t></a:r>"
                                    "</mc:Fallback></mc:AlternateContent></a:p>",
                                place(0, 0))})),
            "<p>ready → soldμa/b</p>\n");
}

TEST(Slides, CommentsAndNotes) {
  const std::string spaces = " xmlns:p=\"p\" xmlns:a=\"a\"";
  EXPECT_EQ(
      body_of(pptx({shape("plan", place(0, 0))},
                   {{"ppt/slides/_rels/slide1.xml.rels",
                     relations({{"1", "comments", "../c1.xml"}, {"2", "comments", "../c2.xml"}})},
                    {"ppt/c1.xml", "<p:cmLst" + spaces +
                                       "><p:cm><p:text>older</p:text></p:cm>"
                                       "</p:cmLst>"},
                    {"ppt/c2.xml", "<p:cmLst" + spaces + "><p:cm><p:replyLst><p:reply><p:txBody>" +
                                       paragraph("reply") +
                                       "</p:txBody></p:reply></p:replyLst>"
                                       "<p:txBody>" +
                                       paragraph("newer") +
                                       "</p:txBody></p:cm>"
                                       "</p:cmLst>"}})),
      "<p>plan</p>\n<p>Comment: older</p>\n<p>Comment: reply<br/>newer</p>\n");
}

// --- charts and diagrams ---

std::string cache(const std::string& kind, const std::vector<std::string>& values,
                  const std::string& code = "") {
  const std::string type = kind == "str" ? "strRef><c:strCache" : "numRef><c:numCache";
  const std::string end = kind == "str" ? "strCache></c:strRef" : "numCache></c:numRef";
  std::string out = "<c:" + type + ">";
  if (!code.empty()) out += "<c:formatCode>" + code + "</c:formatCode>";
  out += "<c:ptCount val=\"" + std::to_string(values.size()) + "\"/>";
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].empty()) continue;
    out += "<c:pt idx=\"" + std::to_string(i) + "\"><c:v>" + values[i] + "</c:v></c:pt>";
  }
  return out + "</c:" + end + ">";
}

std::string series(const std::string& name, const std::string& categories,
                   const std::string& values, const std::string& more = "") {
  return "<c:ser><c:tx>" + cache("str", {name}) + "</c:tx>" + more + "<c:cat>" + categories +
         "</c:cat><c:val>" + values + "</c:val></c:ser>";
}

std::string title(const std::string& text) {
  return "<c:title><c:tx><c:rich>" + paragraph(text) + "</c:rich></c:tx></c:title>";
}

// A slide with a chart between two shapes.
std::string chart_slide(const std::string& chart, const std::string& space = "c") {
  const std::string frame =
      "<p:graphicFrame><p:xfrm><a:off x=\"0\" y=\"900000\"/><a:ext cx=\"9\" cy=\"9\"/></p:xfrm>"
      "<a:graphic><a:graphicData><c:chart r:id=\"k\"/></a:graphicData></a:graphic>"
      "</p:graphicFrame>";
  return body_of(pptx(
      {shape("after", place(0, 4000000)) + frame + shape("before", place(0, 0))},
      {{"ppt/slides/_rels/slide1.xml.rels", relations({{"k", "chart", "../k.xml"}})},
       {"ppt/k.xml",
        "<c:chartSpace xmlns:c=\"" + space + "\" xmlns:a=\"a\">" + chart + "</c:chartSpace>"}}));
}

TEST(Charts, AreTablesWithTitlesAxesAndFormats) {
  const std::string years = cache("str", {"2022", "2023", "2024"});
  EXPECT_EQ(chart_slide(
                "<c:chart>" + title("Tons a year") + "<c:plotArea><c:barChart>" +
                series("Coal", years, cache("num", {"7", "", "9.5"}, "General")) +
                series("Share", years, cache("num", {"0.25", "0.5", "1"}, "0%")) +
                "<c:axId val=\"1\"/><c:axId val=\"2\"/></c:barChart><c:catAx><c:axId val=\"1\"/>" +
                title("Year") + "</c:catAx><c:valAx><c:axId val=\"2\"/>" + title("Thousands") +
                "</c:valAx></c:plotArea></c:chart>"),
            "<p>before</p>\n<p>Tons a year</p>\n<p>Values: Thousands</p>\n"
            "<table><tr><th>Year</th><th>Coal</th><th>Share</th></tr>\n"
            "<tr><td>2022</td><td>7</td><td>25%</td></tr>\n"
            "<tr><td>2023</td><td></td><td>50%</td></tr>\n"
            "<tr><td>2024</td><td>9.5</td><td>100%</td></tr>\n</table>\n<p>after</p>\n");
}

TEST(Charts, FormatsOfLabelsAndAxesGoFirst) {
  const std::string ports = cache("str", {"Hull"});
  const std::string chart = chart_slide(
      "<c:chart><c:plotArea><c:barChart>" +
      series("labelled", ports, cache("num", {"0.5"}, "General"),
             "<c:dLbls><c:numFmt formatCode=\"0%\" sourceLinked=\"0\"/></c:dLbls>") +
      "</c:barChart><c:lineChart>" + series("dated", ports, cache("num", {"45426"}, "General")) +
      "<c:axId val=\"1\"/><c:axId val=\"2\"/></c:lineChart><c:catAx><c:axId val=\"1\"/></c:catAx>"
      "<c:valAx><c:axId val=\"2\"/>" +
      title("Day") +
      "<c:numFmt formatCode=\"yyyy\\-mm\\-dd\" sourceLinked=\"0\"/></c:valAx></c:plotArea>"
      "<c:extLst><c:filteredBarSeries>" +
      series("switched off", ports, cache("num", {"3"})) +
      "</c:filteredBarSeries></c:extLst></c:chart>");
  // The series have axes of their own, so the names of axes are in the heads.
  EXPECT_TRUE(has(chart,
                  "<tr><th></th><th>labelled</th><th>dated (Day)</th></tr>\n"
                  "<tr><td>Hull</td><td>50%</td><td>2024-05-14</td></tr>"))
      << chart;
  EXPECT_FALSE(has(chart, "switched off"));
}

TEST(Charts, LevelsOfCategoriesAndPointsOfTwoValues) {
  const std::string levels =
      "<c:multiLvlStrRef><c:multiLvlStrCache><c:ptCount val=\"3\"/><c:lvl><c:pt idx=\"0\"><c:v>Q1"
      "</c:v></c:pt><c:pt idx=\"1\"><c:v>Q2</c:v></c:pt><c:pt idx=\"2\"><c:v>Q1</c:v></c:pt>"
      "</c:lvl><c:lvl><c:pt idx=\"0\"><c:v>2023</c:v></c:pt><c:pt idx=\"2\"><c:v>2024</c:v></c:pt>"
      "</c:lvl></c:multiLvlStrCache></c:multiLvlStrRef>";
  EXPECT_TRUE(has(chart_slide("<c:chart><c:plotArea><c:pieChart>" +
                              series("Tons", levels, cache("num", {"1", "2", "3"})) +
                              "</c:pieChart></c:plotArea></c:chart>"),
                  "<tr><td>2023 Q1</td><td>1</td></tr>\n<tr><td>2023 Q2</td><td>2</td></tr>\n"
                  "<tr><td>2024 Q1</td><td>3</td></tr>"));
  const auto points = [](const char* name, const char* x, const char* y) {
    return "<c:ser><c:tx><c:v>" + std::string(name) + "</c:v></c:tx><c:xVal>" + cache("num", {x}) +
           "</c:xVal><c:yVal>" + cache("num", {y}) + "</c:yVal></c:ser>";
  };
  EXPECT_TRUE(has(chart_slide("<c:chart><c:plotArea><c:scatterChart>" + points("a", "1", "5") +
                              points("b", "2", "6") + "</c:scatterChart></c:plotArea></c:chart>"),
                  "<table><tr><th></th><th>a</th></tr>\n<tr><td>1</td><td>5</td></tr>\n</table>\n"
                  "<table><tr><th></th><th>b</th></tr>\n<tr><td>2</td><td>6</td></tr>\n</table>"));
}

TEST(Charts, NewerKinds) {
  EXPECT_TRUE(has(
      chart_slide("<c:chartData><c:data id=\"0\"><c:strDim type=\"cat\"><c:lvl ptCount=\"2\">"
                  "<c:pt idx=\"0\">Start</c:pt><c:pt idx=\"1\">Fees</c:pt></c:lvl></c:strDim>"
                  "<c:numDim type=\"val\"><c:lvl ptCount=\"2\" formatCode=\"0%\"><c:pt idx=\"0\">1"
                  "</c:pt><c:pt idx=\"1\">0.5</c:pt></c:lvl></c:numDim></c:data></c:chartData>"
                  "<c:chart><c:title><c:tx><c:txData><c:v>Bridge</c:v></c:txData></c:tx></c:title>"
                  "<c:plotArea><c:plotAreaRegion><c:series><c:tx><c:txData><c:v>Cash</c:v>"
                  "</c:txData></c:tx><c:dataId val=\"0\"/></c:series></c:plotAreaRegion>"
                  "</c:plotArea></c:chart>"),
      "<p>Bridge</p>\n<table><tr><th></th><th>Cash</th></tr>\n<tr><td>Start</td><td>100%</td></tr>"
      "\n<tr><td>Fees</td><td>50%</td></tr>"));
}

TEST(Diagrams, TextsFollowThoseAboveThem) {
  const auto point = [](const std::string& id, const std::string& text, const char* type = "node") {
    return "<dgm:pt modelId=\"" + id + "\" type=\"" + type + "\"><dgm:t>" + paragraph(text) +
           "</dgm:t></dgm:pt>";
  };
  const auto link = [](const char* from, const char* to, int order) {
    return "<dgm:cxn srcId=\"" + std::string(from) + "\" destId=\"" + to + "\" srcOrd=\"" +
           std::to_string(order) + "\"/>";
  };
  EXPECT_EQ(
      body_of(pptx(
          {"<p:graphicFrame><a:graphic><a:graphicData><dgm:relIds r:dm=\"d\" r:lo=\"x\"/>"
           "</a:graphicData></a:graphic></p:graphicFrame>"},
          {{"ppt/slides/_rels/slide1.xml.rels", relations({{"d", "diagramData", "../d.xml"}})},
           {"ppt/d.xml", "<dgm:dataModel xmlns:dgm=\"dgm\" xmlns:a=\"a\"><dgm:ptLst>" +
                             point("0", "", "doc") + point("9", "Repair") + point("2", "Survey") +
                             point("3", "by divers") + "</dgm:ptLst><dgm:cxnLst>" +
                             link("0", "9", 1) + link("0", "2", 0) + link("2", "3", 0) +
                             link("3", "2", 0) + "</dgm:cxnLst></dgm:dataModel>"}})),
      "<p>Survey</p>\n<p>• by divers</p>\n<p>Repair</p>\n");
}

}  // namespace
}  // namespace fineprint::markup
