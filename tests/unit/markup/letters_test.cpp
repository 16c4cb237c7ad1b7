// Tables, mail and texts of other encodings, languages and programs.
#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/markup/markup.h"

#include "support/has.h"
#include "support/temp_dir.h"

namespace fineprint::markup {
namespace {

using fineprint::testing::has;
using namespace std::string_literals;

std::string xhtml_of(const std::string& name, const std::string& bytes) {
  return to_markup(name, bytes).xhtml;
}

// The first row of a table of two figures with decimal commas, below any titles.
constexpr const char* kHeader = "<table><tr><th>Hafen</th><th>Hering</th><th>Dorsch</th></tr>";
constexpr const char* kRow = "<tr><td>Aldwick</td><td>11,5</td><td>13,2</td></tr>";

TEST(Separator, DecimalCommasSeparateNothing) {
  const std::string table = "Hafen;Hering;Dorsch\nAldwick;11,5;13,2\nBexley;21,7;23,9\n";
  for (const std::string above : {"", "Gebühren 2024\n\n", "# Waage 4\n# in Tonnen\n",
                                  "Bericht, gedruckt am 3. Mai\n\n", "Stand: 3,5,7;\n"}) {
    const std::string html = xhtml_of("a.csv", above + table);
    EXPECT_TRUE(has(html, kHeader)) << above << html;
    EXPECT_TRUE(has(html, kRow)) << above << html;
  }
  EXPECT_TRUE(has(xhtml_of("a.csv", "Hafen, Ort;Hering;Dorsch\nAldwick;11,5;13,2\n"), kRow));
  EXPECT_TRUE(has(xhtml_of("a.csv", "Hafen|Hering|Dorsch\nAldwick|11,5|13,2\n"), kRow));
  EXPECT_TRUE(has(xhtml_of("a.csv", "Hafen\tHering\tDorsch\nAldwick\t11,5\t13,2\n"), kRow));
}

TEST(Separator, CommasBetweenFiguresSeparateIfNothingElseDoes) {
  EXPECT_TRUE(has(xhtml_of("a.csv", "1,2,3\n4,5,6\n"), "<td>4</td><td>5</td><td>6</td>"));
  EXPECT_TRUE(has(xhtml_of("a.csv", "Id,Codes\n1,2;3\n4,5;6\n7,8;9\n"), "<td>4</td><td>5;6</td>"));
  EXPECT_TRUE(
      has(xhtml_of("a.csv", "Port,Note\nHull,a;b\nKiel,c;d\n"), "<td>Hull</td><td>a;b</td>"));
}

TEST(Separator, TitlesAboveCommasAreNoHeader) {
  const std::string html =
      xhtml_of("a.csv", "Tonnage report, printed 3 May\nPort,Tons,Crew\nHull,7,2\nKiel,8,3\n");
  EXPECT_TRUE(has(html, "<p>Tonnage report, printed 3 May</p>")) << html;
  EXPECT_TRUE(has(html, "<th>Port</th><th>Tons</th><th>Crew</th>")) << html;
  EXPECT_TRUE(has(xhtml_of("a.csv", "#,Port\n1,Hull\n"), "<th>#</th><th>Port</th>"));
  EXPECT_TRUE(has(xhtml_of("a.csv", "Ports\nHull\nKiel\n"), "<th>Ports</th>"));
}

constexpr const char* kHead =
    "From: Jane <jane@example.org>\r\nTo: board@example.org\r\nMIME-Version: 1.0\r\n";

std::string mail_of(const std::string& headers, const std::string& body) {
  return xhtml_of("a.eml", kHead + headers + "\r\n\r\n" + body);
}

TEST(MailLetters, BodiesAreReadByTheirBytes) {
  EXPECT_TRUE(
      has(mail_of("Content-Type: text/plain; charset=us-ascii", "H\303\274ter in Gr\303\274nsund"),
          "Hüter in Grünsund"));
  EXPECT_TRUE(has(mail_of("Content-Type: text/plain; charset=iso-8859-1\r\n"
                          "Content-Transfer-Encoding: quoted-printable",
                          "The fee is =80 35 =96 says Can=92t."),
                  "The fee is € 35 – says Can’t."));
  EXPECT_TRUE(has(mail_of("Content-Type: text/plain; charset=koi8-r", "\360\322\311\336\301\314"),
                  "Причал"));
  EXPECT_TRUE(has(
      mail_of("Content-Type: text/html", "<meta charset=windows-1251><p>\317\360\350\367\340\353"),
      "Причал"));
}

TEST(MailLetters, HeadersAreReadByTheirBytes) {
  EXPECT_TRUE(has(mail_of("Subject: =?gb2312?B?6Ua7+Q==?=", "x"), "镕基")) << "a character of GBK";
  EXPECT_TRUE(has(mail_of("Subject: H\374ter", "x"), "Hüter"));
  EXPECT_TRUE(has(mail_of("Subject: \317\360\350\367\340\353\r\n"
                          "Content-Type: text/plain; charset=windows-1251",
                          "x"),
                  "Причал"));
}

TEST(MailLetters, APartThatIsNoTextDoesNotHideTheOthers) {
  std::string noise;
  for (unsigned i = 0, x = 1; i < 600; ++i, x = x * 1103515245 + 12345) {
    noise += static_cast<char>(x >> 16 | 0x80);
  }
  const std::string html = mail_of("Subject: tides\r\nContent-Type: text/plain", noise);
  EXPECT_TRUE(has(html, "tides")) << html;
  EXPECT_TRUE(has(html, "The encoding of this text is not known")) << html;
  try {
    to_markup("a.csv", noise);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unsupported);
    EXPECT_TRUE(has(error.what(), "a.csv: the encoding of its text is not known")) << error.what();
  }
}

TEST(TextInUtf8, AGivenEncodingCountsOnlyWhereTheFileIsNotCertain) {
  const testing::TempDir folder;
  // 0xE7 is c with a cedilla in windows-1252, and a Cyrillic letter in windows-1251.
  const std::string bytes = "Fran\347oise";
  EXPECT_EQ(text_in_utf8(folder.write("a.txt", bytes), "windows-1251"), "Franзoise");
  EXPECT_EQ(text_in_utf8(folder.write("a.html", "<p>" + bytes), "windows-1251"), "<p>Franзoise");
  EXPECT_TRUE(
      has(read_markup(folder.write("a.csv", "name,age\n" + bytes + ",7\n"), "windows-1251").xhtml,
          "Franзoise"));
  EXPECT_EQ(text_in_utf8(folder.write("b.html", "<meta charset=windows-1252><p>" + bytes),
                         "windows-1251"),
            "<meta charset=utf-8><p>Françoise");
  EXPECT_EQ(text_in_utf8(folder.write("c.txt", "Fran\303\247oise"), "windows-1251"), std::nullopt);
  EXPECT_EQ(text_in_utf8(folder.write("d.txt", "plain"), "UTF-16LE"), std::nullopt);
}

TEST(TextInUtf8, ConvertsWhatMuPdfCannotRead) {
  const testing::TempDir folder;
  EXPECT_EQ(text_in_utf8(folder.write("plain.txt", "plain")), std::nullopt);
  EXPECT_EQ(text_in_utf8(folder.write("utf8.txt", "Gr\303\274n")), std::nullopt);
  EXPECT_EQ(text_in_utf8(folder.write("end.txt", "liman\304\261")), "limanı\n");
  EXPECT_EQ(text_in_utf8(folder.write("utf8.html", "<meta charset=\"utf-8\">Gr\303\274n")),
            std::nullopt);
  EXPECT_EQ(text_in_utf8(folder.write("a.pdf", "\317\360\350")), std::nullopt);
  EXPECT_EQ(text_in_utf8(folder.write("wide.txt", "\377\376S\0\337\0"s)), "Sß\n");
  EXPECT_EQ(text_in_utf8(folder.write("a.html", "<meta charset=windows-1251><p>\317\360\350")),
            "<meta charset=utf-8><p>При\n");
  EXPECT_EQ(text_in_utf8(folder.write("a.fb2",
                                      "<?xml version=\"1.0\" encoding=\"windows-1251\"?>"
                                      "<p>\317\360\350</p>")),
            "<?xml version=\"1.0\" encoding=\"utf-8\"?><p>При</p>");
  EXPECT_EQ(text_in_utf8(folder.write("lie.html",
                                      "<meta charset=big5><p>Gr\303\274n, Gr\303\274n, "
                                      "Gr\303\274n, Gr\303\274n")),
            "<meta charset=utf-8><p>Grün, Grün, Grün, Grün");
}

}  // namespace
}  // namespace fineprint::markup
