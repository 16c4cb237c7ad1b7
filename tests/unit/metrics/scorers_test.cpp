// Each scorer by its rules, its quirks by name, and totals worked out by hand.
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/json.h"
#include "fineprint/metrics/scorer.h"

namespace fineprint::metrics {
namespace {

using Quirks = std::vector<std::string>;

ScoredItem typed(const char* scorer, const std::string& answer, const std::string& prediction,
                 const std::string& format) {
  return scorer_named(scorer).score(
      {{"answer", answer}, {"prediction", prediction}, {"answer_format", format}});
}

double field(const ScoredItem& item, const char* name) {
  return parse_json(item.fields, "fields").at(name).get<double>();
}

Json totals_of(const char* name, const std::vector<Json>& items) {
  const Scorer& scorer = scorer_named(name);
  std::vector<ScoredItem> scores;
  for (const Json& item : items) scores.push_back(scorer.score(item));
  return scorer.totals(items, scores);
}

TEST(Scorers, NamesDiffer) {
  std::set<std::string> names;
  for (const Scorer* scorer : scorers()) {
    EXPECT_TRUE(names.insert(scorer->name()).second);
    EXPECT_FALSE(scorer->help().empty());
    EXPECT_EQ(scorer->totals({}, {}).at("items"), 0);
  }
  try {
    scorer_named("rouge");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_NE(std::string(error.what()).find("longdocurl"), std::string::npos);
  }
}

TEST(Scorers, FieldsThatAreMissingAreNamed) {
  for (const Scorer* scorer : scorers()) {
    EXPECT_THROW(scorer->score(Json::object()), Error) << scorer->name();
    EXPECT_THROW(scorer->score(Json::array()), Error) << scorer->name();
  }
  try {
    scorer_named("mmlongbench").score({{"answer", "a"}, {"answer_format", "Str"}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::input);
    EXPECT_NE(std::string(error.what()).find("'prediction'"), std::string::npos);
  }
}

TEST(MmLongBench, WholeNumbers) {
  EXPECT_EQ(typed("mmlongbench", "8", "8", "Int").score, 1);
  EXPECT_EQ(typed("mmlongbench", "8", "9", "Int").score, 0);
  const ScoredItem cut = typed("mmlongbench", "8", "8.9", "Int");
  EXPECT_EQ(cut.score, 1);
  EXPECT_EQ(cut.quirks, Quirks{"truncated_decimals"});
  EXPECT_EQ(cut.standard, 0);
  const ScoredItem comma = typed("mmlongbench", "4321", "4,321", "Int");
  EXPECT_EQ(comma.score, 0);
  EXPECT_EQ(comma.quirks, Quirks{"number_not_read"});
  EXPECT_EQ(comma.standard, 1);
}

TEST(MmLongBench, Floats) {
  EXPECT_EQ(typed("mmlongbench", "12.5%", "0.125", "Float").score, 1);
  EXPECT_EQ(typed("mmlongbench", "$ 200 (total)", "201.9", "Float").score, 1);
  EXPECT_EQ(typed("mmlongbench", "200", "203", "Float").score, 0);
  EXPECT_EQ(typed("mmlongbench", "0", "0.004", "Float").score, 1);  // rounds to 0.00
  EXPECT_EQ(typed("mmlongbench", "3.5", "many", "Float").score, 0);
  EXPECT_EQ(typed("mmlongbench", "3.5", "inf", "Float").score, 0);
  EXPECT_NE(typed("mmlongbench", "about three", "3", "Float").error.find("ValueError"),
            std::string::npos);
}

TEST(MmLongBench, Texts) {
  EXPECT_EQ(typed("mmlongbench", "Blue Heron", " \"blue heron\" (a bird)", "Str").score, 1);
  EXPECT_DOUBLE_EQ(typed("mmlongbench", "heron", "herons", "Str").score, 1 - 1 / 6.0);
  EXPECT_EQ(typed("mmlongbench", "ab", "ax", "Str").score, 0);  // 0.5 itself is 0
  EXPECT_EQ(typed("mmlongbench", "", "", "Str").score, 1);
  for (const char* shape : {"2017", "20 17", "555-1234", "page 3", "2016-05", "2016-05-31",
                            "9:30 a.m.", "me@example.org", "run.py", "https://example.org"}) {
    const ScoredItem item = typed("mmlongbench", shape, std::string(shape) + "x", "Str");
    EXPECT_EQ(item.score, 0) << shape;
    EXPECT_EQ(item.quirks, Quirks{"exact_shape"}) << shape;
    EXPECT_EQ(typed("mmlongbench", shape, shape, "Str").score, 1) << shape;
  }
  // Upper case makes the sharp s two letters.
  EXPECT_DOUBLE_EQ(typed("mmlongbench",
                         "stra\xC3\x9F"
                         "e",
                         "strabe", "Str")
                       .score,
                   1 - 1 / 7.0);
}

TEST(MmLongBench, Lists) {
  EXPECT_EQ(typed("mmlongbench", "['oak', 'elm']", "[\"elm\", \"oak\"]", "List").score, 1);
  EXPECT_EQ(typed("mmlongbench", "['oak', 'elm']", "['oak']", "List").score, 0);
  EXPECT_DOUBLE_EQ(typed("mmlongbench", "['oaks', 'elm']", "['oakx', 'elm']", "List").score, 0.75);
  EXPECT_EQ(typed("mmlongbench", "[3, 12]", "['12', '3']", "List").score, 1);
  EXPECT_EQ(typed("mmlongbench", "oak", "oak", "List").score, 1);
  const ScoredItem broken = typed("mmlongbench", "['oak']", "['oak'", "List");
  EXPECT_EQ(broken.score, 0);
  EXPECT_TRUE(broken.error.starts_with("SyntaxError")) << broken.error;
  EXPECT_TRUE(typed("mmlongbench", "['oak']", "[oak]", "List").error.starts_with("NameError"));
}

TEST(MmLongBench, StoredExtractions) {
  const Scorer& scorer = scorer_named("mmlongbench");
  Json item = {{"answer", "oak"}, {"answer_format", "Str"}};
  item["extraction"] = "Extracted answer: Oak\nAnswer format: String";
  EXPECT_EQ(scorer.score(item).score, 1);
  item["extraction"] = "It is an oak.";
  EXPECT_EQ(scorer.score(item).score, 0);
  EXPECT_FALSE(scorer.score(item).error.empty());
}

TEST(MmLongBench, Totals) {
  const auto item = [](const char* answer, const char* prediction, const char* format,
                       const char* pages) {
    return Json{{"answer", answer},        {"prediction", prediction},
                {"answer_format", format}, {"evidence_pages", pages},
                {"doc_type", "Guidebook"}, {"evidence_sources", "['Chart', 'Table']"}};
  };
  const Json totals =
      totals_of("mmlongbench", {item("oak", "oak", "Str", "[2]"), item("7", "8", "Int", "[2, 3]"),
                                item("Not answerable", "Not answerable", "None", "[]"),
                                item("Not answerable", "oak", "None", "[4]")});
  EXPECT_DOUBLE_EQ(totals.at("accuracy"), 0.5);
  // Right answers to answerable ones: 1 of 2; of 3 that were not declined: 1.
  EXPECT_DOUBLE_EQ(totals.at("f1"), 0.4);
  const Json& pages = totals.at("by_page_count");
  EXPECT_EQ(pages.at("single_page").at("items"), 2);
  EXPECT_EQ(pages.at("cross_page").at("items"), 1);
  EXPECT_EQ(pages.at("unanswerable").at("items"), 2);
  EXPECT_EQ(totals.at("by_evidence_source").at("Chart").at("items"), 4);
  EXPECT_DOUBLE_EQ(totals.at("by_doc_type").at("Guidebook").at("accuracy"), 0.5);
}

TEST(LongDocUrl, LiteralStep) {
  EXPECT_EQ(typed("longdocurl", "12", "12", "Integer").score, 1);
  EXPECT_EQ(typed("longdocurl", "12", "12.0", "Integer").score, 0);
  const ScoredItem tuple = typed("longdocurl", "4321", "4,321", "Integer");
  EXPECT_EQ(tuple.score, 0);
  EXPECT_EQ(tuple.quirks, Quirks{"literal_step"});
  EXPECT_EQ(tuple.standard, 1);
  EXPECT_EQ(parse_json(tuple.fields, "fields").at("pred_after_eval"), (Json{{"tuple", {4, 321}}}));
  const ScoredItem years = typed("longdocurl", "2011-2014", "2011-2014", "String");
  EXPECT_EQ(years.score, 0);
  EXPECT_EQ(years.standard, 1);
}

TEST(LongDocUrl, UnitsTakeLettersWithThem) {
  const ScoredItem item = typed("longdocurl", "the team", "the tea", "String");
  EXPECT_EQ(item.score, 1);
  EXPECT_EQ(item.quirks, Quirks{"unit_characters"});
  EXPECT_LT(*item.standard, 1);
  EXPECT_EQ(typed("longdocurl", "3.5 million", "3.5", "Float").score, 1);
  EXPECT_EQ(typed("longdocurl",
                  "\xC2\xA3"
                  "35,217",
                  "35217", "Integer")
                .score,
            1);
}

TEST(LongDocUrl, Lists) {
  // A surplus prediction costs: sqrt(1/2); a missing one counts 0 in the mean.
  EXPECT_DOUBLE_EQ(typed("longdocurl", "['oak']", "['oak', 'ivy']", "List").score, std::sqrt(0.5));
  EXPECT_DOUBLE_EQ(typed("longdocurl", "['oak', 'elder']", "['oak']", "List").score, 0.5);
  EXPECT_EQ(typed("longdocurl", "['1', '2']", "['2', '1']", "List").score, 0);  // in order
  EXPECT_TRUE(typed("longdocurl", "['oak']", "[]", "List").error.starts_with("ValueError"));
}

TEST(LongDocUrl, FixedDenominators) {
  const Json item = {{"answer", "oak"},
                     {"prediction", "oak"},
                     {"answer_format", "String"},
                     {"task_tag", "Reasoning"},
                     {"evidence_sources", {"Text", "Table"}},
                     {"evidence_pages", {4}}};
  const Json totals = totals_of("longdocurl", {item});
  EXPECT_DOUBLE_EQ(totals.at("accuracy"), 1);
  EXPECT_DOUBLE_EQ(totals.at("rectified"), 1 / 2325.0);
  EXPECT_DOUBLE_EQ(totals.at("by_task").at("Reasoning").at("rectified"), 1 / 387.0);
  EXPECT_DOUBLE_EQ(totals.at("by_page_count").at("single_page").at("rectified"), 1 / 1093.0);
  EXPECT_EQ(totals.at("by_evidence_source").at("cross_element").at("of"), 862);
  const Json& fine = totals.at("fine_grained");
  EXPECT_EQ(fine.size(), 2U);
  EXPECT_DOUBLE_EQ(fine.at("Reasoning, single_page, Table").at("rectified"), 1 / 98.0);
}

TEST(LongDocUrl, LocatesByWhatByItsOwnCounts) {
  Json located = {{"answer", "Table 4"},
                  {"prediction", "Table 4"},
                  {"answer_format", "String"},
                  {"task_tag", "Locating"},
                  {"question_type", "summary2tab"}};
  Json missed = located;
  missed["prediction"] = "Table 9";
  const Json totals = totals_of("longdocurl", {located, missed});
  const Json& slice = totals.at("fine_grained").at("Locating, Cross_Table");
  EXPECT_EQ(slice.at("items"), 2);
  EXPECT_EQ(slice.at("of"), 126);
  EXPECT_GT(slice.at("rectified").get<double>(), 1 / 126.0 - 1e-12);
  EXPECT_FALSE(totals.at("fine_grained").contains("Locating, Para_Title"));
}

TEST(MoLoRagAnswers, HalfIsKeptAndSurplusIsFree) {
  const ScoredItem half = typed("molorag_mmlong", "ab", "ax", "Str");
  EXPECT_EQ(half.score, 0.5);
  EXPECT_EQ(field(half, "em"), 0);
  EXPECT_EQ(half.quirks, Quirks{"half_is_kept"});
  EXPECT_EQ(half.standard, 0);
  const ScoredItem surplus = typed("molorag_mmlong", "['oak']", "['oak', 'ivy']", "List");
  EXPECT_EQ(surplus.score, 1);
  EXPECT_EQ(surplus.quirks, Quirks{"surplus_is_free"});
  EXPECT_DOUBLE_EQ(*surplus.standard, std::sqrt(0.5));
  EXPECT_DOUBLE_EQ(typed("molorag_mmlong", "['oak', 'elder']", "['oak']", "List").score,
                   0.5 * std::sqrt(0.5));
  EXPECT_EQ(typed("molorag_mmlong", "[]", "[]", "List").score, 1);
  EXPECT_EQ(typed("molorag_mmlong", "['oak']", "['oak'", "List").score, 0);
}

TEST(MoLoRagAnswers, RoundedPercent) {
  const auto item = [](const char* prediction) {
    return Json{{"answer", "oak"}, {"prediction", prediction}, {"answer_format", "Str"}};
  };
  const Json totals = totals_of("molorag_mmlong", {item("oak"), item("ivy"), item("fir")});
  EXPECT_EQ(totals.at("acc"), 33.33);
  EXPECT_EQ(totals.at("f1"), 33.33);
  EXPECT_FALSE(totals_of("molorag_longdocurl", {item("oak")}).contains("f1"));
}

// The column UNA of its tables.
TEST(MoLoRagAnswers, UnanswerableQuestionsAreASliceOfMMLongBench) {
  const auto item = [](const char* prediction) {
    return Json{{"answer", "Not answerable"},
                {"prediction", prediction},
                {"answer_format", "None"},
                {"evidence_pages", "[]"}};
  };
  const std::vector<Json> items = {item("Not answerable"), item("ivy"), item("oak")};
  const Json totals = totals_of("molorag_mmlong", items);
  EXPECT_EQ(totals.at("by_page_count").at("unanswerable"), 33.33);
  EXPECT_FALSE(totals_of("molorag_longdocurl", items).at("by_page_count").contains("unanswerable"));
}

TEST(MoLoRagRetrieval, ItsOwnForms) {
  const ScoredItem late = scorer_named("molorag_retrieval")
                              .score({{"evidence_pages", {4}}, {"pages_ranking", {9, 4, 2}}});
  EXPECT_EQ(field(late, "ndcg@5"), 0);  // one gold page: found at rank 1 or not
  EXPECT_DOUBLE_EQ(*late.standard, 1 / std::log2(3.0));
  EXPECT_NE(std::ranges::find(late.quirks, "short_ndcg"), late.quirks.end());
  EXPECT_EQ(field(late, "mrr@1"), 0);
  EXPECT_EQ(field(late, "mrr@3"), 50);
  EXPECT_DOUBLE_EQ(field(late, "precision@10"), 100 / 3.0);
  EXPECT_DOUBLE_EQ(field(late, "irrelevant@10"), 200 / 3.0);
  const Json totals =
      totals_of("molorag_retrieval", {{{"evidence_pages", {4}}, {"pages_ranking", {9, 4, 2}}},
                                      {{"evidence_pages", Json::array()}, {"pages_ranking", {1}}},
                                      {{"evidence_pages", "[1]"}, {"pages_ranking", {1}}}});
  EXPECT_EQ(totals.at("without_evidence"), 1);
  EXPECT_EQ(totals.at("ndcg@5"), 50);
  EXPECT_EQ(totals.at("standard_ndcg@5"), 81.55);
}

TEST(OpenDocVqa, NormalisesBothSides) {
  const auto score = [](const char* prediction, const char* reference) {
    return scorer_named("opendocvqa")
        .score({{"prediction", prediction}, {"references", {"nothing at all", reference}}});
  };
  EXPECT_EQ(field(score("The three oaks.", "3 oaks"), "exact"), 1);
  EXPECT_EQ(field(score("dont", "don't"), "exact"), 1);
  EXPECT_EQ(field(score("1,234", "1234"), "exact"), 1);
  EXPECT_EQ(field(score("a-b", "a b"), "exact"), 1);
  EXPECT_EQ(field(score("a -b", "ab"), "exact"), 0);
  EXPECT_DOUBLE_EQ(field(score("oak tree", "oak"), "f1"), 2 / 3.0);
  EXPECT_EQ(field(score("3 oaks", "3 oaks"), "relaxed"), 0);  // the first reference alone
}

TEST(OpenDocVqa, MeasureOfTheSet) {
  const auto score = [](const char* set, const char* prediction, const char* reference) {
    return scorer_named("opendocvqa")
        .score({{"dataset", set}, {"prediction", prediction}, {"references", {reference}}});
  };
  EXPECT_EQ(score("chartqa", "104", "100").score, 1);
  EXPECT_EQ(score("chartqa", "106", "100").score, 0);
  const ScoredItem sign = score("chartqa", "-4.2", "4.2");
  EXPECT_EQ(sign.score, 1);
  EXPECT_EQ(sign.quirks, Quirks{"signs_are_lost"});
  EXPECT_EQ(sign.standard, 0);
  const ScoredItem far = score("infovqa", "oxk", "ash");
  EXPECT_EQ(far.score, 0);
  const ScoredItem half = score("infovqa", "ab", "ax");
  EXPECT_EQ(half.score, 0.5);
  EXPECT_EQ(half.quirks, Quirks{"no_anls_threshold"});
  EXPECT_EQ(half.standard, 0);
  EXPECT_DOUBLE_EQ(score("slidevqa", "oak tree", "oak").score, 2 / 3.0);
}

TEST(SlideVqa, WordsOfTheQuestionGo) {
  const auto score = [](const char* question, const char* answer, const char* prediction) {
    return scorer_named("slidevqa")
        .score({{"question", question}, {"answer", answer}, {"prediction", prediction}});
  };
  const ScoredItem item = score("How many oaks are there?", "twelve oaks", "12");
  EXPECT_EQ(item.score, 1);
  EXPECT_EQ(item.quirks, Quirks{"word_of_question_deleted"});
  EXPECT_DOUBLE_EQ(*item.standard, 2 / 3.0);
  EXPECT_EQ(score("Is it so?", "Yes", "Yes, it is so").score, 1);
  const ScoredItem letters = score("Where?", "northern Spain", "northern France");
  EXPECT_EQ(letters.score, 1);
  EXPECT_EQ(letters.quirks, Quirks{"cut_by_letters"});
  EXPECT_EQ(letters.standard, 0.5);
}

TEST(Uda, YesAndNoStay) {
  const auto score = [](const char* benchmark, const char* prediction, const Json& references) {
    return scorer_named("uda_f1").score(
        {{"benchmark", benchmark}, {"prediction", prediction}, {"references", references}});
  };
  EXPECT_EQ(score("paper", "So. The answer is: the oak!", {"Oak", " "}).score, 1);
  EXPECT_EQ(score("paper", "a", {" ", " ", " ", "a b"}).score, 0);
  const ScoredItem item = score("paper", "Nothing of it", {"Yes", "nothing of it"});
  EXPECT_EQ(item.quirks, Quirks{"yes_no_stays"});
  EXPECT_EQ(item.score, 0);
  EXPECT_EQ(item.standard, 1);
  EXPECT_EQ(score("feta", "oak", {"ash", "oak"}).score, 0);
  EXPECT_THROW(score("tat", "oak", {"oak"}), Error);
}

TEST(ViDoRagRetrieval, CutOfTheFirstQuery) {
  const Json first = {
      {"file_name", "oak.pdf"}, {"reference_page", {1}}, {"retrieved", {"oak_1.jpg"}}};
  const Json second = {
      {"file_name", "oak.pdf"}, {"reference_page", {2}}, {"retrieved", {"oak_1.jpg", "oak_2.jpg"}}};
  const Json totals = totals_of("vidorag_retrieval", {first, second});
  EXPECT_DOUBLE_EQ(totals.at("results").at("Hit rate@all"), 0.5);
  EXPECT_DOUBLE_EQ(totals.at("results").at("Recall@all"), 1);
  EXPECT_DOUBLE_EQ(totals.at("standard_results").at("Hit rate@all"), 1);
  const ScoredItem dotted =
      scorer_named("vidorag_retrieval")
          .score(
              {{"file_name", "o.ak.pdf"}, {"reference_page", {1}}, {"retrieved", {"o.ak_1.jpg"}}});
  EXPECT_EQ(dotted.score, 0);
  EXPECT_EQ(dotted.quirks, Quirks{"dotted_names"});
  EXPECT_EQ(dotted.standard, 1);
}

TEST(Judges, StoredReplies) {
  const auto one_to_five = [](const char* reply) {
    return scorer_named("vidorag_judge").score({{"judge_reply", reply}});
  };
  EXPECT_EQ(one_to_five("Score: 4, it fits").score, 1);
  EXPECT_EQ(one_to_five("3").score, 0);
  EXPECT_EQ(one_to_five("10 of 10").quirks, Quirks{"first_digit_alone"});
  EXPECT_FALSE(one_to_five("well done").error.empty());
  const auto binary = [](const char* reply) {
    return scorer_named("binary_judge").score({{"judge_reply", reply}});
  };
  EXPECT_EQ(binary("Sure: {\"binary_correctness\": 1}.").score, 1);
  EXPECT_EQ(binary("{\"binary_correctness\": \"1\"}").score, 1);
  EXPECT_EQ(binary("{\"binary_correctness\": 0}").score, 0);
  EXPECT_EQ(binary("correct").quirks, Quirks{"unread_reply_is_wrong"});
}

TEST(StandardMeasures, Pages) {
  const ScoredItem item =
      scorer_named("pages").score({{"evidence_pages", {2, 5}}, {"pages_ranking", {5, 5, 1, 2}}});
  const double ideal = 1 + 1 / std::log2(3.0);
  EXPECT_DOUBLE_EQ(field(item, "ndcg@5"), (1 + 1 / std::log2(4.0)) / ideal);
  EXPECT_DOUBLE_EQ(field(item, "recall@1"), 0.5);
  EXPECT_DOUBLE_EQ(field(item, "precision@10"), 0.2);
  EXPECT_DOUBLE_EQ(field(item, "mrr@1"), 1);
}

TEST(StandardMeasures, Answers) {
  const auto score = [](const char* scorer, const char* prediction) {
    return scorer_named(scorer)
        .score({{"answer", {"nothing", "blue oak"}}, {"prediction", prediction}})
        .score;
  };
  EXPECT_EQ(score("exact", "The blue oak."), 1);
  EXPECT_EQ(score("relaxed", "it is the blue oak"), 1);
  EXPECT_DOUBLE_EQ(score("f1", "a blue tree"), 0.5);
  EXPECT_DOUBLE_EQ(score("anls", "Blue oaks"), 1 - 1 / 9.0);
  EXPECT_EQ(score("anls", "ash"), 0);
}

TEST(Totals, QuirksAreCountedAndTheStandardStandsBeside) {
  const auto item = [](const char* prediction) {
    return Json{{"answer", "8"}, {"prediction", prediction}, {"answer_format", "Int"}};
  };
  const Json totals = totals_of("mmlongbench", {item("8.2"), item("8.7"), item("8"), item("9")});
  EXPECT_EQ(totals.at("quirks").at("truncated_decimals"), 2);
  EXPECT_DOUBLE_EQ(totals.at("accuracy"), 0.75);
  EXPECT_DOUBLE_EQ(totals.at("standard"), 0.25);
}

}  // namespace
}  // namespace fineprint::metrics
