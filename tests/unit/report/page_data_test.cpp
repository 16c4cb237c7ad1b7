// What the page's script is given.
#include "report/page_data.h"

#include <gtest/gtest.h>

#include "report/rounded.h"
#include "unit/report/records_of.h"

namespace fineprint::report {
namespace {

Json data_of(const Material& material) {
  const std::vector<Entry> entries = entries_of(material);
  PagePictures pictures(nullptr, nullptr, {});
  want_pages(entries, &pictures);
  return page_data(material, entries, &pictures, "");
}

TEST(PageData, RoundsNumbersAtAnyDepth) {
  EXPECT_EQ(rounded({{"a", {1.23456789, 0.000123456789}}, {"b", 7}, {"c", "1.23456789"}}),
            Json({{"a", {1.2346, 0.00012346}}, {"b", 7}, {"c", "1.23456789"}}));
}

TEST(PageData, NamesPagesByTheirPlace) {
  Material material;
  material.title = "t";
  Answer answer = answer_of("a", "red", 0.5);
  answer.pipeline = "direct";
  answer.citations = {{{"x.pdf", 2}, "red", {{1.23F, 2, 3, 4}}, 0.9},
                      {{"y.pdf", 1}, "", {}, 0},
                      {{"x.pdf", 2}, "is red", {}, 0}};
  answer.retrieved = {{{"y.pdf", 1}, 0.75, true}, {{"x.pdf", 2}, 0.5, false}};
  answer.trace_json = R"([{"step":"adaptive_k","ms":0.0,"k":1}])";
  Question question = question_of("a", "red", R"({"question_type": "colour"})");
  question.docs = {"x.pdf"};
  question.evidence = std::vector<PageRef>{{"", 3}};
  material.answers = {answer};
  material.questions = {question};
  const Json data = data_of(material);
  EXPECT_EQ(data.at("pipelines"), Json::array({"direct"}));
  EXPECT_EQ(data.at("generators"), Json::array());
  EXPECT_EQ(data.at("pictures"), false);
  const Json& shown = data.at("questions").at(0);
  EXPECT_EQ(shown.at("verdict"), "right");
  EXPECT_EQ(shown.at("gold"), "red");
  EXPECT_EQ(shown.at("citations").at(0).at("page"), shown.at("citations").at(2).at("page"));
  EXPECT_EQ(shown.at("citations").at(0).at("boxes"), Json({{1.2, 2.0, 3.0, 4.0}}));
  const Json& docs = data.at("docs");
  const auto page = [&](const Json& place) {
    const Json& one = data.at("pages").at(place.get<std::size_t>());
    return docs.at(one.at("doc").get<std::size_t>()).get<std::string>() + "#" +
           std::to_string(one.at("page").get<int>());
  };
  EXPECT_EQ(page(shown.at("citations").at(0).at("page")), "x.pdf#2");
  EXPECT_EQ(page(shown.at("evidence").at(0)), "x.pdf#3");
  EXPECT_EQ(docs.at(shown.at("retrieved").at(0).at(0).get<std::size_t>()), "y.pdf");
  EXPECT_EQ(shown.at("retrieved").at(0).at(3), true);
  EXPECT_EQ(shown.at("retrieved").at(1).at(3), false);
  EXPECT_EQ(shown.at("trace").at(0).at("k"), 1);
  EXPECT_EQ(data.at("facets").at(0).at("values"), Json::array({"colour"}));
  EXPECT_EQ(shown.at("facets").at(0), Json::array({0}));
}

TEST(PageData, TellsOfErrorsAndOfQuestionsWithoutAnswers) {
  Material material;
  Answer failed = answer_of("b", "");
  failed.error = Failure{ErrorCode::timed_out, "too slow"};
  material.questions = {question_of("a", "1"), question_of("b", "1")};
  material.answers = {failed};
  const Json data = data_of(material);
  EXPECT_EQ(data.at("questions").at(0).at("verdict"), "missing");
  EXPECT_FALSE(data.at("questions").at(0).contains("answer"));
  EXPECT_EQ(data.at("questions").at(1).at("error"),
            Json({{"code", "timed_out"}, {"message", "too slow"}}));
  EXPECT_TRUE(data.at("summary").at("calibration_error").is_null());
}

}  // namespace
}  // namespace fineprint::report
