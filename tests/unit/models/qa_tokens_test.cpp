// Tests of what a QA model is shown: places, kinds and ranks of cells, units, and what is cut off.
#include "fineprint/models/qa_tokens.h"

#include <cctype>

#include <gtest/gtest.h>

#include "models/qa/match.h"
#include "support/listed_tokenizer.h"

namespace fineprint::models {
namespace {

// Words at blanks, every character one byte; ids do not matter but for the special ones.
class Words final : public testing::ListedTokenizer {
 public:
  Words() : ListedTokenizer({"[CLS]", "[SEP]", "word"}) {}

  std::vector<tokenizer::Token> encode(std::string_view text, bool) const override {
    std::vector<tokenizer::Token> tokens;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == ' ') continue;
      const std::size_t begin = i;
      while (i < text.size() && text[i] != ' ') ++i;
      tokens.push_back({2, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(i), 0});
    }
    return tokens;
  }
};

std::vector<std::int64_t> of(const QaTokens& tokens, QaFeature which) {
  return tokens.features[static_cast<std::size_t>(which)];
}

QaPassage table() {
  QaPassage passage;
  passage.context = "in millions";
  passage.rows = {{"", "2020", "2021"}, {"Net sales", "5", "(4)"}, {"Costs", "3", "9"}};
  return passage;
}

