// What a store holds of each document.
#include "fineprint/exchange/holdings.h"

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/json.h"

#include "support/small_store.h"

namespace fineprint::exchange {
namespace {

using fineprint::testing::SmallStore;
using fineprint::testing::typed_page;

TEST(Holdings, VectorsAreCountedAndMissed) {
  SmallStore store;
  const auto id = store.put("a.pdf", {typed_page({"one"}), typed_page({"two"})});
  store.put("b.pdf", {typed_page({"three"})});
  store.register_set("page", store::VectorUnit::page, 2);
  store.put_vectors("page", id, {{{1, 0}}});
  store.put_map(id, {"maker", "{}"});
  const Collection found = collection(store.store(), {});
  ASSERT_EQ(found.documents.size(), 2U);
  EXPECT_EQ(found.documents[0].sets.at("page").vectors, 1);
  EXPECT_EQ(found.documents[0].sets.at("page").missing, 1);
  EXPECT_TRUE(found.documents[0].has_map);
  EXPECT_EQ(found.documents[1].sets.at("page").vectors, 0);
  EXPECT_EQ(found.documents[1].sets.at("page").missing, 1);
  const Json record = describe(found.documents[0]);
  EXPECT_EQ(record["status"], "indexed");
  EXPECT_EQ(record["sets"], Json::parse(R"({"page": {"vectors": 1, "missing": 1}})"));
}

TEST(Holdings, PagesThatWereNotReadAreTold) {
  SmallStore store;
  Page bad = typed_page({"half"});
  bad.problem = "timed_out: not read within 120 seconds";
  store.put("a.pdf", {typed_page({"one"}), bad});
  const Collection found = collection(store.store(), {});
  EXPECT_EQ(found.documents[0].problem_pages, std::vector<int>{2});
  EXPECT_EQ(describe(found.documents[0])["status"], "partly");
  EXPECT_EQ(describe(found.documents[0])["problem"], bad.problem);
}

TEST(Holdings, APatternMayMeanAFileThatCouldNotBeRead) {
  const testing::TempDir dir;
  store::Store store(dir.file("s"), store::Mode::write);
  store.put_unread({.doc = "sub/torn.pdf",
                    .path = "/docs/sub/torn.pdf",
                    .settings = "",
                    .stamp = {},
                    .code = ErrorCode::damaged,
                    .message = "torn"});
  const Collection found = collection(store, {.docs = {"torn.pdf"}});
  EXPECT_TRUE(found.documents.empty());
  ASSERT_EQ(found.failures.size(), 1U);
  EXPECT_EQ(describe(found.failures[0])["code"], "damaged");
  EXPECT_THROW(collection(store, {.docs = {"other.pdf"}}), Error);
}

}  // namespace
}  // namespace fineprint::exchange
