// Which encoder a session opens for a set of vectors, and when it refuses.
#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/session/context.h"

#include "support/fake_encoders.h"
#include "support/small_store.h"
#include "support/temp_dir.h"

namespace fineprint::session {
namespace {

using testing::EncoderCounts;
using testing::FakeEncoders;
using testing::FakeModel;

FakeModel model(const std::string& hash) { return {hash, {{"q", {{1, 0}}}, {"r", {{0, 1}}}}}; }

// The sets "text" of the model text-hash and "page" of page-hash, whose SPECs are remembered.
class SessionTest : public ::testing::Test {
 protected:
  SessionTest() {
    for (const std::string kind : {"text", "page"}) {
      store::VectorSet set;
      set.name = set.kind = kind;
      set.unit = kind == "text" ? store::VectorUnit::chunk : store::VectorUnit::page;
      set.model = kind + "-model";
      set.hash = kind + "-hash";
      set.spec = kind + "-spec";
      set.dim = 2;
      store_.register_set(set);
    }
  }

  std::unique_ptr<FakeEncoders> encoders(std::map<std::string, FakeModel> models) {
    return std::make_unique<FakeEncoders>(std::move(models), &counts_);
  }

  std::string problem_of(const Session& session, ErrorCode code, const std::string& set = "text") {
    try {
      session.encoder(set);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code);
      return error.what();
    }
    return "";
  }

  testing::SmallStore store_;
  EncoderCounts counts_;
};

TEST_F(SessionTest, OpensTheRememberedModelOnce) {
  const Session session(store_.store(), {}, encoders({{"text-spec", model("text-hash")}}));
  EXPECT_EQ(session.encoder("text").hash(), "text-hash");
  EXPECT_EQ(&session.encoder("text"), &session.encoder("text"));
  EXPECT_EQ(counts_.opened, 1);
  EXPECT_EQ(counts_.hashes, 0);
}

TEST_F(SessionTest, RefusesARememberedModelThatChanged) {
  const Session session(store_.store(), {}, encoders({{"text-spec", model("other")}}));
  const std::string problem = problem_of(session, ErrorCode::model);
  EXPECT_NE(problem.find("\"text\" were made by text-model (text-hash), not by fake-other (other)"),
            std::string::npos)
      << problem;
}

TEST_F(SessionTest, ARetrieverServesTheSetsThatItMade) {
  const Session session(
      store_.store(), {.retrievers = {"here"}},
      encoders({{"here", model("page-hash")}, {"text-spec", model("text-hash")}}));
  EXPECT_EQ(session.encoder("page").hash(), "page-hash");
  EXPECT_EQ(session.encoder("text").hash(), "text-hash");
  EXPECT_EQ(counts_.hashes, 1);
}

TEST_F(SessionTest, ARetrieverThatIsNotThereStaysAnError) {
  const Session session(store_.store(), {.retrievers = {"nowhere"}},
                        encoders({{"text-spec", model("text-hash")}}));
  for (int i = 0; i < 2; ++i) EXPECT_FALSE(problem_of(session, ErrorCode::model).empty());
}

// A store from somebody else must not decide where questions and the API key are sent.
TEST_F(SessionTest, AsksNoServerThatOnlyTheStoreNames) {
  const std::string address = "openai:http://far/v1#m";
  store::VectorSet set;
  set.name = set.kind = "page";
  set.name += "-2";
  set.unit = store::VectorUnit::page;
  set.model = "m";
  set.hash = "served-hash";
  set.spec = "page:" + address;
  set.dim = 2;
  store_.register_set(set);
  const std::map<std::string, FakeModel> models = {
      {set.spec, model("served-hash")}, {"openai:http://near/v1#m", model("served-hash")}};
  const Session unnamed(store_.store(), {}, encoders(models));
  const std::string problem = problem_of(unnamed, ErrorCode::usage, "page-2");
  EXPECT_NE(problem.find("--retriever page:" + address), std::string::npos) << problem;
  EXPECT_EQ(counts_.opened, 0);
  const Session named(store_.store(), {.retrievers = {"openai:http://near/v1#m"}},
                      encoders(models));
  EXPECT_EQ(named.encoder("page-2").hash(), "served-hash");
}

TEST_F(SessionTest, RefusesVectorsOfAnotherLength) {
  const FakeModel wide = {"text-hash", {{"q", {{1, 0, 0}}}}};
  const Session session(store_.store(), {}, encoders({{"text-spec", wide}}));
  try {
    session.embed_query("text", "q");
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::model);
    EXPECT_NE(std::string(error.what()).find("vectors of 3 values"), std::string::npos)
        << error.what();
  }
}

TEST_F(SessionTest, RefusesARetrieverThatMadeNoSet) {
  const Session session(store_.store(), {.retrievers = {"here", "wrong"}},
                        encoders({{"here", model("text-hash")}, {"wrong", model("other")}}));
  for (int i = 0; i < 2; ++i) {
    const std::string problem = problem_of(session, ErrorCode::model);
    EXPECT_NE(problem.find("made by wrong (other), but \"page\" by page-model (page-hash)"),
              std::string::npos)
        << problem;
  }
}

