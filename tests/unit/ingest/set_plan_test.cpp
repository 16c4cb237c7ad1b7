// Which sets a run makes and keeps: several encoders side by side, later runs, contradictions.
#include "ingest/set_plan.h"

#include <gtest/gtest.h>

#include "ingest_fixture.h"

namespace fineprint::ingest::testing {
namespace {

using Names = std::vector<std::string>;

class SetPlan : public IngestTest {
 protected:
  SetPlan() { add("docs/rotated-table.pdf", "a.pdf"); }
  std::int64_t embedded(const std::string& set) {
    const IngestReport report = run();
    const auto found = report.vectors.find(set);
    return found == report.vectors.end() ? -1 : found->second;
  }
  store::VectorSet set(const std::string& name) const {
    const store::Store store(dir_.file("s"), store::Mode::read);
    for (const auto& one : store.vector_sets()) {
      if (one.name == name) return one;
    }
    throw std::out_of_range(name);
  }
};

TEST_F(SetPlan, PutsAllKindsSideBySide) {
  options_.retrievers = {"page", "late", "late-text"};
  const IngestReport report = run();
  EXPECT_EQ(sets(), (Names{"late", "late-text", "page", "text"}));
  EXPECT_EQ(report.vectors.at("late"), 2);
  EXPECT_EQ(report.vectors.at("page"), 2);
  EXPECT_EQ(report.vectors.at("late-text"), report.vectors.at("text"));
  EXPECT_EQ(set("late-text").unit, store::VectorUnit::chunk);
  EXPECT_TRUE(set("late-text").many_vectors);
  EXPECT_EQ(set("late-text").spec, "late-text");
}

TEST_F(SetPlan, KeepsAllSetsUpToDateWithoutBeingTold) {
  options_.retrievers = {"late", "late-text"};
  run();
  options_.retrievers.clear();
  add("docs/reef-survey-paper.pdf", "b.pdf");
  const IngestReport report = run();
  EXPECT_EQ(report.vectors.at("late"), 4);
  EXPECT_GT(report.vectors.at("late-text"), 0);
  EXPECT_EQ(report.vectors.at("text"), report.vectors.at("late-text"));
}

TEST_F(SetPlan, KeepsOnlyTheScorersThatAreNamed) {
  options_.retrievers = {"late", "page"};
  run();
  options_.retrievers.clear();
  options_.scorers = {"hybrid-mask:0.5"};  // scores the set page
  add("docs/reef-survey-paper.pdf", "b.pdf");
  const IngestReport report = run();
  EXPECT_EQ(report.vectors, (std::map<std::string, std::int64_t>{{"page", 4}}));
  options_.scorers.clear();
  EXPECT_EQ(embedded("late"), 4);  // made up for
}

TEST_F(SetPlan, ListsTheScorersIfOneDoesNotExist) {
  for (const std::string scorer : {"nonsense", "nonsense:2", "late-x", "molorag"}) {
    options_.scorers = {scorer};
    try {
      run();
      FAIL() << scorer;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage);
      const std::string message = error.what();
      EXPECT_NE(message.find("bm25, text, page, hybrid-mask, late, late-text"), std::string::npos)
          << message;
    }
  }
}

TEST_F(SetPlan, AddsAnEncoderLater) {
  run();
  options_.retrievers = {"late"};
  const IngestReport report = run();
  EXPECT_EQ(report.unchanged, 1);
  EXPECT_EQ(report.vectors.at("late"), 2);
  EXPECT_EQ(report.vectors.at("text"), 0);
}

TEST_F(SetPlan, NumbersSetsOfOneKind) {
  options_.retrievers = {"late:a", "late:b"};
  run();
  EXPECT_EQ(sets(), (Names{"late", "late-2", "text"}));
  EXPECT_EQ(set("late-2").hash, "late:b");
  EXPECT_NE(vectors("late"), vectors("late-2"));
  options_.retrievers = {"late:b"};
  EXPECT_EQ(embedded("late-2"), 0);  // found again, by its hash
  options_.retrievers = {"text:other"};
  run();
  EXPECT_EQ(sets(), (Names{"late", "late-2", "text", "text-2"}));
}

TEST_F(SetPlan, TakesASentenceEncoderInPlaceOfTheDefaultOne) {
  options_.retrievers = {"text:other"};
  run();
  EXPECT_EQ(sets(), Names{"text"});
  EXPECT_EQ(set("text").spec, "text:other");
}

TEST_F(SetPlan, MakesTheDefaultSetInEightBits) {
  run();
  EXPECT_EQ(set("text").spec, "int8:");
}

// A store of an earlier program, whose default was float32.
TEST_F(SetPlan, GoesOnInFloat32WhereASetBeganSo) {
  options_.retrievers = {""};
  run();
  EXPECT_EQ(set("text").hash, "text:float32");
  options_.retrievers.clear();
  add("docs/reef-survey-paper.pdf", "b.pdf");
  EXPECT_GT(embedded("text"), 0);
  EXPECT_EQ(sets(), Names{"text"});
  EXPECT_EQ(set("text").hash, "text:float32");
}

TEST_F(SetPlan, FollowsAModelThatMoved) {
  options_.retrievers = {"late:a"};
  run();
  moved_ = {{"late:a", "nothing"}, {"late:new place", "late:a"}};
  options_.retrievers.clear();
  EXPECT_EQ(embedded("late"), 0);  // nothing to do: the model is not looked for
  add("docs/reef-survey-paper.pdf", "b.pdf");
  EXPECT_NE(failure(ErrorCode::model).find("--drop-set late"), std::string::npos);
  options_.retrievers = {"late:new place"};
  EXPECT_EQ(embedded("late"), 4);
  EXPECT_EQ(set("late").spec, "late:new place");
}

TEST_F(SetPlan, RefusesAModelThatChangedInItsPlace) {
  run();
  moved_ = {{"int8:", "text:newer"}};
  add("docs/reef-survey-paper.pdf", "b.pdf");
  EXPECT_NE(failure(ErrorCode::model).find("\"text\""), std::string::npos);
  EXPECT_EQ(sets(), Names{"text"});
}

TEST_F(SetPlan, RefusesAnotherFormatOrPoolingOfASet) {
  options_.retrievers = {"late"};
  options_.vector_format = store::VectorFormat{score::VectorType::f16, false};
  options_.pool_factor = 2;
  run();
  options_.vector_format = store::VectorFormat{score::VectorType::i8, false};
  const std::string message = failure(ErrorCode::usage);
  EXPECT_NE(message.find("float16"), std::string::npos) << message;
  EXPECT_NE(message.find("--drop-set late"), std::string::npos) << message;
  options_.vector_format.reset();
  options_.pool_factor = 4;
  EXPECT_NE(failure(ErrorCode::usage).find("--pool-factor"), std::string::npos);
  options_.pool_factor.reset();
  EXPECT_EQ(embedded("late"), 0);
}

TEST_F(SetPlan, DropsASet) {
  options_.retrievers = {"late", "page"};
  run();
  {
    store::Store store(dir_.file("s"), store::Mode::write);
    EXPECT_THROW(drop_sets({"early"}, store), Error);
    drop_sets({"late"}, store);
  }
  EXPECT_EQ(sets(), (Names{"page", "text"}));
  options_.retrievers = {"late"};
  options_.vector_format = store::VectorFormat{score::VectorType::bf16, false};
  EXPECT_EQ(embedded("late"), 2);
}

TEST_F(SetPlan, DoesNotReadAgainForAnotherTokenizer) {
  options_.scorers = {"bm25"};
  run();
  FindEncoder find = fake_encoders(counts_);
  const FindEncoder other_tokens = [&](const std::string& spec) {
    KnownEncoder source = find(spec);
    if (spec == "text:letters") source.tokenizer_hash = [] { return "letters"; };
    return source;
  };
  options_.retrievers = {"text:letters"};
  store::Store store(dir_.file("s"), store::Mode::write);
  const auto report = ingest_with({dir_.file("in")}, options_, other_tokens, store);
  EXPECT_EQ(report.unchanged, 1);
  EXPECT_GT(report.vectors.at("text"), 0);
}

// A server gives no tokenizer, and the length of its vectors only if it is asked.
TEST_F(SetPlan, AsksAServerOnlyIfItIsNamed) {
  int asked = 0;
  FindEncoder find = fake_encoders(counts_);
  const FindEncoder served = [&](const std::string& spec) {
    KnownEncoder source = find(spec);
    if (spec.find("http") == std::string::npos) return source;
    source.tokenizer_hash = nullptr;
    source.tokenizer = nullptr;
    source.asked_dim = [&asked, dim = source.dim] {
      ++asked;
      return dim;
    };
    source.dim = 0;
    return source;
  };
  const std::string spec = "text:openai:http://far/v1#m";
  const auto run_served = [&] {
    store::Store store(dir_.file("s"), store::Mode::write);
    return ingest_with({dir_.file("in")}, options_, served, store);
  };
  options_.retrievers = {spec};
  EXPECT_GT(run_served().vectors.at("text"), 0);
  EXPECT_EQ(set("text").dim, fake_vectors(spec, "x").cols);
  EXPECT_EQ(asked, 1);
  run_served();
  EXPECT_EQ(asked, 1);  // the set knows
  options_.retrievers.clear();
  EXPECT_EQ(run_served().unchanged, 1);
  add("docs/reef-survey-paper.pdf", "b.pdf");
  try {
    run_served();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_NE(std::string(error.what()).find("--retriever " + spec), std::string::npos)
        << error.what();
  }
  options_.retrievers = {spec};
  EXPECT_GT(run_served().vectors.at("text"), 0);
}

}  // namespace
}  // namespace fineprint::ingest::testing
