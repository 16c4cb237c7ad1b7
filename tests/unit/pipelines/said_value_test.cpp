// Tests of values next to the word that a question asks about.
#include "pipelines/extractive/said_value.h"

#include <gtest/gtest.h>

#include "support/small_store.h"

namespace fineprint::pipelines::extractive {
namespace {

using text::AnswerKind;

// What the last line says for the question.
std::optional<std::string> said(const std::vector<std::string>& lines, AnswerKind kind,
                                const std::string& question) {
  const Page page = testing::typed_page(lines);
  std::optional<std::string> found;
  for (const Snippet& snippet : snippets_of(page)) {
    found = said_value(page, snippet, kind, retrieve::prepare_query(question, {}));
  }
  return found;
}

TEST(SaidValue, ADateFollowsTheVerbOfTheQuestion) {
  const std::vector<std::string> paper = {"Shift work and the family", "Accepted 8 March 2006"};
  const auto when = [&](const char* question) { return said(paper, AnswerKind::date, question); };
  EXPECT_EQ(when("When was the shift work paper accepted?"), "8 March 2006");
  EXPECT_EQ(when("When was the shift work paper received?"), std::nullopt);
  EXPECT_EQ(when("When was the accepted paper on bridges revised?"), std::nullopt);
  EXPECT_EQ(said({"The dredger Gannet was launched in 1987."}, AnswerKind::date,
                 "When was the Gannet launched?"),
            "1987");
}

TEST(SaidValue, TheRestOfTheQuestionIsOnThePage) {
  EXPECT_EQ(said({"Shift work and the family", "Accepted 8 March 2006"}, AnswerKind::date,
                 "When was the treaty of the northern harbours accepted?"),
            std::nullopt);
}

TEST(SaidValue, ANameIsNextToItsRole) {
  const auto who = [](const char* line, const char* question) {
    return said({line}, AnswerKind::name, question);
  };
  EXPECT_EQ(who("Unrepresented Employee: Superintendent Wendy Gray", "Who is the superintendent?"),
            "Wendy Gray");
  EXPECT_EQ(who("Contact: Ian Wong, Manager, Harbour Branch", "Who is the manager?"), "Ian Wong");
  EXPECT_EQ(who("Ann Lee and the manager of the dock met Bo Reed.", "Who is the manager?"),
            std::nullopt);
  EXPECT_EQ(who("Ian, Manager, Harbour Branch", "Who is the manager of the Harbour Branch?"),
            std::nullopt);
}

}  // namespace
}  // namespace fineprint::pipelines::extractive
