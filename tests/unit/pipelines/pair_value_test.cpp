// Tests of answers from labels and their values.
#include "pipelines/extractive/pair_value.h"

#include <gtest/gtest.h>

#include "fineprint/pipelines/pipeline.h"

#include "pipelines/extractive/label_terms.h"
#include "support/small_store.h"

namespace fineprint::pipelines {
namespace {

using testing::type_element;

Page sheet(const std::string& title, const std::vector<std::string>& lines) {
  Page page;
  type_element(&page, ElementKind::heading, {title});
  type_element(&page, ElementKind::table, lines, 0);
  return page;
}

class PairValue : public ::testing::Test {
 protected:
  PairValue() {
    store_.put("anstey.pdf",
               {sheet("Register of Anstey harbour",
                      {"Name of vessel    Merry Heron", "Skipper           Ines Farrow",
                       "Length in metres  11.4", "Insured           \u2612 Yes \u2610 No",
                       "Life rafts tested \u2610"})});
    store_.put("brixley.pdf",
               {sheet("Register of Brixley harbour",
                      {"Name of vessel    Grey Curlew", "Skipper           Tomas Weld",
                       "Length in metres  9.8", "Insured           \u2610 Yes \u2612 No",
                       "Life rafts tested \u2612"})});
    options_.search.scorers = {"bm25"};
  }

  std::string ask(const std::string& text) {
    testing::Asking asking(store_);
    Question question;
    question.text = text;
    const Answer answer = find("extractive").run(asking.context(), question, options_);
    quote_ = answer.citations.empty() ? "" : answer.citations[0].quote;
    return answer.answer;
  }