TEST_F(SessionTest, ASetThatIsNotThereSaysHowToMakeIt) {
  const Session session(store_.store(), {}, encoders({}));
  EXPECT_NE(problem_of(session, ErrorCode::store, "late").find("--retriever"), std::string::npos);
  EXPECT_THROW(session.vectors("late"), Error);
}

TEST_F(SessionTest, AQuestionIsEmbeddedOnce) {
  const Session session(store_.store(), {}, encoders({{"text-spec", model("text-hash")}}));
  EXPECT_EQ(session.embed_query("text", "q").values, (std::vector<float>{1, 0}));
  EXPECT_EQ(session.embed_query("text", "q").values, (std::vector<float>{1, 0}));
  EXPECT_EQ(counts_.texts, 1);
  EXPECT_EQ(session.embed({"q", "r"}).values, (std::vector<float>{1, 0, 0, 1}));
}

TEST_F(SessionTest, QuestionsAtTheSameTimeShareTheThreads) {
  const Session session(store_.store(), {.model = {.device = {"cpu", "auto", 8}}}, encoders({}));
  const ScanThreads one(session.models());
  EXPECT_EQ(one.count(), 8);
  {
    const ScanThreads two(session.models());
    EXPECT_EQ(two.count(), 4);
  }
  EXPECT_EQ(ScanThreads(session.models()).count(), 4);
}

TEST_F(SessionTest, WithoutAGeneratorSaysWhichFlagNamesOne) {
  const Session session(store_.store(), {}, encoders({}));
  EXPECT_TRUE(session.models().loaded_generators().empty());
  try {
    session.generator();
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_NE(std::string(error.what()).find("--generator"), std::string::npos);
  }
}

TEST_F(SessionTest, TheGeneratorIsLoadedAtItsFirstUse) {
  testing::TempDir dir;
  SessionOptions options;
  options.generator = "script:" + dir.file("replies.jsonl");
  const Session session(store_.store(), options, encoders({}));
  EXPECT_THROW(session.generator(), Error);  // the file is not there yet
  EXPECT_TRUE(session.models().loaded_generators().empty());
  dir.write("replies.jsonl", R"({"agent": "a", "reply": "yes"})");
  const models::Generator& generator = session.generator();
  models::Request request;
  request.agent = "a";
  EXPECT_EQ(generator.generate(request, {}).text, "yes");
  EXPECT_EQ(&session.generator(), &generator);
  EXPECT_EQ(session.models().loaded_generators().at(""), &generator);
}

TEST_F(SessionTest, AnAgentMayHaveAGeneratorOfItsOwn) {
  testing::TempDir dir;
  dir.write("common.jsonl", R"({"agent": "a", "reply": "yes"})");
  dir.write("own.jsonl", R"({"agent": "a", "reply": "no"})");
  const std::string own = "script:" + dir.file("own.jsonl");
  SessionOptions options;
  options.generator = "script:" + dir.file("common.jsonl");
  options.agent_generators = {"a.text=nowhere", "a.text=" + own, "a.judge=" + own};
  const Session session(store_.store(), options, encoders({}));
  models::Request request;
  request.agent = "a";
  EXPECT_EQ(session.generator("a.image").generate(request, {}).text, "yes");
  EXPECT_EQ(session.generator("a.text").generate(request, {}).text, "no");
  // One model, loaded once, whoever asks it.
  EXPECT_EQ(&session.generator("a.text"), &session.generator("a.judge"));
  EXPECT_EQ(&session.generator(), &session.generator("a.image"));
  EXPECT_EQ(session.models().loaded_generators().size(), 3);
  // An agent has one model, in whatever form it is asked.
  for (const char* form : {"a.text_free", "a.judge_json", "a.judge_zoom", "a.judge_draft"}) {
    EXPECT_EQ(&session.generator(form), &session.generator("a.text")) << form;
  }
  EXPECT_EQ(&session.generator("a.image_text"), &session.generator());
}

TEST(AgentNames, AreWithoutTheForm) {
  EXPECT_EQ(agent_without_form("mdocagent.text_free"), "mdocagent.text");
  EXPECT_EQ(agent_without_form("hkrag.decoupler_mine_text"), "hkrag.decoupler_mine");
  EXPECT_EQ(agent_without_form("hkrag.decoupler_separate"), "hkrag.decoupler_separate");
  EXPECT_EQ(agent_without_form("mdocagent.text"), "mdocagent.text");
}

