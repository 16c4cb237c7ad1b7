// Which answers are kept, for which questions, and for how long.
#include "server/kept_answers.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

#include "support/fake_encoders.h"
#include "support/small_store.h"

namespace fineprint::server {
namespace {

constexpr std::int64_t kPlenty = 1'000'000;

Answer answer_of(const std::string& text) {
  Answer answer;
  answer.question = "Who audits?";
  answer.answer = text;
  answer.answerable = true;
  answer.usage.ms = 123;
  return answer;
}

class KeptAnswersTest : public ::testing::Test {
 protected:
  KeptAnswersTest() { a_ = store_.put("a.pdf", {testing::typed_page({"x"})}); }

  std::shared_ptr<const session::Session> open() const {
    return std::make_shared<const session::Session>(
        store_.store(), session::SessionOptions{},
        std::make_unique<testing::FakeEncoders>(std::map<std::string, testing::FakeModel>{}));
  }

  testing::SmallStore store_;
  std::int64_t a_ = 0;
};

TEST_F(KeptAnswersTest, AreGivenAgainAsTheyWere) {
  KeptAnswers kept(kPlenty);
  const auto session = open();
  EXPECT_FALSE(kept.find(session, "key"));
  kept.keep(session, "key", answer_of("Tern"), {{"search", 7, R"({"k":10})", "found 10"}});
  const auto found = kept.find(session, "key");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->answer.answer, "Tern");
  EXPECT_EQ(found->answer.usage.ms, 123);
  ASSERT_EQ(found->steps.size(), 1U);
  EXPECT_EQ(found->steps[0].step, "search");
  EXPECT_EQ(found->steps[0].fields, R"({"k":10})");
  EXPECT_FALSE(kept.find(session, "another"));
}

TEST_F(KeptAnswersTest, BelongToOneStateOfTheStore) {
  KeptAnswers kept(kPlenty);
  const auto before = open(), after = open();
  kept.find(before, "key");
  kept.keep(before, "key", answer_of("old"));
  EXPECT_FALSE(kept.find(after, "key"));
  kept.keep(before, "key", answer_of("late"));  // of a question that began before the change
  EXPECT_FALSE(kept.find(after, "key"));
  kept.keep(after, "key", answer_of("new"));
  EXPECT_EQ(kept.find(after, "key")->answer.answer, "new");
  EXPECT_EQ(kept.size().answers, 1U);
}

TEST_F(KeptAnswersTest, AreNotThoseThatFailedOrWereCutShort) {
  KeptAnswers kept(kPlenty);
  const auto session = open();
  kept.find(session, "key");
  Answer cut = answer_of("half");
  cut.limit = "the time limit of 1 s was reached";
  kept.keep(session, "key", cut);
  Answer failed = answer_of("none");
  failed.error.emplace();
  kept.keep(session, "key", failed);
  kept.keep(session, "", answer_of("with a picture"));
  EXPECT_EQ(kept.size().answers, 0U);
}

// While questions still make vectors, a later question may find more.
TEST_F(KeptAnswersTest, AreNotThoseFromAnUnfinishedIndex) {
  store_.register_set("text", store::VectorUnit::chunk, 2);
  KeptAnswers kept(kPlenty);
  const auto unfinished = open();
  kept.find(unfinished, "key");
  kept.keep(unfinished, "key", answer_of("Tern"));
  EXPECT_FALSE(kept.find(unfinished, "key"));
  store_.put_vectors("text", a_, {{{1, 0}}});
  const auto whole = open();
  kept.find(whole, "key");
  kept.keep(whole, "key", answer_of("Tern"));
  EXPECT_TRUE(kept.find(whole, "key"));
}

TEST_F(KeptAnswersTest, AreNotThoseFromADamagedIndex) {
  store_.register_set("text", store::VectorUnit::chunk, 2);
  store_.put_vectors("text", a_, {{{1, 0}}});
  const std::filesystem::path vectors = std::filesystem::path(store_.store().dir()) / "vectors";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(vectors)) {
    if (entry.is_regular_file()) std::filesystem::resize_file(entry.path(), 1);
  }
  KeptAnswers kept(kPlenty);
  const auto damaged = open();
  ASSERT_THROW(damaged->vectors("text"), Error);
  kept.find(damaged, "key");
  EXPECT_NO_THROW(kept.keep(damaged, "key", answer_of("by words alone")));
  EXPECT_FALSE(kept.find(damaged, "key"));
}

TEST_F(KeptAnswersTest, GiveWayToThoseThatAreAskedFor) {
  KeptAnswers few(kPlenty, 2);
  const auto session = open();
  few.find(session, "a");
  few.keep(session, "a", answer_of("1"));
  few.keep(session, "b", answer_of("2"));
  few.find(session, "a");
  few.keep(session, "c", answer_of("3"));
  EXPECT_TRUE(few.find(session, "a"));
  EXPECT_FALSE(few.find(session, "b"));
  EXPECT_TRUE(few.find(session, "c"));
}

TEST_F(KeptAnswersTest, TakeNoMoreThanTheirBytes) {
  KeptAnswers small(100'000);
  const auto session = open();
  small.find(session, "");
  small.keep(session, "huge", answer_of(std::string(20'000, 'x')));
  EXPECT_EQ(small.size().answers, 0U);
  for (int i = 0; i < 100; ++i) {
    small.keep(session, std::to_string(i), answer_of(std::string(3'000, 'x')));
    EXPECT_LE(small.size().bytes, 100'000);
  }
  EXPECT_GE(small.size().answers, 10U);
  EXPECT_LT(small.size().answers, 40U);
  EXPECT_TRUE(small.find(session, "99"));
  KeptAnswers none(0);
  none.find(session, "key");
  none.keep(session, "key", answer_of("Tern"));
  EXPECT_EQ(none.size().answers, 0U);
}

TEST(KeptKey, HasAllThatDecides) {
  const AskRequest plain{.question = "Who audits?"};
  const std::string key = kept_key(plain, "extractive", false);
  EXPECT_EQ(kept_key(plain, "extractive", false), key);
  EXPECT_NE(kept_key(plain, "textrag", false), key);
  EXPECT_NE(kept_key(plain, "extractive", true), key);
  std::vector<AskRequest> others(6, plain);
  others[0].question = "Who audited?";
  others[1].docs = {"a.pdf"};
  others[2].trace = true;
  others[3].earlier = {{.question = "Who?"}};
  others[4].earlier = {{.question = "Who?", .answer = "Tern"}};
  others[5].earlier = {{.question = "Who?", .docs = {"Tern"}}};
  std::set<std::string> keys = {key};
  for (const AskRequest& other : others) keys.insert(kept_key(other, "extractive", false));
  EXPECT_EQ(keys.size(), others.size() + 1);
  AskRequest timed = plain;
  timed.seconds = 3;
  EXPECT_EQ(kept_key(timed, "extractive", false), key);
  AskRequest sent = plain;
  sent.files = {{"a.pdf", std::make_shared<const std::string>("x")}};
  EXPECT_EQ(kept_key(sent, "extractive", false), "");
  sent = plain;
  sent.pictures = {{"a.png", std::make_shared<const std::string>("x")}};
  EXPECT_EQ(kept_key(sent, "extractive", false), "");
}

}  // namespace
}  // namespace fineprint::server
