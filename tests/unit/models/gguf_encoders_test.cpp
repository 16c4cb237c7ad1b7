// Encoders of texts in GGUF files: what they say, and what is refused.
#include <functional>

#include <gtest/gtest.h>

#include "fineprint/models/checkpoint.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/models/retriever.h"

#include "models/known_prefixes.h"
#include "support/gguf_file.h"
#include "support/has.h"
#include "support/model_folder.h"
#include "support/temp_dir.h"

namespace fineprint::models {
namespace {

using testing::GgufFile;
using testing::has;
using testing::model_error;
using testing::TempDir;

constexpr std::uint32_t kPoolsMean = 1, kPoolsFirst = 2, kPoolsLast = 3, kPoolsRanks = 4;

std::string case_file(const std::string& file) {
  return std::string(FINEPRINT_TEST_DATA) + "/" + file;
}

TEST(GgufEncoders, AreTheModelsOfTheirFolders) {
  const ModelSpec file = read_model(case_file("xlmr_gguf/multilingual-e5-tiny.gguf"));
  const ModelSpec folder = read_model(case_file("xlmr_a/model"));
  const auto &ours = std::get<TextEncoder>(file.trunk),
             &theirs = std::get<TextEncoder>(folder.trunk);
  EXPECT_EQ(ours.hidden, theirs.hidden);
  EXPECT_EQ(ours.layers, theirs.layers);
  EXPECT_EQ(ours.vocab_size, theirs.vocab_size);
  EXPECT_EQ(ours.norm_eps, theirs.norm_eps);
  EXPECT_EQ(ours.max_positions, theirs.max_positions);
  EXPECT_EQ(ours.first_position, 0);  // the table begins with the first token's
  EXPECT_EQ(file.head.pooling, folder.head.pooling);
  EXPECT_EQ(file.prompt.max_tokens, folder.prompt.max_tokens);
  // By the file's name; the folder's file says it.
  EXPECT_EQ(file.prompt.query_prefix, folder.prompt.query_prefix);
  EXPECT_EQ(file.prompt.passage_prefix, folder.prompt.passage_prefix);
  EXPECT_EQ(file.prompt.prefix_source, PrefixSource::name);
  Checkpoint(file).check_finite(1);
  EXPECT_EQ(read_model(case_file("bert_gguf/model.gguf")).head.pooling, Pooling::first_token);
  EXPECT_EQ(read_model(case_file("nomic_gguf/nomic-embed-text-tiny.gguf")).family, "nomic_bert");
}

TEST(GgufEncoders, LanguageModelsThatPoolAreEncoders) {
  const ModelSpec spec = read_model(case_file("qwen3_embed_gguf/model.gguf"));
  EXPECT_EQ(spec.family, "qwen3");
  EXPECT_FALSE(spec.head.generates);
  EXPECT_EQ(spec.head.pooling, Pooling::last_token);
  EXPECT_TRUE(read_model(case_file("qwen3_gguf/model.gguf")).head.generates);
  EXPECT_TRUE(has(known_prefixes("Qwen3-Embedding-0.6B-Q8_0").value().query, "\nQuery:"));
}

TEST(GgufEncoders, EmbeddingGemmaIsTheModelOfItsFolder) {
  const ModelSpec file = read_model(case_file("gemma_embed_gguf/embeddinggemma-tiny.gguf"));
  const ModelSpec folder = read_model(case_file("gemma_embed_a/model"));
  const auto &ours = std::get<Decoder>(file.trunk), &theirs = std::get<Decoder>(folder.trunk);
  EXPECT_TRUE(ours.prompt_bidirectional);
  EXPECT_EQ(ours.window, 9);  // 16 in both directions: eight on each side, and the own token
  EXPECT_EQ(ours.window, theirs.window);
  EXPECT_EQ(ours.kinds, theirs.kinds);
  EXPECT_EQ(ours.attention_scale, theirs.attention_scale);
  EXPECT_EQ(file.head.dense.size(), 2U);
  EXPECT_EQ(vector_width(file), vector_width(folder));
  EXPECT_EQ(file.prompt.query_prefix, "task: search result | query: ");
  EXPECT_EQ(file.prompt.passage_prefix, "title: none | text: ");
  EXPECT_EQ(folder.prompt.passage_prefix, file.prompt.passage_prefix);
}

// BERT of one layer, eight wide; null bytes for weights.
GgufFile tiny_bert(std::optional<std::uint32_t> pooling,
                   const std::function<void(GgufFile*)>& more = {}) {
  GgufFile file;
  file.text("general.architecture", "bert");
  file.text("general.name", "Bge Tiny En V1.5");
  for (const auto& [name, value] : {std::pair{"block_count", 1},
                                    {"context_length", 16},
                                    {"embedding_length", 8},
                                    {"feed_forward_length", 12},
                                    {"attention.head_count", 2}}) {
    file.u32("bert." + std::string(name), static_cast<std::uint32_t>(value));
  }
  file.f32("bert.attention.layer_norm_epsilon", 1e-12F);
  if (pooling) file.u32("bert.pooling_type", *pooling);
  file.text("tokenizer.ggml.model", "bert");
  file.texts("tokenizer.ggml.tokens", {"[UNK]", "[CLS]", "[SEP]", "▁a"});
  if (more) more(&file);
  const auto put = [&](const std::string& name, std::vector<std::uint64_t> shape) {
    std::uint64_t count = 1;
    for (const std::uint64_t extent : shape) count *= extent;
    file.tensor(name, shape, 0, std::string(4 * count, '\0'));
  };
  const auto put_linear = [&](const std::string& name, std::uint64_t out, std::uint64_t in) {
    put(name + ".weight", {in, out});
    put(name + ".bias", {out});
  };
  put("token_embd.weight", {8, 4});
  put("token_types.weight", {8, 2});
  put("position_embd.weight", {8, 16});
  for (const std::string norm :
       {"token_embd_norm", "blk.0.attn_output_norm", "blk.0.layer_output_norm"}) {
    put(norm + ".weight", {8});
    put(norm + ".bias", {8});
  }
  for (const std::string name : {"attn_q", "attn_k", "attn_v", "attn_output"}) {
    put_linear("blk.0." + name, 8, 8);
  }
  put_linear("blk.0.ffn_up", 12, 8);
  put_linear("blk.0.ffn_down", 8, 12);
  return file;
}

std::string encoder_refusal(const GgufFile& file) {
  const TempDir dir;
  const std::string path = dir.write("m.gguf", file.bytes());
  return model_error([&] { Checkpoint checkpoint(read_model(path)); });
}

TEST(GgufEncoders, TheNameInTheFileSaysWhatStandsBeforeQuestions) {
  const TempDir dir;
  const ModelSpec spec = read_model(dir.write("m.gguf", tiny_bert(kPoolsFirst).bytes()));
  EXPECT_TRUE(spec.prompt.query_prefix.starts_with("Represent this sentence"));
  const ModelSpec known = read_model(dir.write("e5-small-v2.gguf", tiny_bert(kPoolsMean).bytes()));
  EXPECT_EQ(known.prompt.query_prefix, "query: ");  // the file's name goes first
  EXPECT_EQ(read_model(dir.write("l.gguf", tiny_bert(kPoolsLast).bytes())).head.pooling,
            Pooling::last_token);
}

// llama.cpp's converter leaves out the layers after the pooling by default.
TEST(GgufEncoders, EmbeddingGemmaNeedsItsPoolingAndLastLayers) {
  GgufFile file;
  file.text("general.architecture", "gemma-embedding");
  EXPECT_TRUE(has(encoder_refusal(file), "gemma-embedding.pooling_type is missing"));
  file.u32("gemma-embedding.pooling_type", kPoolsMean);
  const std::string lacking = encoder_refusal(file);
  EXPECT_TRUE(has(lacking, "dense_2.weight"));
  EXPECT_TRUE(has(lacking, "--sentence-transformers-dense-modules"));
}

// A matrix of one row may have lost its first dimension.
TEST(GgufEncoders, RanksAreCrossEncoders) {
  const auto put_head = [](GgufFile* file, const std::vector<std::uint64_t>& row) {
    file->tensor("cls.weight", {8, 8}, 0, std::string(4 * 64, '\0'));
    file->tensor("cls.bias", {8}, 0, std::string(4 * 8, '\0'));
    const std::size_t rows = row.size() == 2 ? row[1] : 1;
    file->tensor("cls.output.weight", row, 0, std::string(4 * 8 * rows, '\0'));
    file->tensor("cls.output.bias", {1}, 0, std::string(4, '\0'));
  };
  for (const std::vector<std::uint64_t>& row : {std::vector<std::uint64_t>{8, 1}, {8}}) {
    GgufFile file = tiny_bert(kPoolsRanks);
    put_head(&file, row);
    EXPECT_EQ(encoder_refusal(file), "no error");
    const TempDir dir;
    EXPECT_TRUE(read_reranker(dir.write("m.gguf", file.bytes())).head.pair);
  }
  EXPECT_TRUE(has(encoder_refusal(tiny_bert(kPoolsRanks)), "'cls.weight' is missing"));
  GgufFile wide = tiny_bert(kPoolsRanks);
  put_head(&wide, {8, 2});
  EXPECT_TRUE(has(encoder_refusal(wide), "cls.output.weight"));
  const ModelSpec judge = read_reranker(case_file("rerank_qwen3_gguf/model.gguf"));
  EXPECT_EQ(judge.head.verdicts, 2);
  EXPECT_FALSE(judge.head.generates);
  EXPECT_TRUE(judges_pairs(judge));
}

TEST(GgufEncoders, WhatGivesNoVectorsIsRefused) {
  EXPECT_EQ(encoder_refusal(tiny_bert(kPoolsMean)), "no error");
  EXPECT_TRUE(has(encoder_refusal(tiny_bert(std::nullopt)), "bert.pooling_type is missing"));
  EXPECT_TRUE(has(encoder_refusal(tiny_bert(0)), "bert.pooling_type is 0"));
  EXPECT_TRUE(has(encoder_refusal(tiny_bert(7)), "bert.pooling_type is 7"));
  EXPECT_TRUE(has(encoder_refusal(tiny_bert(
                      kPoolsMean, [](GgufFile* f) { f->flag("bert.attention.causal", true); })),
                  "bert.attention.causal is true"));
  EXPECT_TRUE(has(encoder_refusal(tiny_bert(
                      kPoolsMean, [](GgufFile* f) { f->text("bert.rope.scaling.type", "yarn"); })),
                  "bert.rope.scaling.type"));
}

}  // namespace
}  // namespace fineprint::models
