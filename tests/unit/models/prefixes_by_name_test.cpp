// The prefixes of encoders of which only the name is known.
#include <gtest/gtest.h>

#include "fineprint/models/prefixes.h"

namespace fineprint::models {
namespace {

TEST(PrefixesByName, KnowsNamesOfServers) {
  EXPECT_EQ(prefixes_by_name("intfloat/e5-base-v2", {}).query, "query: ");
  EXPECT_EQ(prefixes_by_name("nomic-embed-text", {}).passage, "search_document: ");
  EXPECT_EQ(prefixes_by_name("nomic-embed-text:latest", {}).query, "search_query: ");
  EXPECT_EQ(prefixes_by_name("bge-m3:latest", {}).query, "");
  EXPECT_EQ(prefixes_by_name("text-embedding-3-small", {}).passage, "");
}

TEST(PrefixesByName, TakesThoseThatAreGiven) {
  const TextPrefixes given =
      prefixes_by_name("intfloat/e5-base-v2", {.query = "none", .passage = "P "});
  EXPECT_EQ(given.query, "");
  EXPECT_EQ(given.passage, "P ");
}

}  // namespace
}  // namespace fineprint::models