// As a server would do it whose store was indexed into between two questions.
TEST_F(SessionTest, AStoreThatChangedIsOpenedAnewWithTheModelsThatAreLoaded) {
  const Models models(
      {.retrievers = {"here"}},
      {.encoders = encoders({{"here", model("page-hash")}, {"text-spec", model("text-hash")}})});
  const Page page = testing::typed_page({"x"});
  store_.put("a.pdf", {page});
  const models::Encoder* before = nullptr;
  {
    const Session session(store_.store(), models);
    EXPECT_EQ(session.corpus().page_count(), 1U);
    before = &session.encoder("page");
    EXPECT_EQ(session.embed_query("text", "q").values, (std::vector<float>{1, 0}));
    store_.put("b.pdf", {page, page});
    EXPECT_EQ(session.corpus().page_count(), 1U) << "numbers of pages do not move under a question";
  }
  const store::Store reader(store_.store().dir(), store::Mode::read);
  const Session session(reader, models);
  EXPECT_EQ(session.corpus().page_count(), 3U);
  EXPECT_EQ(session.vectors("page").unit_count(), 3U);
  EXPECT_EQ(&session.encoder("page"), before);
  EXPECT_EQ(session.embed_query("text", "q").values, (std::vector<float>{1, 0}));
  EXPECT_EQ(counts_.opened, 2) << "each of the two encoders once";
  EXPECT_EQ(counts_.hashes, 1);
  EXPECT_EQ(counts_.texts, 1) << "what was embedded is remembered";
}

TEST_F(SessionTest, TwoSessionsShareOneGenerator) {
  testing::TempDir dir;
  SessionOptions options;
  options.generator = "script:" + dir.write("replies.jsonl", R"({"agent": "a", "reply": "yes"})");
  const Models models(options, {.encoders = encoders({})});
  const Session one(store_.store(), models), two(store_.store(), models);
  EXPECT_EQ(&one.generator(), &two.generator());
}

TEST_F(SessionTest, VectorsOfElementsThatAreNotThereAreToldWithTheRemedy) {
  const Session session(store_.store(), {}, encoders({}));
  const std::string problem = problem_of(session, ErrorCode::store, "page-elements");
  EXPECT_NE(problem.find("--map heuristic --elements"), std::string::npos) << problem;
  EXPECT_NE(problem_of(session, ErrorCode::store, "late-elements").find("--retriever"),
            std::string::npos);
}

TEST(VectorView, NumbersElements) {
  testing::SmallStore store;
  const Page page = testing::typed_page({"x"});
  const std::int64_t a = store.put("a.pdf", {page, page});
  const std::int64_t b = store.put("b.pdf", {page});
  store.put_map(a, {"maker", "{}", {1, 2}});
  store.put_map(b, {"maker", "{}", {1, 1}});
  store.register_set("late-elements", store::VectorUnit::element, 2, true);
  store.put_vectors("late-elements", b, {{{3, 0}, {0, 4}}});
  const Session session(store.store(), {},
                        std::make_unique<FakeEncoders>(std::map<std::string, FakeModel>{}));
  const VectorView& view = session.vectors("late-elements");
  EXPECT_EQ(view.unit_count(), 4U);
  EXPECT_EQ(view.missing(), 3U);
  ASSERT_NE(view.find(UnitId(2)), nullptr);
  EXPECT_EQ(view.find(UnitId(3)), nullptr);
  EXPECT_EQ(view.page_of(UnitId(1)), PageId(1));
  EXPECT_EQ(view.page_of(UnitId(2)), PageId(2));
  EXPECT_EQ(view.page_of(UnitId(3)), PageId(2));
}

TEST(VectorView, NumbersUnitsAndCountsWhatIsMissing) {
  testing::SmallStore store;
  const Page page = testing::typed_page({"x"});
  store.put("a.pdf", {page, page});
  const std::int64_t b = store.put("b.pdf", {page, page, page});
  store.register_set("late", store::VectorUnit::page, 2, true);
  store.put_vectors("late", b, {{{3, 0}, {0, 4}}, {{0, 2}}});  // not the third page
  const Session session(store.store(), {},
                        std::make_unique<FakeEncoders>(std::map<std::string, FakeModel>{}));
  const VectorView& view = session.vectors("late");
  EXPECT_EQ(view.unit_count(), 5U);
  EXPECT_EQ(view.missing(), 3U);
  EXPECT_EQ(view.find(UnitId(0)), nullptr);
  EXPECT_EQ(view.find(UnitId(4)), nullptr);
  ASSERT_NE(view.find(UnitId(3)), nullptr);
  EXPECT_EQ(view.find(UnitId(3)), view.find(UnitId(2)));
  EXPECT_EQ(view.find(UnitId(2))->first_unit, UnitId(2));
  EXPECT_EQ(view.find(UnitId(2))->document, DocumentId(1));
  EXPECT_EQ(&session.vectors("late"), &view);
  const Matrix& means = view.means(2);
  ASSERT_EQ(means.rows, 5U);
  EXPECT_FLOAT_EQ(means.row(2)[0], 0.6F);
  EXPECT_FLOAT_EQ(means.row(2)[1], 0.8F);
  EXPECT_FLOAT_EQ(means.row(3)[1], 1);
  EXPECT_EQ(means.row(4)[1], 0);
}

}  // namespace
}  // namespace fineprint::session