  testing::SmallStore store_;
  PipelineOptions options_;
  std::string quote_;  // of the last answer
};

TEST_F(PairValue, IsTheValueOfTheAskedLabel) {
  EXPECT_EQ(ask("Who is the skipper at Anstey?"), "Ines Farrow");
  EXPECT_EQ(quote_, "Skipper Ines Farrow");
  EXPECT_EQ(ask("Which vessel is Brixley's?"), "Grey Curlew");
  EXPECT_EQ(ask("Length at Brixley?"), "9.8");
}

TEST_F(PairValue, AnEmptyBoxIsNoAndATickedOneYes) {
  EXPECT_EQ(ask("Were the life rafts at Anstey tested?"), "No");
  EXPECT_EQ(ask("Were the life rafts at Brixley tested?"), "Yes");
}

TEST_F(PairValue, ALabelWithoutAValueIsNoAnswer) {
  store_.put("locker.pdf", {sheet("Lockers of Corfe harbour",
                                  {"Tenant            Nora Pike", "Padlock", "Size in litres    40",
                                   "Colour            \u2610 red \u2610 blue"})});
  EXPECT_EQ(ask("What is the padlock at Corfe?"), kNotAnswerable);
  EXPECT_EQ(ask("Which padlock does the tenant at Corfe have?"), kNotAnswerable);
  EXPECT_EQ(ask("Which colour was chosen at Corfe?"), kNotAnswerable);
  EXPECT_EQ(ask("Is there a padlock at Corfe?"), kNotAnswerable);
  EXPECT_EQ(ask("Who is the tenant at Corfe?"), "Nora Pike");
}

TEST_F(PairValue, WordsOfChoosingTellNothing) {
  store_.put("berth.pdf", {sheet("Berth request", {"Boat              Sea Pinks",
                                                   "Kind of berth     \u2610 Quay \u2612 Buoy"})});
  EXPECT_EQ(ask("Which kind of berth was chosen?"), "Buoy");
}

TEST_F(PairValue, ABoxBeforeAnItemSaysWhetherItWasChosen) {
  store_.put("meals.pdf",
             {sheet("Breakfast at Corfe", {"Drinks            \u2612 Orange juice \u2610 Tea",
                                           "\u2610 Brown bread", "\u2612 Toast with butter"})});
  EXPECT_EQ(ask("Was tea chosen for breakfast?"), "No");
  EXPECT_EQ(ask("Was orange juice chosen for breakfast?"), "Yes");
  EXPECT_EQ(ask("Is the brown bread ticked?"), "No");
  EXPECT_EQ(ask("Is the toast ticked?"), "Yes");
}

TEST_F(PairValue, TheTickedChoiceCounts) {
  EXPECT_EQ(ask("Is the vessel at Anstey insured?"), "Yes");
  EXPECT_EQ(ask("Is the vessel at Brixley insured?"), "No");
}

std::optional<std::string> value_for(const std::string& question, const Page& page,
                                     const std::string& start, text::AnswerKind kind) {
  for (const Snippet& snippet : snippets_of(page)) {
    if (!snippet.text.starts_with(start)) continue;
    return extractive::pair_value(page, snippet, kind, retrieve::prepare_query(question, {}));
  }
  return "no such snippet";
}

TEST(PairValueOf, TheLabelMustBeAskedFor) {
  const Page page = sheet(
      "Heron 40", {"Net weight       12 kg", "Gross weight     15 kg", "Housing          bronze"});
  using enum text::AnswerKind;
  EXPECT_EQ(value_for("What is the net weight of the Heron?", page, "Net", text), "12 kg");
  EXPECT_EQ(value_for("What is the net weight of the Heron?", page, "Gross", text), std::nullopt);
  EXPECT_EQ(value_for("What is the weight of the Heron?", page, "Net", text), std::nullopt);
  EXPECT_EQ(value_for("What is the housing of the trial in spring?", page, "Housing", text),
            std::nullopt);
  EXPECT_EQ(value_for("How many housings are there?", page, "Housing", count), std::nullopt);
}

TEST(PairValueOf, TheRecordWithTheOtherWordsIsMeant) {
  const Page page = sheet("Register", {"Harbour      Anstey", "Skipper      Ines Farrow",
                                       "Harbour      Corfe", "Skipper      Ada Lorne"});
  const std::string question = "Who is the skipper of Corfe?";
  EXPECT_EQ(value_for(question, page, "Skipper Ada", text::AnswerKind::name), "Ada Lorne");
  EXPECT_EQ(value_for(question, page, "Skipper Ines", text::AnswerKind::name), std::nullopt);
}

TEST(PairValueOf, WordsOfALabel) {
  const Page page = sheet("Register", {"Harbour      Anstey", "Skipper      Ines Farrow"});
  EXPECT_TRUE(extractive::is_all_label(page, {1}));
  EXPECT_FALSE(extractive::is_all_label(page, {1, 2}));
  EXPECT_FALSE(extractive::is_all_label(page, {}));
}

TEST(PairValueOf, APluralMayBeALabel) {
  const Page page =
      sheet("Order of the yard",
            {"Payment terms   30 days net", "Supplier        Berg Timber", "Currency        NOK"});
  for (const Snippet& snippet : snippets_of(page)) {
    const auto query = retrieve::prepare_query("What are the payment terms of the order?", {});
    const auto value = extractive::pair_value(page, snippet, text::AnswerKind::list, query);
    EXPECT_EQ(value.value_or("none"), snippet.text.starts_with("Payment") ? "30 days net" : "none")
        << snippet.text;
  }
}

TEST(LooksLikeKind, DatesAmountsAndCodesDiffer) {
  using extractive::looks_like_kind;
  using enum text::AnswerKind;
  for (const char* value : {"01.06.2025", "FY2024", "2024", "3 June 2025"}) {
    EXPECT_TRUE(looks_like_kind(value, 1, date)) << value;
  }
  for (const char* value : {"2025-0417", "K-9921"}) {
    EXPECT_FALSE(looks_like_kind(value, 1, date)) << value;
  }
  EXPECT_FALSE(looks_like_kind("01.06.2025", 1, money));
  EXPECT_TRUE(looks_like_kind("2024", 1, count));
  EXPECT_TRUE(looks_like_kind("576.00", 1, money));
}

// German writes the number of a thing as one word, and abbreviates it in forms.
TEST_F(PairValue, GermanNumbersMayBeAbbreviated) {
  Page page = sheet("Larch GmbH", {"Rechnungsnr.      30064443", "Kunden-Nr.        47774",
                                   "Datum             7. Mai 2014"});
  page.language = "de";
  type_element(
      &page, ElementKind::paragraph,
      {"Bei Fragen zur Rechnung geben Sie bitte die Rechnungsnummer und Kundennummer an."});
  store_.put("larch.pdf", {page});
  EXPECT_EQ(ask("Wie lautet die Rechnungsnummer?"), "30064443");
  EXPECT_EQ(ask("Wie lautet die Kundennummer?"), "47774");
}

TEST(LabelTerms, KnowTheNumberOfAThingInOneWordAndInTwo) {
  const std::vector<std::string> stored = {"de"};
  const retrieve::Query query = retrieve::prepare_query("Wie ist die Kundennummer?", stored);
  for (const char* label :
       {"Kundennummer", "Kunden-Nr.", "Kunden Nr.", "Kunden (neu) Nr", "kunden.nr"}) {
    Page page = testing::typed_page({label});
    page.language = "de";
    const auto words = static_cast<std::uint32_t>(page.words.size());
    EXPECT_EQ(extractive::asked_share(extractive::label_terms_of(page, {0, words}), query), 1)
        << label;
  }
}

TEST(LabelTerms, WordsThatAHyphenJoinsMayBeAskedAsOne) {
  const auto share = [](const std::string& question) {
    const std::vector<std::string> stored = {"de"};
    return extractive::asked_share({.core = {"beleg", "datum"}, .rest = {}},
                                   retrieve::prepare_query(question, stored));
  };
  EXPECT_EQ(share("Was ist das Belegdatum?"), 1);
  EXPECT_EQ(share("Was ist das Lieferdatum?"), 0);
}

// Words that are elsewhere on the page count only for a label that is all asked for.
TEST(LabelFit, OfALabelThatIsAskedForInPartNeedsTheOtherWordsNearIt) {
  Page page =
      sheet("Offices", {"Company secretary    Della Marchbank", "Audit                Ann Lee"});
  type_element(&page, ElementKind::paragraph, {"The ferry has accounts of its own."});
  const auto fit = [&](const std::string& label) {
    const retrieve::Query query =
        retrieve::prepare_query("Who audited the accounts of the ferry company?", {});
    for (const Snippet& snippet : snippets_of(page)) {
      if (snippet.text.starts_with(label)) return extractive::label_fit(page, snippet, query);
    }
    return -1.0;
  };
  EXPECT_EQ(fit("Company secretary"), 0);
  EXPECT_GT(fit("Audit"), 0);
}

TEST_F(PairValue, WhatTheQuestionNamesIsNoAnswer) {
  Page page;
  type_element(&page, ElementKind::paragraph, {"Invoice No. 2022089083"});
  type_element(&page, ElementKind::paragraph, {"Date: 28/11/2022"});
  store_.put("bill.pdf", {page});
  EXPECT_EQ(ask("What is the date of invoice 2022089083?"), "28/11/2022");
}

}  // namespace
}  // namespace fineprint::pipelines
