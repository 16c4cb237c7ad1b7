// Tests of the parts of an investigation: facts, calculations, cells, the schema of actions.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "fineprint/agents/agent.h"
#include "fineprint/core/json.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/pipelines/pipeline.h"

#include "pipelines/investigate/actions.h"
#include "pipelines/investigate/cells.h"
#include "pipelines/investigate/compute.h"
#include "pipelines/investigate/conflicts.h"
#include "pipelines/investigate/proof.h"
#include "pipelines/investigate/state.h"
#include "support/fake_qa_model.h"
#include "support/recording_generator.h"
#include "support/small_store.h"
#include "support/temp_dir.h"
#include "unit/agents/small_agency.h"

namespace fineprint::pipelines::investigate {
namespace {

using fineprint::testing::FakeQaModel;
using fineprint::testing::SmallStore;
using fineprint::testing::type_element;
using fineprint::testing::typed_page;

Page table_page(const std::vector<std::string>& above, const std::vector<std::string>& rows) {
  Page page;
  page.number = 1;
  page.width_pt = page.height_pt = 600;
  type_element(&page, ElementKind::paragraph, above);
  type_element(&page, ElementKind::table, rows);
  return page;
}

// Two documents of one page each, with figures in different units.
const store::Store& filled(SmallStore* store) {
  store->put("a.pdf", {table_page({"Income (in millions)"},
                                  {"              2023     2022", "Revenue        612      598",
                                   "Margin        41.5%     38%"})});
  store->put(
      "b.pdf",
      {typed_page({"Revenue came to 605,000 thousand in 2023.", "Revenue fell to (12) in May."})});
  return store->store();
}

class Facts : public ::testing::Test {
 protected:
  std::string computed(const std::string& operation, const std::vector<std::string>& numbers) {
    const Computed result = compute(state_, operation, numbers);
    EXPECT_EQ(result.derivation.empty(), !result.problem.empty());
    return result.derivation.empty() ? "problem: " + result.problem : result.derivation;
  }

