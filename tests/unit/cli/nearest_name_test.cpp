// Misspelt names.
#include "cli/nearest_name.h"

#include <gtest/gtest.h>

namespace fineprint::cli {
namespace {

TEST(NearestName, IsFoundByAFewLetters) {
  const std::vector<std::string> names = {"index", "search", "ask",
                                          "batch", "--json", "--pipeline"};
  EXPECT_EQ(nearest_name("serach", names), "search");   // exchanged
  EXPECT_EQ(nearest_name("searh", names), "search");    // missing
  EXPECT_EQ(nearest_name("seaarch", names), "search");  // too many
  EXPECT_EQ(nearest_name("batsh", names), "batch");     // wrong
  EXPECT_EQ(nearest_name("aks", names), "ask");
  EXPECT_EQ(nearest_name("--jsno", names), "--json");
  EXPECT_EQ(nearest_name("-jsno", names), "--json");
  EXPECT_EQ(nearest_name("--piplein", names), "--pipeline");
}

TEST(NearestName, IsNoGuess) {
  const std::vector<std::string> names = {"index", "search", "ask"};
  for (const char* typed : {"", "x", "question", "zyzzyva", "reset"}) {
    EXPECT_EQ(nearest_name(typed, names), std::nullopt) << typed;
  }
  EXPECT_EQ(nearest_name(std::string(1'000'000, 'a'), names), std::nullopt);
  EXPECT_EQ(nearest_name("ask", {}), std::nullopt);
}

TEST(NearestName, TheFirstOfEquals) { EXPECT_EQ(nearest_name("late", {"lake", "gate"}), "lake"); }

}  // namespace
}  // namespace fineprint::cli
