// Tests of the parts of text encoders against their definitions: pooling, windows, layers behind.
#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/rand.h>
#include <gtest/gtest.h>

#include "fineprint/models/model_spec.h"

#include "nets/encoders/cross_encoder.h"
#include "nets/encoders/late_text_encoder.h"
#include "nets/encoders/pooling.h"
#include "nets/encoders/rotary_encoder.h"
#include "nets/encoders/sentence_encoder.h"
#include "nets/layers/window_attention.h"

namespace fineprint::nets {
namespace {

models::ModelSpec model_of_case(const std::string& name) {
  return models::read_model(std::string(FINEPRINT_TEST_DATA) + "/" + name + "/model");
}

TEST(PoolSequences, MeanFirstAndLast) {
  const at::Tensor states = at::arange(12, at::kFloat).view({6, 2});
  PackedTokens tokens;
  tokens.ids.resize(6);
  tokens.offsets = {0, 2, 3, 6};
  const auto rows = [&](models::Pooling pooling) {
    const at::Tensor pooled = pool_sequences(pooling, states, tokens).contiguous();
    return std::vector<float>(pooled.const_data_ptr<float>(), pooled.const_data_ptr<float>() + 6);
  };
  EXPECT_EQ(rows(models::Pooling::mean), (std::vector<float>{1, 2, 4, 5, 8, 9}));
  EXPECT_EQ(rows(models::Pooling::first_token), (std::vector<float>{0, 1, 4, 5, 6, 7}));
  EXPECT_EQ(rows(models::Pooling::last_token), (std::vector<float>{2, 3, 4, 5, 10, 11}));
}

// softmax over the keys that a query may see, one query at a time.
at::Tensor window_by_definition(const at::Tensor& query, const at::Tensor& key,
                                const at::Tensor& value, std::int64_t window, std::int64_t seen) {
  std::vector<at::Tensor> rows;
  for (std::int64_t t = 0; t < query.size(1); ++t) {
    const std::int64_t first = std::max<std::int64_t>(0, t - window);
    const std::int64_t count = std::max<std::int64_t>(0, std::min(seen, t + window + 1) - first);
    const at::Tensor scores =
        query.narrow(1, t, 1).matmul(key.narrow(1, first, count).transpose(1, 2)) /
        std::sqrt(double(query.size(2)));
    rows.push_back(scores.softmax(-1).matmul(value.narrow(1, first, count)).reshape({1, -1}));
  }
  return at::cat(rows);
}

TEST(AttendWindow, EqualsItsDefinition) {
  const Running running(Device{});
  for (const std::int64_t total : {1, 7, 33, 100}) {
    for (const std::int64_t window : {1, 4, 16, 50, 200}) {
      const at::Tensor query = at::rand({3, total, 8}).mul_(4), key = at::rand({3, total, 8});
      const at::Tensor value = at::rand({3, total, 8});
      const at::Tensor ours = attend_window(query, key, value, window, total);
      EXPECT_TRUE(
          at::allclose(ours, window_by_definition(query, key, value, window, total), 1e-5, 1e-5))
          << total << " tokens, window " << window;
    }
  }
}

// Grouped heads see the keys of their group.
TEST(AttendWindow, HeadsShareKeys) {
  const Running running(Device{});
  const at::Tensor query = at::rand({6, 70, 8}).mul_(4);
  const at::Tensor key = at::rand({2, 70, 8}), value = at::rand({2, 70, 8});
  const auto repeated = [](const at::Tensor& x) { return x.repeat_interleave(3, 0); };
  EXPECT_TRUE(at::allclose(attend_window(query, key, value, 9, 70),
                           window_by_definition(query, repeated(key), repeated(value), 9, 70), 1e-5,
                           1e-5));
}

// Tokens that see none of what is attended to get nothing, and no NaN.
TEST(AttendWindow, SeesOnlyWhatIsAttendedTo) {
  const Running running(Device{});
  const at::Tensor query = at::rand({2, 60, 8}), key = at::rand({2, 60, 8});
  const at::Tensor value = at::rand({2, 60, 8});
  const at::Tensor ours = attend_window(query, key, value, 5, 20);
  EXPECT_TRUE(at::isfinite(ours).all().item().toBool());
  EXPECT_TRUE(at::allclose(ours, window_by_definition(query, key, value, 5, 20), 1e-5, 1e-5));
  EXPECT_EQ(ours[40].abs().max().item().toDouble(), 0);
}

// Sequences in one pass do not see each other, windows or not.
TEST(RotaryEncoderNet, SequencesStandAlone) {
  for (const char* name : {"modernbert_a", "gte_a"}) {
    const SentenceEncoder encoder(model_of_case(name), Device{});
    std::vector<std::string> texts;
    for (int n = 0; n < 12; ++n) {
      std::string text;
      for (int word = 0; word <= n * 5; ++word) text += "licence " + std::to_string(word) + " ";
      texts.push_back(text);
    }
    const Matrix together = encoder.embed(texts, models::TextRole::passage);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const Matrix alone = encoder.embed({&texts[i], 1}, models::TextRole::passage);
      for (std::size_t c = 0; c < alone.cols; ++c) {
        EXPECT_NEAR(alone.row(0)[c], together.row(i)[c], 1e-5) << name;
      }
    }
  }
}

TEST(SentenceEncoder, PrefixesStandBeforeTheText) {
  const SentenceEncoder encoder(model_of_case("xlmr_a"), Device{});
  const std::string text = "Net sales rose.";
  const Matrix asked = encoder.embed({&text, 1}, models::TextRole::query);
  const std::string written = "query: " + text, other = "passage: " + text;
  models::ModelSpec plain = model_of_case("xlmr_a");
  plain.prompt.query_prefix = plain.prompt.passage_prefix = "";
  const SentenceEncoder bare(plain, Device{});
  EXPECT_EQ(bare.embed({&written, 1}, models::TextRole::passage).values, asked.values);
  EXPECT_EQ(bare.embed({&other, 1}, models::TextRole::passage).values,
            encoder.embed({&text, 1}, models::TextRole::passage).values);
}

TEST(LateTextEncoder, SkipsTheTokensThatTheModelNames) {
  const LateTextEncoder encoder(model_of_case("late_modernbert_a"), Device{});
  const std::string text = "a,b.c";
  const auto tokens = encoder.tokens(text, models::TextRole::passage);
  ASSERT_EQ(tokens.ids.size(), 8U);  // [CLS] [D] a , b . c [SEP]
  EXPECT_EQ(tokens.is_kept, (std::vector<std::uint8_t>{1, 1, 1, 0, 1, 0, 1, 1}));
  EXPECT_EQ(encoder.embed_texts({&text, 1}, models::TextRole::passage)[0].rows, 6U);
  EXPECT_EQ(encoder.embed_texts({&text, 1}, models::TextRole::query)[0].rows, 24U);
  models::ModelSpec unfilled = model_of_case("late_modernbert_a");
  unfilled.prompt.fill_queries = unfilled.prompt.attend_to_fill = false;
  unfilled.prompt.query_marker = "";
  const LateTextEncoder shorter(unfilled, Device{});
  EXPECT_EQ(shorter.embed_texts({&text, 1}, models::TextRole::query)[0].rows, 7U);
}

TEST(CrossEncoder, BatchesChangeNothing) {
  for (const char* name : {"rerank_bert_a", "rerank_modernbert_a"}) {
    const CrossEncoder encoder(model_of_case(name), Device{.threads = 2});
    std::vector<std::string> passages;
    for (int n = 0; n < 40; ++n) passages.push_back(std::string(n * 3, 'a') + " licence");
    const std::vector<double> together = encoder.score("what?", passages);
    for (std::size_t i = 0; i < passages.size(); ++i) {
      EXPECT_NEAR(encoder.score("what?", {&passages[i], 1})[0], together[i], 1e-5) << name;
      EXPECT_GT(together[i], 0);
      EXPECT_LT(together[i], 1);
    }
    EXPECT_TRUE(encoder.score("what?", {}).empty());
  }
}

TEST(CrossEncoder, TheLongerTextLosesItsEnd) {
  const CrossEncoder encoder(model_of_case("rerank_bert_a"), Device{});
  std::string words;
  for (int n = 0; n < 200; ++n) words += "a ";
  const auto both = encoder.pair(words, words), first = encoder.pair(words, "a");
  const auto second = encoder.pair("a", words);
  for (const auto& pair : {both, first, second}) EXPECT_EQ(pair.ids.size(), 64U);
  const auto ones = [](const CrossEncoder::Pair& pair) {
    return std::count(pair.types.begin(), pair.types.end(), 1);
  };
  EXPECT_EQ(ones(both), 32);  // 31 tokens and the last special one
  EXPECT_EQ(ones(first), 2);  // "a", and that one
  EXPECT_EQ(ones(second), 61);
  EXPECT_TRUE(encoder.pair("", "").ids.size() == 3);
}

TEST(CrossEncoder, RefusesTypesThatTheModelLacks) {
  models::ModelSpec spec = model_of_case("rerank_bert_a");
  std::get<models::TextEncoder>(spec.trunk).type_vocab_size = 1;
  EXPECT_THROW(CrossEncoder(spec, Device{}), Error);
}

}  // namespace
}  // namespace fineprint::nets