  SmallStore store_;
  session::Corpus corpus_{filled(&store_)};
  PageId a_{0}, b_{1};
  State state_{corpus_, true};
};

TEST_F(Facts, AreNotedIfTheyAreOnTheirPage) {
  EXPECT_EQ(state_.note(a_, "Revenue 612 598"), 0U);
  EXPECT_EQ(state_.note(a_, " revenue 612 598 "), 0U);  // known
  EXPECT_FALSE(state_.note(a_, "Revenue 613 598"));
  EXPECT_FALSE(state_.note(b_, "Revenue 612 598"));
  EXPECT_FALSE(state_.note(b_, "  "));
  ASSERT_EQ(state_.facts().size(), 1U);
  EXPECT_EQ(state_.facts()[0].scale, 1e6);
  State trusting(corpus_, false);
  EXPECT_TRUE(trusting.note(a_, "Revenue 613 598"));
}

TEST_F(Facts, AndOpenPartsAreTheState) {
  state_.open({"revenue of b", " ", "Revenue of B", "margin"});
  EXPECT_EQ(state_.open_parts(), (std::vector<std::string>{"revenue of b", "margin"}));
  EXPECT_FALSE(state_.is_settled());
  state_.note(a_, "Revenue 612 598", "Revenue, 2023: 612");
  state_.saw(a_);
  state_.saw(b_);
  state_.saw(a_);
  state_.did("search \"b\": 1 new");
  EXPECT_EQ(state_.text(),
            "Open: revenue of b\nOpen: margin\n"
            "Fact 0 (a.pdf, page 1): Revenue 612 598 [Revenue, 2023: 612]\n"
            "Done: search \"b\": 1 new\n"
            "Seen: a.pdf, page 1 (facts); b.pdf, page 1 (nothing)\n");
  state_.open({});
  EXPECT_TRUE(state_.is_settled());
}

TEST_F(Facts, AreNotOpenAsNamesOfDocumentsOrPages) {
  state_.open({"a.pdf", "revenue of b", "b.pdf, page 1", "Page 2"});
  EXPECT_EQ(state_.open_parts(), std::vector<std::string>{"revenue of b"});
  state_.open({"a.pdf"});  // nothing new: the earlier part stays
  EXPECT_EQ(state_.open_parts(), std::vector<std::string>{"revenue of b"});
  state_.close("revenue of b");
  EXPECT_TRUE(state_.open_parts().empty());
}

TEST_F(Facts, AreCalculatedWithByTheProgram) {
  state_.note(a_, "Revenue 612 598");
  state_.note(a_, "Margin 41.5% 38%");
  state_.note(b_, "Revenue came to 605,000 thousand in 2023.");
  state_.note(b_, "Revenue fell to (12) in May.");
  EXPECT_EQ(computed("difference", {"612", "598"}), "difference: 612 - 598 = 14 million");
  EXPECT_EQ(computed("sum", {"$612", "598"}), "sum: 612 + 598 = 1210 million");
  EXPECT_EQ(computed("mean", {"41.5%", "38%"}), "mean: (41.5 + 38) / 2 = 39.75%");
  EXPECT_EQ(computed("ratio", {"612", "598"}), "ratio: 612 / 598 = 1.0234");
  EXPECT_EQ(computed("change", {"598", "612"}), "change from 598 to 612: 2.3411%");
  EXPECT_EQ(computed("smaller", {"41.5%", "38%"}), "smaller of 41.5 and 38: 38% (a.pdf, page 1)");
  // Another document states another scale.
  EXPECT_EQ(computed("larger", {"605,000", "612"}),
            "larger of 605000000 and 612000000: 612000000 (a.pdf, page 1)");
  EXPECT_EQ(computed("difference", {"612", "613"}), "problem: 613 is in no fact");
  EXPECT_EQ(computed("difference", {"612"}), "problem: it needs two numbers");
  EXPECT_EQ(computed("ratio", {"612", "598", "41.5%"}), "problem: ratio needs two numbers");
  EXPECT_EQ(computed("sum", {"many", "598"}), "problem: many is in no fact");
  EXPECT_EQ(computed("sum", {"-12", "612"}), "sum: -12 + 612000000 = 611999988");
}

TEST_F(Facts, ThatWereComputedAreProvenByTheirSources) {
  state_.note(a_, "Revenue 612 598");
  state_.note(b_, "Revenue came to 605,000 thousand in 2023.");
  state_.note_computed("sum", {0, 1});
  state_.note_computed("sum", {0, 1});
  ASSERT_EQ(state_.facts().size(), 3U);
  const std::vector<std::size_t> facts = {2};
  const auto claims = state_.claims_of(facts, 0.5);
  ASSERT_EQ(claims.size(), 2U);
  EXPECT_EQ(claims[0].page, a_);
  EXPECT_EQ(claims[1].quote, "Revenue came to 605,000 thousand in 2023.");
}

TEST(Cells, AreFoundByTheirHeads) {
  const Page page =
      table_page({"Income"}, {"                  2023     2022", "Revenue            612      598",
                              "Net revenue, all   500      490"});
  const auto cell = cell_on(page, "revenue", "2022");
  ASSERT_TRUE(cell);
  EXPECT_EQ(cell->row, "Revenue 612 598");
  EXPECT_NE(cell->reading.find("598"), std::string::npos);
  EXPECT_EQ(cell_on(page, "Net revenue", "2023")->row, "Net revenue, all 500 490");
  EXPECT_FALSE(cell_on(page, "Profit", "2022"));
  EXPECT_FALSE(cell_on(page, "Revenue", "2021"));
  EXPECT_FALSE(cell_on(page, "", ""));
}

std::vector<std::string> kinds_in(const grammar::JsonSchema& schema) {
  std::vector<std::string> kinds;
  const Json parsed = parse_json(schema.text(), "a schema");
  for (const Json& one : parsed.at("properties").at("next").at("oneOf")) {
    kinds.push_back(one.at("properties").at("action").at("const").get<std::string>());
  }
  return kinds;
}

TEST(Actions, AreInTheSchemaIfTheyCanBeDone) {
  const grammar::JsonSchema schema = *agents::load_agent("investigate.step").schema;
  using Kinds = std::vector<std::string>;
  EXPECT_EQ(kinds_in(with_choices(schema, {})), (Kinds{"search", "read", "answer", "give_up"}));
  EXPECT_EQ(kinds_in(with_choices(schema, {.searches = false})), (Kinds{"answer", "give_up"}));
  const Choices all{.documents = {"a.pdf", "b.pdf"},
                    .facts = 2,
                    .numbers = 2,
                    .sees = true,
                    .zooms = true,
                    .has_map = true,
                    .has_links = true,
                    .has_tables = true,
                    .scorers = {"bm25", "text"}};
  EXPECT_EQ(kinds_in(with_choices(schema, all)),
            (Kinds{"search", "read", "zoom", "look_up", "follow", "cell", "compute", "answer",
                   "give_up"}));
  const auto problem = [](const grammar::JsonSchema& of, const std::string& next) {
    return of.problem(R"({"facts": [], "open": [], "next": )" + next + "}");
  };
  const std::string read = R"({"action": "read", "document": "b.pdf", "pages": [1]})";
  EXPECT_FALSE(problem(with_choices(schema, all), read));
  EXPECT_TRUE(problem(with_choices(schema, all),
                      R"({"action": "read", "document": "c.pdf", "pages": [1]})"));
  EXPECT_TRUE(problem(with_choices(schema, {}), read));
  const std::string answer = R"({"action": "answer", "answer": "x", "facts": [1]})";
  EXPECT_FALSE(problem(with_choices(schema, all), answer));
  EXPECT_TRUE(problem(with_choices(schema, {.facts = 1}), answer));
  EXPECT_TRUE(problem(with_choices(schema, {}), answer));
}

// An investigation over the two documents, with a model that replies as `script` says.
struct Investigated {
  explicit Investigated(const std::string& script, const PipelineOptions& chosen = {},
                        std::unique_ptr<FakeQaModel> qa_model = nullptr) {
    filled(&store);
    session::SessionParts parts;
    parts.qa_model = std::move(qa_model);
    parts.generator = std::make_unique<fineprint::testing::RecordingGenerator>(
        folder.write("script.jsonl", script), records);
    parts.pages = std::make_unique<agents::GreyPages>(records);
    const session::Session session(store.store(), {}, std::move(parts));
    Trace trace(false);
    Budget budget;
    session::Context context(session, trace, budget);
    Question question;
    question.text = "What was the revenue of 2022?";
    PipelineOptions options = chosen;
    options.search.scorers = {"bm25"};
    answer = find("investigate").run(context, question, options);
  }

