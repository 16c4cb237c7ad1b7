// What a browser does not show, and what looks alike but is shown.
#include "markup/hidden_html.h"

#include <gtest/gtest.h>

#include "fineprint/core/text.h"
#include "fineprint/markup/markup.h"

#include "markup/css.h"
#include "support/has.h"
#include "support/temp_dir.h"

namespace fineprint::markup {
namespace {

using fineprint::testing::has;

std::string hidden_in(const std::string& html) {
  Tree tree = Tree::of_html(html);
  const std::string before = tree.to_html();
  const std::vector<std::string> hidden = take_hidden_parts(&tree);
  const std::string after = tree.to_html();
  for (const std::string& one : hidden) EXPECT_FALSE(has(after, one)) << after;
  if (hidden.empty()) EXPECT_EQ(after, before);
  return join_texts(hidden, "|");
}

TEST(HiddenHtml, IsFoundInEachWayToHide) {
  for (const char* way : {
           "<p style='display:none'>%</p>",
           "<p style=' DISPLAY : NONE !important '>%</p>",
           "<p hidden>%</p>",
           "<p style='visibility:hidden'>%</p>",
           "<p style='font-size:0'>%</p>",
           "<p style='font-size:1px'>%</p>",
           "<p style='opacity:0'>%</p>",
           "<p style='color:#ffffff'>%</p>",
           "<p style='color:rgb(255, 255, 250)'>%</p>",
           "<p><font color='white'>%</font></p>",
           "<table bgcolor='black'><tr><td>%</td></tr></table>",
           "<div style='background:#123456'><p style='color:#123456'>%</p></div>",
           "<style>.x{display:none}</style><p class='a x'>%</p>",
           "<style>p#y , h1 { /* } */ display: none }</style><p id='y'>%</p>",
           "<style media='screen'>p{color:red} p.x{color:#fff}</style><p class='x'>%</p>",
           "<template><p>%</p></template>",
           "<noscript><p>%</p></noscript>",
           "<textarea style='display:none'>%</textarea>",
           "<p style='position:absolute;left:-9999px'>%</p>",
           "<p style='text-indent:-9999px'>%</p>",
           "<p style='position:absolute;clip:rect(0, 0, 0, 0)'>%</p>",
           "<div style='max-height:0;overflow:hidden'>%</div>",
           "<div style='mso-hide:all'>%</div>",
           "<div style='display:none'><p style='display:block'>%</p></div>",
       }) {
    std::string html = way;
    html.replace(html.find('%'), 1, "secret toll");
    EXPECT_EQ(hidden_in("<p>Seen</p>" + html + "<p>Seen too</p>"), "secret toll") << way;
  }
}

TEST(HiddenHtml, LooksLikeThisIfItIsShown) {
  for (const char* shown : {
           "<p>%</p>",
           "<p><del>%</del></p>",
           "<p style='color:#aaa'>%</p>",
           "<p style='opacity:0.5'>%</p>",
           "<p style='font-size:80%'>%</p>",
           "<p style='font-size:9px'>%</p>",
           "<p style='position:absolute;left:-10px'>%</p>",
           "<p style='max-height:400px;overflow:hidden'>%</p>",
           "<p style='max-height:0'>%</p>",
           "<div style='background:#222'><p style='color:#fff'>%</p></div>",
           "<div style='background:#fff url(dark.png)'><p style='color:#fff'>%</p></div>",
           "<table background='dark.png'><tr><td style='color:#fff'>%</td></tr></table>",
           "<div style='background-image:url(dark.png)'><p style='color:#fff'>%</p></div>",
           "<img src='dark.png'><p style='position:absolute;top:0;color:#fff'>%</p>",
           "<body bgcolor='black'><p style='color:white'>%</p>",
           "<body bgcolor='white'><p style='color:var(--ink)'>%</p>",
           "<link rel='stylesheet' href='a.css'><p style='color:#fff'>%</p>",
           "<div style='visibility:hidden'><p style='visibility:visible'>%</p></div>",
           "<div style='font-size:0'><p style='font-size:12px'>%</p></div>",
           "<style>.x{display:none} .x{display:block}</style><p class='x'>%</p>",
           "<style>.x{display:none} p#y{display:block}</style><p id='y' class='x'>%</p>",
           "<style>.x{display:none}</style><p class='x' style='display:block'>%</p>",
           // rules that may apply, or not
           "<style>.x{display:none} .x:hover{display:block}</style><p class='x'>%</p>",
           "<style>.x{display:none} .open .x{display:block}</style><p class='x'>%</p>",
           "<style>.a .x{display:none}</style><p class='x'>%</p>",
           "<style>@media print{.x{display:none}}</style><p class='x'>%</p>",
           "<style media='print'>.x{display:none}</style><p class='x'>%</p>",
           "<style>[data-x]{display:none} xx{display:none} .xy{display:none}</style>"
           "<p class='x' data-x='1'>%</p>",
           "<style>.dark{background:#000}</style><div class='dark'><p style='color:#fff'>%</p>",
           "<style>.no > div{background:#000}</style><div><p style='color:#fff'>%</p></div>",
       }) {
    std::string html = shown;
    html.replace(html.rfind('%'), 1, "public toll");
    EXPECT_EQ(hidden_in(html), "") << shown;
  }
}

TEST(HiddenHtml, LeavesScriptsAndBlanksUncounted) {
  EXPECT_EQ(hidden_in("<script>secret()</script><p hidden> &nbsp; </p><p>Seen</p>"), "");
}

TEST(HiddenHtml, IsLeftOutOfMailAndReported) {
  const Markup mail = to_markup(
      "a.eml",
      "From: a@example.org\nSubject: toll\nContent-Type: text/html; charset=utf-8\n\n<html><head>"
      "<style>.pre{display:none}</style></head><body><div class='pre'>Open me  now</div>"
      "<p>The toll is 20 crowns.</p></body></html>\n");
  EXPECT_TRUE(has(mail.xhtml, "20 crowns")) << mail.xhtml;
  EXPECT_FALSE(has(mail.xhtml, "Open me")) << mail.xhtml;
  EXPECT_EQ(mail.hidden, "Open me now");
}

TEST(HiddenHtml, IsTakenOutOfFilesThatHideSomething) {
  const fineprint::testing::TempDir dir;
  EXPECT_FALSE(shown_html(dir.write("a.html", "<p>The toll is 20 crowns.</p>")));
  EXPECT_FALSE(shown_html(dir.write("a.txt", "<p hidden>The toll is 20 crowns.</p>")));
  const auto shown =
      shown_html(dir.write("b.htm", "<p>Größe: 20</p><p hidden>One</p><p hidden>Two</p>"));
  ASSERT_TRUE(shown);
  EXPECT_EQ(shown->hidden, "One\nTwo");
  EXPECT_TRUE(has(shown->html, "Gr&ouml;&szlig;e: 20")) << shown->html;
  EXPECT_FALSE(has(shown->html, "Two")) << shown->html;
}

TEST(HiddenHtml, PicturesInOtherFilesAreTakenOut) {
  const fineprint::testing::TempDir dir;
  const std::string own = R"(<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">)";
  EXPECT_FALSE(shown_html(dir.write("a.html", "<p>Own</p>" + own)));
  const auto shown = shown_html(
      dir.write("b.html", R"(<p>Text</p><img src="logo.svg"><div><img alt="x"></div>)" + own));
  ASSERT_TRUE(shown);
  EXPECT_FALSE(has(shown->html, "logo.svg")) << shown->html;
  EXPECT_FALSE(has(shown->html, "alt=")) << shown->html;
  EXPECT_TRUE(has(shown->html, "data:image/gif")) << shown->html;
  EXPECT_EQ(shown->hidden, "");
}

TEST(CssValues, AreReadOrRefused) {
  EXPECT_EQ(css_pixels("12pt", -1), 16);
  EXPECT_EQ(css_pixels(" -9999PX", -1), -1);  // values come in lower case
  EXPECT_EQ(css_pixels("auto", -1), -1);
  EXPECT_EQ(css_pixels("0", -1), 0);
  int rgb[3] = {};
  EXPECT_TRUE(css_color("#0af", rgb));
  EXPECT_EQ(rgb[1], 0xAA);
  EXPECT_TRUE(css_color("rgb(1, 2,3)", rgb));
  EXPECT_EQ(rgb[2], 3);
  for (const char* other : {"", "#12", "#12345", "#ggg", "rgb(1,2)", "rgb(1,2,300)", "hotpink?"}) {
    EXPECT_FALSE(css_color(other, rgb)) << other;
  }
}

}  // namespace
}  // namespace fineprint::markup
