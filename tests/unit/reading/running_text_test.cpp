// Converted files on pages: slides have a page each, and tables have their head on each.
#include <string>

#include <gtest/gtest.h>

#include "fineprint/markup/markup.h"
#include "fineprint/pdf/document.h"

#include "support/office_package.h"

namespace fineprint::reading {
namespace {

// Returns the pages of a file's text, each as its words.
std::vector<std::string> pages_of(const std::string& name, const std::string& bytes) {
  markup::Markup text = markup::to_markup(name, bytes);
  pdf::Document document(name, {.bytes = std::move(text.xhtml),
                                .kind = "xhtml",
                                .width_pt = text.width_pt,
                                .pages = text.pages});
  std::vector<std::string> out;
  for (int number = 1; number <= document.info().page_count; ++number) {
    std::string words;
    for (const Word& word : document.page(number).words) words += word.text + " ";
    out.push_back(words);
  }
  return out;
}

std::string slide(const std::string& text, int times) {
  std::string out = "<p:sp><p:txBody>";
  for (int i = 0; i < times; ++i) out += "<a:p><a:r><a:t>" + text + "</a:t></a:r></a:p>";
  return out + "</p:txBody></p:sp>";
}

TEST(RunningText, ASlideIsAPageWhateverItsLength) {
  const auto pages = pages_of(
      "a.pptx",
      fineprint::testing::pptx({slide("first", 1), slide("long", 300), "", slide("last", 2)}));
  ASSERT_EQ(pages.size(), 4U);
  EXPECT_EQ(pages[0], "first ");
  EXPECT_EQ(pages[1].size(), 300 * std::string("long ").size());
  EXPECT_EQ(pages[3], "last last ");
}

TEST(RunningText, TheHeadOfATableIsAtTheTopOfEachPage) {
  std::string csv = "Port,Tons\n";
  for (int i = 0; i < 200; ++i) csv += "Hull," + std::to_string(i) + "\n";
  const auto pages = pages_of("a.csv", csv);
  ASSERT_GE(pages.size(), 4U);
  for (const std::string& page : pages) {
    EXPECT_TRUE(page.starts_with("Port Tons ")) << page;
    EXPECT_EQ(page.find("Port", 4), std::string::npos) << page;
  }
}

}  // namespace
}  // namespace fineprint::reading