  bool says(std::size_t call, const std::string& text) const {
    return records->asked.at(call).request.messages.back().text.find(text) != std::string::npos;
  }

  SmallStore store;
  fineprint::testing::TempDir folder;
  std::shared_ptr<fineprint::testing::Records> records =
      std::make_shared<fineprint::testing::Records>();
  Answer answer;
};

std::string first_reading() {
  return agents::scripted("investigate.first", {{"answer", "Not answerable"},
                                                {"answerable", false},
                                                {"chunks", Json::array()},
                                                {"open", {"revenue 2022"}}});
}

std::string step_with(const Json& facts, const std::vector<std::string>& open, const Json& next) {
  return agents::scripted("investigate.step", {{"facts", facts}, {"open", open}, {"next", next}});
}

// Transcripts in tests/pipelines walk the other actions; their pages have no tables.
TEST(Investigation, TakesACellOfATableAsAFact) {
  const Json cell = {{"action", "cell"}, {"row", "revenue"}, {"column", "2022"}};
  const Json answer = {{"action", "answer"}, {"answer", "598"}, {"facts", {0}}};
  const Investigated done(first_reading() + step_with(Json::array(), {"revenue 2022"}, cell) +
                          step_with(Json::array(), {}, answer));
  EXPECT_EQ(done.answer.answer, "598");
  ASSERT_EQ(done.answer.citations.size(), 1U);
  EXPECT_EQ(done.answer.citations[0].quote, "Revenue 612 598");
  EXPECT_FALSE(done.answer.citations[0].boxes.empty());
  ASSERT_EQ(done.records->asked.size(), 3U);
  EXPECT_TRUE(done.says(1, "- cell:"));
}

// A server does not say that its model takes no pictures: the call fails.
TEST(Investigation, ReadsWordsIfPicturesAreRefused) {
  const Json read = {{"action", "read"}, {"document", "b.pdf"}, {"pages", {1}}};
  const Json quote = {{"source", 0}, {"quote", "Revenue fell to (12) in May."}};
  const Json answer = {{"action", "answer"}, {"answer", "(12)"}, {"facts", {0}}};
  const Investigated done(first_reading() + step_with(Json::array(), {"revenue 2022"}, read) +
                          agents::scripted("investigate.step", {{"error", "it takes no images"}}) +
                          step_with(Json::array({quote}), {}, answer));
  EXPECT_EQ(done.answer.answer, "(12)");
  ASSERT_EQ(done.records->asked.size(), 4U);
  EXPECT_TRUE(done.says(1, "- zoom:"));
  EXPECT_EQ(done.records->asked[2].request.images.size(), 1U);
  EXPECT_TRUE(done.records->asked[3].request.images.empty());
  EXPECT_TRUE(done.says(3, "| Revenue fell to (12) in May."));
  EXPECT_FALSE(done.says(3, "- zoom:"));
}

// The first passage found is the table; the second one comes with the search for what is open.
PipelineOptions reads_one_passage(const std::string& decides) {
  PipelineOptions options;
  options.search.k = 1;
  options.qa = models::kBuiltInQaModel;
  options.own = {{"decides", {decides}}};
  return options;
}

std::string part_in_may() {
  return agents::scripted("investigate.first", {{"answer", "Not answerable"},
                                                {"answerable", false},
                                                {"chunks", Json::array()},
                                                {"open", {"revenue in May"}}});
}

std::string answers_from_facts() {
  return agents::scripted("investigate.answer",
                          {{"answer", "(12)"}, {"answerable", true}, {"facts", {0}}});
}

TEST(Investigation, NotesWhatTheQaModelPointsAt) {
  const Json answer = {{"action", "answer"}, {"answer", "(12)"}, {"facts", {0}}};
  const Investigated done(part_in_may() + step_with(Json::array(), {}, answer),
                          reads_one_passage("model"),
                          std::make_unique<FakeQaModel>(std::vector<std::string>{"(12)"}));
  EXPECT_EQ(done.answer.answer, "(12)");
  ASSERT_EQ(done.records->asked.size(), 2U);
  EXPECT_TRUE(done.says(1, "| Fact 0 (b.pdf, page 1): Revenue fell to (12) in May. [(12)]"));
  ASSERT_EQ(done.answer.citations.size(), 1U);
  EXPECT_EQ(done.answer.citations[0].quote, "Revenue fell to (12) in May.");
}

// The generator is not asked for facts that the QA model is sure of.
TEST(Investigation, AsksNoStepForWhatIsSurelyPointedAt) {
  const Investigated done(part_in_may() + answers_from_facts(), reads_one_passage("program"),
                          std::make_unique<FakeQaModel>(std::vector<std::string>{"(12)"}));
  EXPECT_EQ(done.answer.answer, "(12)");
  EXPECT_EQ(done.records->asked.size(), 2U);
}

// What the words name comes from neither the question nor a fact, so what was found with them may
// be about something else.
TEST(Investigation, PointsAtNothingForAnInventedSubject) {
  const std::string invented =
      agents::scripted("investigate.first", {{"answer", "Not answerable"},
                                             {"answerable", false},
                                             {"chunks", Json::array()},
                                             {"open", {"revenue of Blue Harbour"}}});
  const Json answer = {{"action", "answer"}, {"answer", "(12)"}, {"facts", Json::array()}};
  const Investigated done(invented + step_with(Json::array(), {}, answer),
                          reads_one_passage("model"),
                          std::make_unique<FakeQaModel>(std::vector<std::string>{"(12)"}));
  ASSERT_GE(done.records->asked.size(), 2U);
  EXPECT_FALSE(done.says(1, "Fact 0 (b.pdf"));
}

TEST(Investigation, DoesNotBelieveAnUnsureQaModel) {
  auto unsure = std::make_unique<FakeQaModel>(std::vector<std::string>{"(12)"});
  unsure->log_probability = -3;
  const Json quote = {{"source", 0}, {"quote", "Revenue fell to (12) in May."}};
  const Investigated done(
      part_in_may() +
          agents::scripted("investigate.step_guided",
                           {{"facts", Json::array({quote})}, {"open", Json::array()}}) +
          answers_from_facts(),
      reads_one_passage("program"), std::move(unsure));
  EXPECT_EQ(done.answer.answer, "(12)");
  ASSERT_EQ(done.records->asked.size(), 3U);
  EXPECT_FALSE(done.says(1, "Fact 0 (b.pdf"));
}

TEST(Proofs, NameTheWordsThatAreMissing) {
  const std::string question = "When was the director of Blue Harbour born?";
  const std::string said = "Blue Harbour, of 1990, was made by Ann Lee.";
  EXPECT_EQ(words_not_in(said, question), (std::vector<std::string>{"director", "born"}));
  EXPECT_EQ(bridging_words(said, question), "Ann Lee director born");
  EXPECT_EQ(bridging_words("The director of Blue Harbour was born in 1961.", question), "");
  EXPECT_EQ(bridging_words("", question), "director Blue Harbour born");
}

TEST(Proofs, NameTheNamesThatAreNew) {
  const std::string known = "When was the director of Blue Harbour born?";
  EXPECT_EQ(new_names(known, "Ann Lee director of Blue Harbour"),
            std::vector<std::string>{"Ann Lee"});
  EXPECT_TRUE(new_names(known, "Blue Harbour director").empty());
}

TEST(Proofs, HoldTheAnswersWordsAndNumbers) {
  EXPECT_TRUE(holds_answer("The fee was 612 francs.", "612"));
  EXPECT_FALSE(holds_answer("The fee was 612 francs.", "613 francs"));
  EXPECT_TRUE(holds_answer("The fee was 612 francs.", "Yes."));
  EXPECT_FALSE(holds_answer("", "Yes"));
}

}  // namespace
}  // namespace fineprint::pipelines::investigate
