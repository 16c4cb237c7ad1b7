// Addresses of pages.
#include "server/links.h"

#include <gtest/gtest.h>

namespace fineprint::server {
namespace {

TEST(Links, NameEveryDocument) {
  for (const char* doc : {"a.pdf", "folder/b c.pdf", "100%.pdf", "ä#?&=.pdf", "..", "a\nb"}) {
    const PageRef page{doc, 7};
    EXPECT_EQ(parse_page_uri(page_uri(page)), page) << doc;
  }
  EXPECT_EQ(page_uri({"folder/b c.pdf", 2}), "fineprint://page/folder%2Fb%20c.pdf/2");
}

TEST(Links, OtherAddressesNameNoPage) {
  for (const char* uri :
       {"", "fineprint://page/", "fineprint://page/a.pdf", "fineprint://page/a.pdf/",
        "fineprint://page//1", "fineprint://page/a.pdf/0", "fineprint://page/a.pdf/-1",
        "fineprint://page/a.pdf/1x", "fineprint://page/a.pdf/99999999999", "fineprint://page/%/1",
        "fineprint://page/%4/1", "fineprint://page/%zz/1", "file:///etc/passwd",
        "fineprint://page/a/b/1"}) {
    EXPECT_EQ(parse_page_uri(uri), std::nullopt) << uri;
  }
}

TEST(Links, LeadToTheQuoteWhereItStandsOnThePage) {
  Citation citation{.page = {"a b.pdf", 2}, .quote = "5 % & more", .boxes = {}, .score = 1};
  EXPECT_EQ(page_link(citation), "/#doc=a%20b.pdf&page=2");
  citation.boxes = {{0, 0, 1, 1}};
  EXPECT_EQ(page_link(citation), "/#doc=a%20b.pdf&page=2&mark=5%20%25%20%26%20more");
}

}  // namespace
}  // namespace fineprint::server
