// Follow-ups that the rules write out, and questions that they leave as they are.
#include "fineprint/dialogue/follow_up.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace fineprint::dialogue {
namespace {

const Turn kGannet{.question = "How many passengers can the Gannet carry?",
                   .answer = "1,040",
                   .docs = {"report.pdf"}};

std::string after(const Turn& turn, const std::string& asked) {
  return understand(asked, std::vector{turn}).question;
}

TEST(FollowUp, ReplacesANameOnly) {
  EXPECT_EQ(after(kGannet, "And the Storm Petrel?"),
            "How many passengers can the Storm Petrel carry?");
  EXPECT_EQ(after(kGannet, "what about the tern"), "How many passengers can the tern carry?");
  EXPECT_EQ(after({.question = "What is the offset of the Old Staithe gauge?"}, "And Tarn Mouth?"),
            "What is the offset of the Tarn Mouth gauge?");
}

TEST(FollowUp, ReplacesWhatWasAskedForIfAWordOfItComesAgain) {
  EXPECT_EQ(
      after({.question = "How many freshwater ducks were seen in 2020?"}, "And saltwater ducks?"),
      "How many saltwater ducks were seen in 2020?");
}

TEST(FollowUp, ReplacesOrAddsAYear) {
  const Turn turn{.question = "What was the revenue in 2022?"};
  EXPECT_EQ(after(turn, "And in 2021?"), "What was the revenue in 2021?");
  EXPECT_EQ(after(turn, "2021?"), "What was the revenue in 2021?");
  EXPECT_EQ(after({.question = "What was the revenue?"}, "and 2021"),
            "What was the revenue in 2021?");
}

TEST(FollowUp, CountsYearsFromTheLastOne) {
  const Turn turn{.question = "What was the revenue in 2022?"};
  EXPECT_EQ(after(turn, "How much was that in the year before?"), "What was the revenue in 2021?");
  EXPECT_EQ(after(turn, "and the following year?"), "What was the revenue in 2023?");
  EXPECT_EQ(
      after(turn, "How many people worked there in that year?").find("2022") != std::string::npos,
      true);
  // Without a year in the conversation, the words stay.
  EXPECT_EQ(after({.question = "What was the revenue?"}, "What was the profit in the year before?"),
            "What was the profit in the year before?");
}

TEST(FollowUp, ReplacesWhatComesAfterTheSamePreposition) {
  const Turn turn{.question = "How much did Harbor & Skerry spend on fuel in 2023?"};
  EXPECT_EQ(after(turn, "And on crew?"), "How much did Harbor & Skerry spend on crew in 2023?");
}

TEST(FollowUp, WritesOutPronouns) {
  EXPECT_EQ(after(kGannet, "When was it built?"), "When was the Gannet built?");
  EXPECT_EQ(after(kGannet, "And its length?"), "What is the length of the Gannet?");
  EXPECT_EQ(after({.question = "How many slates are missing?"}, "Who replaces them?"),
            "Who replaces the slates that are missing?");
}

TEST(FollowUp, TakesTheAnswerOfAQuestionForAName) {
  const Turn which{.question = "Which reef did not recover?", .answer = "Kettle Reef"};
  EXPECT_EQ(after(which, "How deep is it?"), "How deep is Kettle Reef?");
  const Turn who{.question = "Who is the chair?",
                 .answer = "The chair since June 2017 is Honor Lysaght."};
  EXPECT_EQ(after(who, "When was she appointed?"), "When was Honor Lysaght appointed?");
}

TEST(FollowUp, DescribesWhatNoAnswerNames) {
  const Turn which{.question = "Which reef did not recover?"};
  EXPECT_EQ(after(which, "How deep is it?"), "How deep is the reef that did not recover?");
  EXPECT_EQ(after({.question = "Who is the chair?"}, "When was she appointed?"),
            "When was the chair appointed?");
  const Turn described{.question = "How deep is the reef that did not recover?"};
  EXPECT_EQ(after(described, "And the bank?"), "How deep is the bank?");
}

TEST(FollowUp, SaysWhereThereIs) {
  EXPECT_EQ(
      after({.question = "When did the heat strike the Orrin Banks?"}, "How many reefs are there?"),
      "How many reefs are there at the Orrin Banks?");
}

TEST(FollowUp, DoesNotNameWhatAnAnswerIsProbablyWrongAbout) {
  Answer sure;
  sure.answer = "Ivo";
  sure.answerable = true;
  sure.confidence = 0.5;
  Answer doubtful = sure;
  doubtful.confidence = 0.49;
  EXPECT_EQ(turn_of(sure).answer, "Ivo");
  EXPECT_EQ(turn_of(doubtful).answer, "");
}

TEST(FollowUp, LooksFurtherBackForAPlaceWithAName) {
  const std::vector<Turn> turns = {{.question = "When did the heat strike the Orrin Banks?"},
                                   {.question = "How hot did the water get?"}};
  EXPECT_EQ(understand("How many reefs are there?", turns).question,
            "How many reefs are there at the Orrin Banks?");
}

TEST(FollowUp, ReadsTheyAsAPersonToo) {
  const std::vector<Turn> turns = {{.question = "Who audits?", .answer = "Tern & Pollock"},
                                   {.question = "How long has Tern & Pollock been the auditor?"}};
  EXPECT_EQ(understand("How much were they paid?", turns).question,
            "How much were Tern & Pollock paid?");
}

TEST(FollowUp, LooksFurtherBackForAThing) {
  const std::vector<Turn> turns = {
      {.question = "Who surveyed the boathouse?", .answer = "Mr Lorne"},
      {.question = "When did Mr Lorne visit?", .answer = "27 September 2022"}};
  EXPECT_EQ(understand("What is the fee for it?", turns).question,
            "What is the fee for the boathouse?");
}

TEST(FollowUp, ReplacesTheWordsThatAsk) {
  EXPECT_EQ(after({.question = "When is the annual general meeting?"}, "Where?"),
            "Where is the annual general meeting?");
  EXPECT_EQ(after({.question = "How many sailings were cancelled in 2020?"}, "And why?"),
            "Why were sailings cancelled in 2020?");
  EXPECT_EQ(after(kGannet, "and how many cars?"), "How many cars can the Gannet carry?");
}

TEST(FollowUp, LimitsTheSearchToTheDocumentThatIsMeant) {
  const Understood understood = understand("Who signed in that document?", std::vector{kGannet});
  EXPECT_EQ(understood.docs, std::vector<std::string>{"report.pdf"});
}

TEST(FollowUp, LeavesQuestionsThatStandAlone) {
  for (const std::string question :
       {"Who chairs the audit committee?", "How many reefs are there on the banks?",
        "What dividend does the board propose?", "How long does it take to cross?",
        "total revenue 2023", "What happens to a bag if it is lost?", "And list the vessels",
        "Which is the reef that did not recover?", "Does the report say that the fares rose?",
        "How much of the fare is refunded for saver tickets?"}) {
    const Understood understood = understand(question, std::vector{kGannet});
    EXPECT_EQ(understood.question, question);
    EXPECT_FALSE(understood.changed);
  }
}

TEST(FollowUp, LeavesTheFirstQuestion) {
  EXPECT_EQ(understand("And in 2021?", {}).question, "And in 2021?");
}

TEST(FollowUp, KnowsGerman) {
  const Turn turn{.question = "Wie hoch war der Umsatz der Stadtwerke im Jahr 2022?"};
  EXPECT_EQ(after(turn, "Und im Jahr davor?"),
            "Wie hoch war der Umsatz der Stadtwerke im Jahr 2021?");
  EXPECT_EQ(after({.question = "Wann wurde das Wasserwerk gebaut?"}, "Was ist mit dem Freibad?"),
            "Wann wurde dem Freibad gebaut?");
}

TEST(FollowUp, SurvivesOddText) {
  for (const std::string asked :
       {"", "?", "and", "And?", "the", "it", "\xff\xfe", "in in in", "its"}) {
    EXPECT_FALSE(understand(asked, std::vector{kGannet}).changed && asked.empty()) << asked;
    understand(asked, std::vector{Turn{.question = asked, .answer = asked}});
  }
}

}  // namespace
}  // namespace fineprint::dialogue
