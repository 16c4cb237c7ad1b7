// Where links lead.
#include "fetch/url.h"

#include <string>

#include <gtest/gtest.h>

namespace fineprint::fetch {
namespace {

std::string way(const std::string& folder, const std::string& url) {
  const auto found = below(folder, url);
  if (!found) return "-";
  return found->path + (found->is_folder ? "/" : "") + (found->problem.empty() ? "" : "!");
}

TEST(Urls, Links) {
  const std::string base = "https://h:8443/d/page.html";
  EXPECT_EQ(resolved(base, "a.pdf"), "https://h:8443/d/a.pdf");
  EXPECT_EQ(resolved(base, "a b.pdf#page=2"), "https://h:8443/d/a%20b.pdf");
  EXPECT_EQ(resolved(base, "/x"), "https://h:8443/x");
  EXPECT_EQ(resolved(base, "//other/x"), "https://other/x");
  EXPECT_EQ(resolved(base, "http://other/x"), "http://other/x");
  for (const char* link :
       {"javascript:alert(1)", "mailto:a@b", "file:///etc/passwd", "ftp://h/x"}) {
    EXPECT_EQ(resolved(base, link), "") << link;
  }
}

TEST(Urls, Below) {
  const std::string folder = "https://h/d%281%29/";
  EXPECT_EQ(way(folder, "https://h/d(1)/a%20b.pdf"), "a b.pdf");
  EXPECT_EQ(way(folder, "https://h:443/d%281%29/2024/"), "2024/");
  for (const char* away : {"https://h/d(1)/", "https://h/", "https://h/d(1)x/a",
                           "https://other/d(1)/a", "http://h/d(1)/a", "https://h:444/d(1)/a",
                           "https://h/d(1)/a?C=N", "https://me@h/d(1)/a", "https://h/d(1)/../a"}) {
    EXPECT_EQ(way(folder, away), "-") << away;
  }
  for (const char* bad : {"https://h/d(1)/a%2Fb", "https://h/d(1)/a//b", "https://h/d(1)/a%00b"}) {
    EXPECT_EQ(way(folder, bad).back(), '!') << bad;
  }
}

TEST(Urls, Loopback) {
  EXPECT_TRUE(is_loopback("http://127.0.0.1:9000/x"));
  EXPECT_TRUE(is_loopback("http://[::1]/"));
  EXPECT_FALSE(is_loopback("http://127.example/"));
  EXPECT_FALSE(is_loopback("no url"));
}

}  // namespace
}  // namespace fineprint::fetch
