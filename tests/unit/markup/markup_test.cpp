// Files of text with structure as HTML: nothing of their text is lost, and nothing else gets in.
#include "fineprint/markup/markup.h"

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

#include "support/has.h"
#include "support/office_package.h"

namespace fineprint::markup {
namespace {

using fineprint::testing::has;

std::string html_of(const std::string& name, const std::string& bytes) {
  return to_markup(name, bytes).xhtml;
}

// Everything between "<body>" and "</body>".
std::string body_of(const std::string& name, const std::string& bytes) {
  const std::string html = html_of(name, bytes);
  const std::size_t begin = html.find("<body>") + 7;
  return html.substr(begin, html.find("</body>") - begin);
}

std::optional<ErrorCode> refusal_of(const std::string& name, const std::string& bytes) {
  try {
    to_markup(name, bytes);
  } catch (const Error& error) {
    EXPECT_TRUE(has(error.what(), name)) << error.what();
    return error.code();
  }
  return std::nullopt;
}

constexpr const char* kTwoRows =
    "<table><tr><th>Port</th><th>Tons</th></tr>\n"
    "<tr><td>Aberdeen</td><td>1,204</td></tr>\n"
    "<tr><td>Hull, \"old\"\ntown</td><td>7</td></tr>\n</table>\n";

std::string with_breaks(std::string text) { return text.replace(text.find("\ntown"), 1, "<br/>"); }

TEST(Delimited, QuotesSeparatorsAndLineEnds) {
  const std::string wanted = with_breaks(kTwoRows);
  EXPECT_EQ(body_of("a.csv",
                    "Port,Tons\r\nAberdeen,\"1,204\"\r\n\r\n\"Hull, \"\"old\"\"\r\n"
                    "town\",7"),
            wanted);
  EXPECT_EQ(body_of("a.CSV", "sep=;\nPort;Tons\nAberdeen;1,204\n\"Hull, \"\"old\"\"\ntown\";7\n"),
            wanted);
  EXPECT_EQ(body_of("a.csv", "Port;Tons\nAberdeen;1,204\n\"Hull, \"\"old\"\"\ntown\";7\n"), wanted);
  EXPECT_EQ(body_of("a.tsv", "Port\tTons\nAberdeen\t1,204\n\"Hull, \"\"old\"\"\ntown\"\t7\n"),
            wanted);
}

TEST(Delimited, EmptyFieldsOfATitleAreNotItsText) {
  EXPECT_TRUE(
      has(body_of("a.csv", "Accounts of Linwood,,\nin thousands,,\nItem,2022,2023\nRent,9,8\n"),
          "<p>Accounts of Linwood</p>\n<p>in thousands</p>"));
}

TEST(Delimited, EncodingsAreTold) {
  EXPECT_TRUE(has(body_of("a.csv",
                          "\xef\xbb\xbfStra\xc3\x9f"
                          "e,2\n"),
                  "<th>Straße</th>"));
  EXPECT_TRUE(has(body_of("a.csv",
                          "Stra\xdf"
                          "e,2\n"),
                  "<th>Straße</th>"));
  EXPECT_TRUE(has(body_of("a.csv", std::string("\xff\xfeS\0t\0r\0a\0\xdf\0e\0,\0b\0", 18)),
                  "<th>Straße</th>"));
}

TEST(Delimited, TheHeaderStandsOnEachPage) {
  std::string csv = "Port,Tons\n";
  for (int i = 0; i < 200; ++i) csv += "Harbour " + std::to_string(i) + "," + "1\n";
  const std::string body = body_of("a.csv", csv);
  std::size_t headers = 0, pages = 0;
  for (std::size_t at = 0; (at = body.find("<th>Port</th>", at)) != std::string::npos; ++at) {
    ++headers;
  }
  for (std::size_t at = 0;
       (at = body.find("<div class=\"end\"></div>\n<table>", at)) != std::string::npos; ++at) {
    ++pages;
  }
  EXPECT_EQ(headers, pages + 1);
  EXPECT_GE(pages, 4U);
  for (int i = 0; i < 200; ++i) {
    EXPECT_TRUE(has(body, "<td>Harbour " + std::to_string(i) + "</td>")) << i;
  }
}

TEST(Delimited, RowsBelowABlankOneMayBeAnotherTable) {
  const std::string two =
      body_of("a.csv", "Region,Sales,\nNorth,10,\n,,\nStaff of May,,\nName,Hours,Rate\nIda,40,9\n");
  EXPECT_TRUE(has(two,
                  "<tr><td>North</td><td>10</td></tr>\n</table>\n<p>Staff of May</p>\n<table>"
                  "<tr><th>Name</th><th>Hours</th><th>Rate</th></tr>"));
  // Blank rows between groups of one table divide nothing.
  const std::string one =
      body_of("a.csv", "Port,Tons\nOslo,1\n\nMoss,2\nHull,3\n\nName,Rate\nx,1\n");
  EXPECT_TRUE(has(one, "<tr><td>Oslo</td><td>1</td></tr>\n<tr><td>Moss</td><td>2</td></tr>\n"));
  EXPECT_TRUE(has(one, "<tr><td>Name</td><td>Rate</td></tr>"));
}

TEST(Delimited, WideTablesGetWidePages) {
  EXPECT_EQ(to_markup("a.csv", "a,b\n1,2\n").width_pt, 595);
  std::string wide;
  for (int i = 0; i < 30; ++i) wide += "a column of some width,";
  EXPECT_GT(to_markup("a.csv", wide + "\n").width_pt, 2000);
}

TEST(Delimited, OddOnes) {
  EXPECT_EQ(refusal_of("a.csv", ""), ErrorCode::empty);
  EXPECT_EQ(refusal_of("a.csv", ",,\n,,\n"), ErrorCode::empty);
  EXPECT_TRUE(has(body_of("a.csv", "a,\"never closed\n1,2\n"), "never closed<br/>1,2"));
  EXPECT_TRUE(has(body_of("a.csv", "<b>&,x\n"), "<th>&lt;b&gt;&amp;</th>"));
  EXPECT_TRUE(has(body_of("a.csv", std::string("a\0b\x1b[31m,x\n", 10)), "<th>ab[31m</th>"));
}

TEST(Plain, JsonIsIndentedAndTextStaysAsItIs) {
  EXPECT_TRUE(has(body_of("a.json", R"({"port":"Hull","tons":[1,2]})"),
                  "<pre>{\n  \"port\": \"Hull\",\n  \"tons\": [\n    1,\n    2\n  ]\n}</pre>"));
  EXPECT_TRUE(has(body_of("a.json", "{\"a\":1}\n{\"b\":2}\n"), "{\n  \"b\": 2\n}"));
  EXPECT_TRUE(has(body_of("a.json", "{not json"), "<pre>{not json</pre>"));
  EXPECT_TRUE(has(body_of("a.json", std::string(100'000, '[')), "<pre>[[[["));
  EXPECT_TRUE(has(body_of("a.rst", "Title\n=====\n\n* a < b\n"), "Title\n=====\n\n* a &lt; b\n"));
  EXPECT_TRUE(has(body_of("a.tex", "\\section{Tides}\n% a remark\n"), "\\section{Tides}\n% a"));
}

TEST(Xml, ValuesHaveTheNamesOfTheirElements) {
  const std::string xml = R"(<?xml version="1.0"?><inv:Invoice xmlns:inv="urn:a">
    <inv:ID>INV-8</inv:ID>
    <inv:SellerParty><inv:Name>Acme</inv:Name><inv:Address><inv:CityName>Hull</inv:CityName>
    </inv:Address></inv:SellerParty>
    <inv:PayableAmount currencyID="USD">279.84</inv:PayableAmount></inv:Invoice>)";
  const std::string body = body_of("a.xml", xml);
  EXPECT_TRUE(has(body, "<p>ID: INV-8</p>")) << body;
  EXPECT_TRUE(has(body, "<h2>Seller Party</h2>")) << body;
  EXPECT_TRUE(has(body, "<p>Name: Acme</p>")) << body;
  EXPECT_TRUE(has(body, "<p>Address / City Name: Hull</p>")) << body;
  EXPECT_TRUE(has(body, "<p>Payable Amount: 279.84 (currency ID USD)</p>")) << body;
}

TEST(Xml, RunningTextStaysWhole) {
  EXPECT_TRUE(
      has(body_of("a.xml", "<book><p>The <b>Heron</b> sank.</p></book>"), "p: The Heron sank."));
  EXPECT_TRUE(has(body_of("a.xml", "<never closed"), "<pre>&lt;never closed</pre>"));
}

TEST(Mail, HeadsBodiesAndAttachments) {
  const std::string mail =
      "From: =?utf-8?q?J=C3=B6rg?= <j@example.org>\r\nTo: Ann <ann@example.org>\r\n"
      "Subject: =?iso-8859-1?q?Tide_tables_f=FCr_May?=\r\nDate: Tue, 14 May 2024 09:30:00 +0200\r\n"
      "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n"
      "Content-Type: multipart/alternative; boundary=c\r\n\r\n--c\r\n"
      "Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: "
      "quoted-printable\r\n\r\nHigh water at the pier: 4.2 m =FCber null.\r\n--c\r\n"
      "Content-Type: text/html\r\n\r\n<p>the same once more</p>\r\n--c--\r\n--b\r\n"
      "Content-Type: application/pdf; name=\"chart.pdf\"\r\nContent-Transfer-Encoding: base64\r\n"
      "\r\nJVBERi0xLjQK\r\n--b\r\nContent-Type: message/rfc822\r\n\r\nSubject: The older "
      "one\r\n\r\n"
      "inner words\r\n--b--\r\n";
  const Markup read = to_markup("a.eml", mail);
  EXPECT_EQ(read.title, "Tide tables für May");
  for (const char* part :
       {"<h1>Tide tables für May</h1>", "From: Jörg &lt;j@example.org&gt;<br/>",
        "To: Ann &lt;ann@example.org&gt;", "Date: Tuesday, 14 May 2024, 09:30 +0200",
        "4.2 m über null.", "Attachment: chart.pdf (application/pdf)", "<h2>The older one</h2>",
        "inner words"}) {
    EXPECT_TRUE(has(read.xhtml, part)) << part << "\n" << read.xhtml;
  }
  EXPECT_FALSE(has(read.xhtml, "once more"));
  EXPECT_FALSE(has(read.xhtml, "JVBERi0"));
}

TEST(Mail, OfHtmlOnlyTheTextIsTaken) {
  const std::string body =
      body_of("a.eml", "Subject: x\n\nContent\n") +
      body_of("b.eml",
              "Subject: y\nContent-Type: text/html; charset=utf-8\n\n<html><head><title>no</title>"
              "<style>p{color:red}</style></head><body onload=\"steal()\"><script>alert(1)</script>"
              "<h2>Notice</h2><p>Low &amp; high<br>water<img src=\"http://example.org/x.png\"></p>"
              "<ul><li>one<li>two</ul><table><tr><td>7</td><td>m</td></tr></table>");
  EXPECT_TRUE(has(body, "Content"));
  for (const char* part : {"<h2>Notice</h2>", "<p>Low &amp; high<br/>water</p>", "<p>• one</p>",
                           "<p>• two</p>", "<p>7 m </p>"}) {
    EXPECT_TRUE(has(body, part)) << part << "\n" << body;
  }
  for (const char* part : {"script", "alert", "steal", "color", "example.org", "<title>"}) {
    EXPECT_FALSE(has(body, part)) << part;
  }
}

TEST(Mail, OddOnes) {
  std::string nested = "Subject: x\nContent-Type: multipart/mixed; boundary=b0\n\n";
  for (int i = 0; i < 200; ++i) {
    nested += "--b" + std::to_string(i) + "\nContent-Type: multipart/mixed; boundary=b" +
              std::to_string(i + 1) + "\n\n";
  }
  EXPECT_TRUE(has(body_of("a.eml", nested), "<h1>x</h1>"));
  EXPECT_EQ(refusal_of("a.msg", "no compound file at all"), ErrorCode::damaged);
}

// --- office files ---

using fineprint::testing::package;
using fineprint::testing::relations;

std::string workbook(const std::string& rows, const std::string& more = "",
                     const std::string& styles = "") {
  return package(
      "xl/workbook.xml",
      {{"xl/workbook.xml", "<workbook xmlns:r=\"r\">" + more +
                               "<sheets><sheet name=\"Ports\" sheetId=\"1\" r:id=\"s1\"/></sheets>"
                               "</workbook>"},
       {"xl/_rels/workbook.xml.rels", relations({{"s1", "worksheet", "worksheets/sheet1.xml"},
                                                 {"s2", "sharedStrings", "sharedStrings.xml"},
                                                 {"s3", "styles", "styles.xml"}})},
       {"xl/sharedStrings.xml",
        "<sst><si><t>Aber</t></si><si><r><t>Hull</t></r><r><t> old</t></r>"
        "<rPh><t>sound</t></rPh></si></sst>"},
       {"xl/styles.xml", "<styleSheet>" + styles + "</styleSheet>"},
       {"xl/worksheets/sheet1.xml", "<worksheet><sheetData>" + rows + "</sheetData></worksheet>"}});
}

TEST(Workbook, SharedInlineAndComputedTextsAreRead) {
  const Markup read = to_markup(
      "a.xlsx",
      workbook("<row r=\"1\"><c r=\"A1\" t=\"inlineStr\"><is><t>Port</t></is></c><c r=\"C1\" "
               "t=\"inlineStr\"><is><r><t>To</t></r><r><t>ns</t></r></is></c></row>"
               "<row r=\"2\"><c r=\"A2\" t=\"s\"><v>0</v></c><c r=\"C2\"><v>0.1</v></c></row>"
               "<row r=\"3\"><c r=\"A3\" t=\"s\"><v>1</v></c><c r=\"C3\" t=\"str\"><f>x</f>"
               "<v>none &amp; never</v></c></row>"
               "<row r=\"9\"><c t=\"b\"><v>1</v></c><c t=\"e\"><v>#DIV/0!</v></c></row>"));
  EXPECT_EQ(read.format, "XLSX");
  EXPECT_TRUE(has(read.xhtml,
                  "<h2>Ports</h2>\n<table><tr><th>Port</th><th>Tons</th></tr>\n"
                  "<tr><td>Aber</td><td>0.1</td></tr>\n"
                  "<tr><td>Hull old</td><td>none &amp; never</td></tr>\n</table>"))
      << read.xhtml;
  EXPECT_TRUE(has(read.xhtml, "<td>TRUE</td><td>#DIV/0!</td>")) << read.xhtml;
}

TEST(Workbook, StylesMakeDatesTimesAndShares) {
  const std::string styles =
      "<numFmts><numFmt numFmtId=\"164\" formatCode=\"yyyy\\-mm\\-dd hh:mm\"/></numFmts><cellXfs>"
      "<xf numFmtId=\"0\"/><xf numFmtId=\"14\"/><xf numFmtId=\"10\"/><xf numFmtId=\"164\"/>"
      "</cellXfs>";
  const std::string rows =
      "<row><c s=\"0\"><v>45426</v></c><c s=\"1\"><v>45426</v></c><c s=\"2\"><v>0.125</v></c>"
      "<c s=\"3\"><v>45426.75</v></c><c s=\"99\"><v>0.30000000000000004</v></c></row>";
  EXPECT_TRUE(has(body_of("a.xlsx", workbook(rows, "", styles)),
                  "<tr><td>45426</td><td>2024-05-14</td><td>12.50%</td><td>2024-05-14 18:00</td>"
                  "<td>0.3</td></tr>"));
  EXPECT_TRUE(has(body_of("a.xlsx", workbook(rows, "<workbookPr date1904=\"1\"/>", styles)),
                  "<td>2028-05-15</td>"));
}

TEST(Workbook, FarCellsTakeNoRoom) {
  const std::string body = body_of(
      "a.xlsx", workbook("<row r=\"1\"><c r=\"A1\"><v>1</v></c><c r=\"XFD1\"><v>2</v></c></row>"
                         "<row r=\"1048576\"><c r=\"ZZZZZZZ1\"><v>3</v></c></row>"
                         "<row r=\"-5\"><c r=\"\"><v>4</v></c></row>"));
  EXPECT_TRUE(has(body, "<tr><td>1</td><td>2</td></tr>")) << body;
  EXPECT_TRUE(has(body, "3")) << body;
  EXPECT_TRUE(has(body, "4")) << body;
  EXPECT_LT(body.size(), 1000U);
}

TEST(TextDocument, RaisedTextIsSuperscript) {
  const std::string raised = "<w:rPr><w:vertAlign w:val=\"superscript\"/></w:rPr><w:t>";
  const std::string lowered = "<w:rPr><w:vertAlign w:val=\"subscript\"/></w:rPr><w:t>";
  EXPECT_TRUE(has(
      body_of("a.docx", package("word/document.xml",
                                {{"word/document.xml",
                                  "<w:document xmlns:w=\"w\"><w:body><w:p><w:r><w:t>438</w:t></w:r>"
                                  "<w:r>" +
                                      raised +
                                      "1a</w:t></w:r><w:r><w:t> boats, CO</w:t></w:r>"
                                      "<w:r>" +
                                      lowered + "2</w:t></w:r></w:p></w:body></w:document>"}})),
      "438¹ᵃ boats, CO2"));
}

TEST(Workbook, RaisedTextIsSuperscript) {
  EXPECT_TRUE(
      has(body_of("a.xlsx", workbook("<row><c t=\"inlineStr\"><is><r><t>438</t></r><r><rPr>"
                                     "<vertAlign val=\"superscript\"/></rPr><t>1</t></r></is>"
                                     "</c></row>")),
          "438¹"));
}

TEST(TextDocument, EveryTextIsReadOnce) {
  const Markup read = to_markup(
      "a.docx",
      package(
          "word/document.xml",
          {{"word/document.xml",
            "<w:document xmlns:w=\"w\" xmlns:r=\"r\"><w:body>"
            "<w:p><w:pPr><w:pStyle w:val=\"H1\"/></w:pPr><w:r><w:t>Tides</w:t></w:r></w:p>"
            "<w:p><w:r><w:t>High</w:t><w:tab/><w:t>water</w:t><w:br/><w:t>4.2 m</w:t></w:r>"
            "<w:ins><w:r><w:t> added</w:t></w:r></w:ins><w:del><w:r><w:delText>gone</w:delText>"
            "</w:r></w:del><w:r><w:footnoteReference w:id=\"2\"/></w:r></w:p>"
            "<w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>a list item</w:t></w:r></w:p>"
            "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>Port</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r>"
            "<w:t>Tons</w:t></w:r></w:p></w:tc></w:tr><w:tr><w:tc><w:p><w:r><w:t>Hull</w:t></w:r>"
            "</w:p><w:p><w:r><w:t>old</w:t></w:r></w:p></w:tc><w:tc><w:p/></w:tc></w:tr></w:tbl>"
            "<w:sdt><w:sdtContent><w:p><w:r><w:t>in a control</w:t></w:r></w:p></w:sdtContent>"
            "</w:sdt><w:p><w:r><mc:AlternateContent xmlns:mc=\"mc\"><mc:Choice><w:txbxContent><w:p>"
            "<w:r><w:t>in a box</w:t></w:r></w:p></w:txbxContent></mc:Choice><mc:Fallback>"
            "<w:txbxContent><w:p><w:r><w:t>in a box</w:t></w:r></w:p></w:txbxContent>"
            "</mc:Fallback></mc:AlternateContent></w:r></w:p></w:body></w:document>"},
           {"word/_rels/document.xml.rels", relations({{"1", "styles", "styles.xml"},
                                                       {"2", "footnotes", "footnotes.xml"},
                                                       {"3", "comments", "comments.xml"},
                                                       {"4", "header", "header1.xml"}})},
           {"word/styles.xml",
            "<w:styles xmlns:w=\"w\"><w:style w:styleId=\"H1\"><w:name w:val=\"heading 1\"/><w:pPr>"
            "<w:outlineLvl w:val=\"0\"/></w:pPr></w:style></w:styles>"},
           {"word/footnotes.xml",
            "<w:footnotes xmlns:w=\"w\"><w:footnote w:id=\"0\" w:type=\"separator\"><w:p><w:r><w:t>"
            "line</w:t></w:r></w:p></w:footnote><w:footnote w:id=\"2\"><w:p><w:r><w:t>above "
            "datum</w:t></w:r></w:p></w:footnote></w:footnotes>"},
           {"word/comments.xml",
            "<w:comments xmlns:w=\"w\"><w:comment w:id=\"7\"><w:p><w:r><w:t>check it</w:t></w:r>"
            "</w:p></w:comment></w:comments>"},
           {"word/header1.xml",
            "<w:hdr xmlns:w=\"w\"><w:p><w:r><w:t>Harbour board</w:t></w:r></w:p></w:hdr>"}}));
  EXPECT_EQ(read.format, "DOCX");
  for (const char* part :
       {"<p>Harbour board</p>\n<h1>Tides</h1>\n<p>High water<br/>4.2 m added [1]</p>",
        "<p>• a list item</p>", "<tr><th>Port</th><th>Tons</th></tr>",
        "<tr><td>Hull<br/>old</td><td></td></tr>", "<p>in a control</p>", "<p>in a box</p>",
        "<h3>Footnotes</h3>\n<p>[1] above datum</p>", "<h3>Comments</h3>\n<p>[7] check it</p>"}) {
    EXPECT_TRUE(has(read.xhtml, part)) << part << "\n" << read.xhtml;
  }
  EXPECT_FALSE(has(read.xhtml, "gone"));
  EXPECT_FALSE(has(read.xhtml, "line"));
  const std::size_t box = read.xhtml.find("in a box");
  EXPECT_EQ(read.xhtml.find("in a box", box + 1), std::string::npos);
}

TEST(Slides, InTheirOrderAPageEachWithTablesChartsNotesAndPictures) {
  const std::string spaces = " xmlns:p=\"p\" xmlns:a=\"a\" xmlns:r=\"r\"";
  const auto slide = [&](const std::string& inside) {
    return "<p:sld" + spaces + "><p:cSld><p:spTree>" + inside + "</p:spTree></p:cSld></p:sld>";
  };
  const auto paragraph = [](const std::string& text) {
    return "<p:txBody><a:p><a:r><a:t>" + text + "</a:t></a:r></a:p></p:txBody>";
  };
  const std::string picture = std::string("\x89PNG\r\n\x1a\n", 8) + "bytes";
  const std::string body = body_of(
      "a.pptx",
      package(
          "ppt/presentation.xml",
          {{"ppt/presentation.xml",
            "<p:presentation" + spaces +
                "><p:sldIdLst><p:sldId id=\"256\" r:id=\"b\"/><p:sldId id=\"257\" r:id=\"e\"/>"
                "<p:sldId id=\"258\" r:id=\"a\"/></p:sldIdLst></p:presentation>"},
           {"ppt/_rels/presentation.xml.rels",
            relations({{"a", "slide", "slides/slide1.xml"},
                       {"b", "slide", "slides/slide2.xml"},
                       {"e", "slide", "/ppt/slides/slide3.xml"}})},
           {"ppt/slides/slide1.xml",
            slide(
                "<p:graphicFrame><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>Port</a:t></a:r>"
                "</a:p></a:txBody></a:tc></a:tr><a:tr><a:tc><a:txBody><a:p><a:r><a:t>Hull</a:t>"
                "</a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></p:graphicFrame>"
                "<p:graphicFrame><a:graphicData><c:chart xmlns:c=\"c\" r:id=\"c\"/></a:graphicData>"
                "</p:graphicFrame><p:pic><a:blip r:embed=\"i\"/></p:pic>")},
           {"ppt/slides/_rels/slide1.xml.rels",
            relations({{"c", "chart", "../charts/chart1.xml"},
                       {"i", "image", "../media/i.png"},
                       {"n", "notesSlide", "../notesSlides/n1.xml"}})},
           {"ppt/media/i.png", picture},
           {"ppt/charts/chart1.xml",
            "<c:chartSpace "
            "xmlns:c=\"c\"><c:chart><c:plotArea><c:barChart><c:ser><c:tx><c:v>Coal</c:v>"
            "</c:tx><c:cat><c:strLit><c:pt idx=\"0\"><c:v>2022</c:v></c:pt><c:pt "
            "idx=\"1\"><c:v>2023"
            "</c:v></c:pt></c:strLit></c:cat><c:val><c:numLit><c:pt idx=\"0\"><c:v>7</c:v></c:pt>"
            "<c:pt "
            "idx=\"1\"><c:v>9</c:v></c:pt></c:numLit></c:val></c:ser></c:barChart></c:plotArea>"
            "</c:chart></c:chartSpace>"},
           {"ppt/notesSlides/n1.xml", "<p:notes" + spaces + "><p:sp><p:ph type=\"sldNum\"/>" +
                                          paragraph("3") + "</p:sp><p:sp><p:ph type=\"body\"/>" +
                                          paragraph("say it slowly") + "</p:sp></p:notes>"},
           {"ppt/slides/slide2.xml",
            slide("<p:sp><p:ph type=\"title\"/>" + paragraph("Ports") + "</p:sp><p:grpSp><p:sp>" +
                  paragraph("in a group") + "</p:sp></p:grpSp>")},
           {"ppt/slides/slide3.xml", slide("")}}));
  EXPECT_TRUE(
      body.starts_with("<h2>Ports</h2>\n<p>in a group</p>\n<div class=\"end\"></div>\n"
                       "<p>\xc2\xa0</p>\n<div class=\"end\"></div>\n"
                       "<table><tr><th>Port</th></tr>"))
      << body;
  for (const char* part :
       {"<td>Hull</td>", "<tr><th></th><th>Coal</th></tr>", "<tr><td>2023</td><td>9</td></tr>",
        "<p>Notes: say it slowly</p>", "<img src=\"data:image/png;base64,iVBO"}) {
    EXPECT_TRUE(has(body, part)) << part << "\n" << body;
  }
}

TEST(Package, OddOnes) {
  EXPECT_EQ(refusal_of("a.docx", "PK\3\4 cut short"), ErrorCode::damaged);
  EXPECT_EQ(refusal_of("a.docx", fineprint::testing::stored_zip({{"a.txt", "words"}})),
            ErrorCode::damaged);
  EXPECT_EQ(refusal_of("a.docx", package("word/document.xml", {})), ErrorCode::damaged);
  EXPECT_EQ(refusal_of("a.docx", package("x.xml", {{"x.xml", "<nothing/>"}})), ErrorCode::damaged);
  EXPECT_EQ(refusal_of("a.docx", package("x.xml", {{"x.xml", "<document><p>"}})),
            ErrorCode::damaged);
  EXPECT_EQ(refusal_of("a.docx", package("x.xml", {{"x.xml", "<document/>"}})), ErrorCode::empty);
  // Names lie: what it is stands in it.
  EXPECT_EQ(to_markup("a.docx", workbook("<row><c><v>1</v></c></row>")).format, "XLSX");
  // Entities of a document are not expanded, files not fetched.
  const std::string entities =
      "<!DOCTYPE d [<!ENTITY a \"haha\"><!ENTITY f SYSTEM \"file:///etc/passwd\">]>"
      "<d:document xmlns:d=\"d\"><d:p><d:r><d:t>x&a;&f;</d:t></d:r></d:p></d:document>";
  EXPECT_FALSE(has(body_of("a.docx", package("x.xml", {{"x.xml", entities}})), "root:"));
}

}  // namespace
}  // namespace fineprint::markup
