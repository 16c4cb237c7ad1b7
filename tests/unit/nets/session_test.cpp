// Tests that a session refuses to compare vectors of two models.
#include <gtest/gtest.h>

#include "fineprint/session/context.h"

#include "support/model_folder.h"

namespace fineprint::session {
namespace {

constexpr const char* kModel = FINEPRINT_TEST_DATA "/bert_mean_a/model";

TEST(Session, LoadsTheEncoderOnceAndAcceptsItsOwnStore) {
  const testing::TempDir dir;
  const std::string hash = load_text_encoder(kModel, {})->hash();
  store::Store store(dir.file("store"), store::Mode::write);
  store.register_model({"text", "model", hash, 64});
  const Session session(store, {.retriever = kModel, .device = {}});
  EXPECT_EQ(session.text_encoder().hash(), hash);
  EXPECT_EQ(&session.text_encoder(), &session.text_encoder());
}

TEST(Session, RefusesAStoreOfAnotherModel) {
  const testing::TempDir dir;
  store::Store store(dir.file("store"), store::Mode::write);
  store.register_model({"text", "another-model", "0123", 64});
  const Session session(store, {.retriever = kModel, .device = {}});
  const std::string message = testing::model_error([&] { session.text_encoder(); });
  EXPECT_NE(message.find("made by another-model (0123)"), std::string::npos) << message;
}

}  // namespace
}  // namespace fineprint::session