TEST(QaTokens, CellsKnowTheirPlaceAndRank) {
  const Words words;
  const QaTokens tokens = QaLayout(words, 64).lay_out("sales over 4", table());
  using L = std::vector<std::int64_t>;
  // [CLS] sales over 4 [SEP] in millions | 2020 2021 | Net sales 5 (4) | Costs 3 9 [SEP]
  EXPECT_EQ(tokens.ids, (L{0, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1}));
  EXPECT_EQ(tokens.types, (L{0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(tokens.positions, (L{0, 1, 2, 3, 4, 5, 6, 0, 0, 0, 1, 0, 0, 0, 0, 0, 16}));
  using F = QaFeature;
  EXPECT_EQ(of(tokens, F::row), (L{0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 0}));
  EXPECT_EQ(of(tokens, F::column), (L{0, 0, 0, 0, 0, 0, 0, 2, 3, 1, 1, 2, 3, 1, 2, 3, 0}));
  EXPECT_EQ(of(tokens, F::kind), (L{0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 3, 4, 4, 0}));
  EXPECT_EQ(of(tokens, F::rank), (L{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 0, 1, 2, 0}));
  EXPECT_EQ(of(tokens, F::inverse_rank), (L{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 2, 1, 0}));
  EXPECT_EQ(of(tokens, F::relation), (L{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 4, 0, 4, 2, 0}));
  ASSERT_EQ(tokens.units.size(), 8U);
  EXPECT_EQ(tokens.units[2].row, 1);
  EXPECT_EQ(tokens.units[2].column, 0);
  EXPECT_EQ(tokens.units[2].first, 9U);
  EXPECT_EQ(tokens.units[2].last, 11U);
  EXPECT_EQ(tokens.rows_read, 3U);
}

TEST(QaTokens, TextsHaveNoRelations) {
  const Words words;
  QaPassage passage;
  passage.text = "sales were 4";
  EXPECT_TRUE(qa_relations(QaLayout(words, 64).lay_out("sales", passage)).empty());
}

// Ids are the words themselves.
class Spelled final : public testing::ListedTokenizer {
 public:
  Spelled() : ListedTokenizer({"[CLS]", "[SEP]", "word"}) {}

  std::vector<tokenizer::Token> encode(std::string_view text, bool) const override {
    std::vector<tokenizer::Token> tokens = Words().encode(text, false);
    for (tokenizer::Token& token : tokens) {
      token.id = spelled(text.substr(token.begin, token.end - token.begin));
    }
    return tokens;
  }
  std::int32_t id_of(std::string_view token) const override {
    return token.starts_with('[') ? ListedTokenizer::id_of(token) : spelled(token);
  }

 private:
  static std::int32_t spelled(std::string_view word) {
    std::uint32_t id = 2;
    for (const char c : word) id = id * 31 + static_cast<unsigned char>(c);
    return static_cast<std::int32_t>(id % 1'000'000'007);
  }
};

TEST(QaTokens, RelationsTellRowsColumnsAndEqualWords) {
  const Spelled words;
  // [CLS] costs 3 [SEP] in millions | 2020 2021 | Net sales 5 (4) | costs 3 9 [SEP]
  QaPassage passage = table();
  passage.rows[2][0] = "costs";
  const QaTokens tokens = QaLayout(words, 64).lay_out("costs 3", passage);
  const std::size_t count = tokens.ids.size();
  ASSERT_EQ(count, 16U);
  const std::vector<std::uint8_t> relations = qa_relations(tokens);
  ASSERT_EQ(relations.size(), count * count + kQaRelations);
  const auto from_to = [&](std::size_t from, std::size_t to) {
    return static_cast<QaRelation>(relations[from * count + to]);
  };
  using R = QaRelation;
  const std::size_t asked = 1, last = 3, context = 4, head = 6, net = 8, sales = 9, five = 10,
                    four = 11, costs = 12, three = 13, nine = 14;
  EXPECT_EQ(from_to(net, sales), R::same_cell);
  EXPECT_EQ(from_to(net, five), R::same_row);
  EXPECT_EQ(from_to(five, net), R::head_of_row);
  EXPECT_EQ(from_to(five, head), R::head_of_column);
  EXPECT_EQ(from_to(head, five), R::cell_of_column);
  EXPECT_EQ(from_to(head, three), R::cell_of_column);
  EXPECT_EQ(from_to(three, five), R::cell_above);
  EXPECT_EQ(from_to(five, three), R::cell_below);
  EXPECT_EQ(from_to(nine, five), R::row_above);
  EXPECT_EQ(from_to(five, nine), R::row_below);
  EXPECT_EQ(from_to(four, head), R::other) << "of another column";
  EXPECT_EQ(from_to(costs, asked), R::question_same);
  EXPECT_EQ(from_to(three, asked), R::question);
  EXPECT_EQ(from_to(asked, costs), R::cell_same);
  EXPECT_EQ(from_to(asked, head), R::head);
  EXPECT_EQ(from_to(asked, five), R::cell);
  EXPECT_EQ(from_to(asked, asked), R::other);
  EXPECT_EQ(from_to(asked, context), R::other);
  EXPECT_EQ(from_to(context, five), R::other);
  EXPECT_EQ(from_to(last, five), R::cell) << "the question's last token";
}

// That of [CLS], then of the question's words, then of the words of cells, row by row.
std::vector<Match> matches(const std::string& question, const QaPassage& passage) {
  const Spelled words;
  const QaTokens tokens = QaLayout(words, 64).lay_out(question, passage);
  std::vector<Match> found;
  for (std::size_t i = 0; i < tokens.ids.size(); ++i) {
    const bool is_frame = tokens.ids[i] == words.id_of("[SEP]");
    const bool is_context = tokens.types[i] == 1 && of(tokens, QaFeature::row)[i] == 0;
    if (is_frame || is_context) continue;
    found.push_back(static_cast<Match>(of(tokens, QaFeature::match)[i]));
  }
  return found;
}

TEST(QaTokens, WordsOfTheQuestionKnowWhetherTheyStandInOneRow) {
  using M = Match;
  using L = std::vector<Match>;
  QaPassage passage;
  passage.context = "of ports";
  passage.rows = {{"port", "berths"}, {"ostby", "12"}, {"lunde", "30"}, {"voss", "12"}};
  const L heads = {M::nothing, M::nothing};
  const auto rows = [](M first, M second, M third) {
    return L{first, first, second, second, third, third};
  };
  const auto joined = [](L parts, const L& more, const L& last) {
    parts.insert(parts.end(), more.begin(), more.end());
    parts.insert(parts.end(), last.begin(), last.end());
    return parts;
  };
  EXPECT_EQ(matches("lunde has 30 berths", passage),
            joined({M::all_in_one, M::best_row, M::nothing, M::best_row, M::beside}, heads,
                   rows(M::of_other_row, M::of_best_row, M::of_other_row)));
  // What more rows say counts less: ostby's row and lunde's hold a word of one row each, ostby's
  // half of "12" as well.
  EXPECT_EQ(matches("12 ostby lunde oslo", passage),
            joined({M::one_elsewhere, M::best_row, M::best_row, M::other_row, M::nowhere}, heads,
                   rows(M::of_best_row, M::of_other_row, M::of_other_row)));
  EXPECT_EQ(matches("12", passage), joined({M::all_in_one, M::best_row}, heads,
                                           rows(M::of_best_row, M::of_other_row, M::of_best_row)))
      << "rows of the same worth are all the best";
  EXPECT_EQ(matches("ports of oslo", passage),
            joined({M::nothing, M::beside, M::nothing, M::nowhere}, heads,
                   rows(M::nothing, M::nothing, M::nothing)));
}

TEST(QaTokens, WordsOfTheQuestionKnowWhetherATextHasThem) {
  QaPassage passage;
  passage.text = "lunde has berths";
  using M = Match;
  EXPECT_EQ(matches("oslo has berths", passage),
            (std::vector<M>{M::nothing, M::nowhere, M::nothing, M::best_row}));
}

TEST(QaTokens, RelationsOfOneColumnAreOfNeighboursAndOthers) {
  const Words words;
  QaPassage passage;
  passage.rows = {{"year"}, {"1"}, {"2"}, {"3"}};
  const QaTokens tokens = QaLayout(words, 64).lay_out("sum", passage);
  const std::vector<std::uint8_t> relations = qa_relations(tokens);
  const std::size_t first = tokens.units[1].first, count = tokens.ids.size();
  const auto from_first = [&](std::size_t unit) {
    return static_cast<QaRelation>(relations[first * count + tokens.units[unit].first]);
  };
  EXPECT_EQ(from_first(2), QaRelation::cell_below);
  EXPECT_EQ(from_first(3), QaRelation::same_column);
}

TEST(QaTokens, HeadsThatTheQuestionSaysAreMarked) {
  const Spelled words;
  QaPassage passage;
  passage.rows = {{"", "2020", "2021"}, {"Net sales", "5", "4"}, {"Net costs of", "3", "9"}};
  const QaTokens tokens = QaLayout(words, 64).lay_out("Net sales in 2021", passage);
  // [CLS] Net sales in 2021 [SEP] 2020 2021 | Net sales 5 4 | Net costs of 3 9 [SEP]
  using L = std::vector<std::int64_t>;
  using F = QaFeature;
  EXPECT_EQ(of(tokens, F::row_asked),
            (L{7, 0, 0, 0, 0, 0, 0, 0, 15, 15, 15, 15, 4, 4, 4, 4, 4, 0}));
  EXPECT_EQ(of(tokens, F::column_asked),
            (L{0, 0, 0, 0, 0, 0, 1, 15, 0, 0, 1, 15, 0, 0, 0, 1, 15, 0}));
  EXPECT_EQ(of(tokens, F::asked), (L{0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0}));
  EXPECT_EQ(of(tokens, F::nearby), (L{3, 0, 0, 0, 0, 0, 1, 1, 2, 2, 2, 2, 1, 1, 1, 1, 1, 0}));
  // Years and words; the question wants nothing that its words would tell.
  EXPECT_EQ(of(tokens, F::shape), (L{0, 0, 0, 0, 0, 0, 6, 6, 2, 2, 5, 5, 2, 2, 2, 5, 5, 0}));
  EXPECT_EQ(of(tokens, F::sought), (L{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(QaTokens, WordsOfTextsKnowWhatStandsNearAndHowTheyAreWritten) {
  const Spelled words;
  QaPassage passage;
  passage.text = "the Tern audits ferries in 2019 a b c d e f g h audits";
  const QaTokens tokens = QaLayout(words, 64).lay_out("who audits the ferries", passage);
  // [CLS] who audits the ferries [SEP] the Tern audits ferries in 2019 a b c d e f g h audits [SEP]
  using L = std::vector<std::int64_t>;
  using F = QaFeature;
  EXPECT_EQ(of(tokens, F::asked),
            (L{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0}));
  EXPECT_EQ(of(tokens, F::nearby),
            (L{2, 0, 0, 0, 0, 0, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 0}));
  EXPECT_EQ(of(tokens, F::shape),
            (L{0, 0, 0, 0, 0, 0, 1, 2, 1, 1, 1, 6, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0}));
  EXPECT_EQ(of(tokens, F::sought),
            (L{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0}));
  EXPECT_EQ(of(tokens, F::row_asked).front(), 7);
}

TEST(QaTokens, RowsBehindTheLimitAreLeftOutAsAWhole) {
  const Words words;
  QaPassage passage = table();
  passage.rows.push_back({"Gross profit", "2", "7"});
  const QaTokens tokens = QaLayout(words, 8).lay_out("sales over", passage);
  EXPECT_EQ(tokens.rows_read, 3U);
  EXPECT_EQ(tokens.ids.size(), 16U) << "twice as many as of a text";
  EXPECT_EQ(tokens.ids.back(), 1);
}

TEST(QaTokens, NumbersOfTextsAreUnits) {
  const Words words;
  QaPassage passage;
  passage.text = "It fell by (1,200) to 40%";
  const QaTokens tokens = QaLayout(words, 64).lay_out("q", passage);
  EXPECT_EQ(tokens.text_begin, 3U);
  EXPECT_EQ(tokens.text_end, 9U);
  ASSERT_EQ(tokens.units.size(), 2U);
  EXPECT_EQ(passage.text.substr(tokens.units[0].begin, 5), "1,200");
  EXPECT_EQ(tokens.units[0].first, 6U);
  EXPECT_EQ(tokens.units[1].first, 8U);
  EXPECT_FALSE(tokens.text_cut);
}

TEST(QaTokens, TextsAreCutAtTheLimitAndSaySo) {
  const Words words;
  QaPassage passage;
  passage.text = "one two three 4";
  const QaTokens tokens = QaLayout(words, 6).lay_out("q", passage);
  EXPECT_EQ(tokens.ids.size(), 6U);
  EXPECT_EQ(tokens.bytes.size(), 2U);
  EXPECT_TRUE(tokens.units.empty());
  EXPECT_TRUE(tokens.text_cut);
}

TEST(QaTokens, BytesAreThoseOfCharacters) {
  QaPassage passage;
  passage.text = "caf\u00e9 ole";  // offsets of tokens count characters
  class Characters final : public testing::ListedTokenizer {
   public:
    Characters() : ListedTokenizer({"[CLS]", "[SEP]", "word"}) {}
    std::vector<tokenizer::Token> encode(std::string_view text, bool) const override {
      if (text == "q") return {{2, 0, 1, 0}};
      return {{2, 0, 4, 0}, {2, 5, 8, 0}};
    }
  };
  const Characters characters;
  const QaTokens tokens = QaLayout(characters, 64).lay_out("q", passage);
  ASSERT_EQ(tokens.bytes.size(), 2U);
  EXPECT_EQ(tokens.bytes[0], (std::pair<std::uint32_t, std::uint32_t>(0, 5)));
  EXPECT_EQ(tokens.bytes[1], (std::pair<std::uint32_t, std::uint32_t>(6, 9)));
}

TEST(QaTokens, ATokenizerWithoutTheFrameIsRefused) {
  const testing::ListedTokenizer none({"a"});
  EXPECT_ANY_THROW(QaLayout(none, 64));
}

}  // namespace
}  // namespace fineprint::models
