// Tests that a session refuses to compare vectors of two models.
#include <gtest/gtest.h>

#include "fineprint/session/context.h"

#include "support/model_folder.h"

namespace fineprint::session {
namespace {

constexpr const char* kModel = FINEPRINT_TEST_DATA "/bert_mean_a/model";

store::VectorSet text_set(const std::string& model, const std::string& hash) {
  store::VectorSet set;
  set.name = set.kind = "text";
  set.model = model;
  set.hash = hash;
  set.spec = kModel;
  set.dim = 64;
  return set;
}

TEST(Session, LoadsTheEncoderOnceAndAcceptsItsOwnStore) {
  const testing::TempDir dir;
  const std::string hash = load_text_encoder(kModel, {})->hash();
  store::Store store(dir.file("store"), store::Mode::write);
  store.register_set(text_set("model", hash));
  for (const std::vector<std::string>& retrievers : {{}, std::vector<std::string>{kModel}}) {
    const Session session(store, {.retrievers = retrievers});
    EXPECT_EQ(session.encoder("text").hash(), hash);
    EXPECT_EQ(&session.encoder("text"), &session.encoder("text"));
    EXPECT_EQ(session.embed({"one", "two"}).rows, 2U);
    EXPECT_EQ(session.embed_query("text", "one").values.size(), 64U);
  }
}

TEST(Session, RefusesAStoreOfAnotherModel) {
  const testing::TempDir dir;
  store::Store store(dir.file("store"), store::Mode::write);
  store.register_set(text_set("another-model", "0123"));
  for (const std::vector<std::string>& retrievers : {{}, std::vector<std::string>{kModel}}) {
    const Session session(store, {.retrievers = retrievers});
    const std::string message = testing::model_error([&] { session.encoder("text"); });
    EXPECT_NE(message.find("another-model (0123)"), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace fineprint::session
