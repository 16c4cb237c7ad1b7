// Tests of reading the folders of sentence encoders: good ones, incomplete ones and absurd ones.
#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/models/checkpoint.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/models/retriever.h"

#include "support/case_folder.h"
#include "support/has.h"
#include "support/model_folder.h"

namespace fineprint::models {
namespace {

using fineprint::testing::has;
using fineprint::testing::model_error;
using fineprint::testing::ModelFolder;

std::string reading_error(const ModelFolder& folder) {
  return model_error([&] { Checkpoint checkpoint(read_model(folder.path())); });
}

TEST(SentenceEncoderFolder, HoldsTheFacts) {
  const ModelFolder folder;
  const ModelSpec spec = read_model(folder.path());
  EXPECT_EQ(spec.family, "bert");
  EXPECT_EQ(spec.name, "model");
  const auto& encoder = std::get<TextEncoder>(spec.trunk);
  EXPECT_EQ(encoder.layers, 3);
  EXPECT_EQ(encoder.hidden, 64);
  EXPECT_EQ(encoder.heads, 4);
  EXPECT_EQ(encoder.intermediate, 128);
  EXPECT_EQ(encoder.vocab_size, 1200);
  EXPECT_EQ(encoder.max_positions, 512);
  EXPECT_EQ(encoder.type_vocab_size, 2);
  EXPECT_EQ(encoder.norm_eps, 1e-12);
  EXPECT_EQ(spec.prompt.max_tokens, 64);
  EXPECT_TRUE(spec.prompt.add_special);
  EXPECT_FALSE(spec.prompt.lower_case);
  EXPECT_EQ(spec.head.pooling, Pooling::mean);
  EXPECT_FALSE(spec.head.generates);
  EXPECT_FALSE(spec.sees());
  EXPECT_EQ(spec.tokenizer_path, folder.file("tokenizer.json"));
}

TEST(SentenceEncoderFolder, ReadsThePrefixOfCodesOfEightBits) {
  const ModelFolder folder;
  const ModelSpec plain = read_encoder(folder.path()), int8 = read_encoder("int8:" + folder.path());
  EXPECT_FALSE(std::get<TextEncoder>(plain.trunk).int8);
  EXPECT_TRUE(std::get<TextEncoder>(int8.trunk).int8);
  EXPECT_EQ(int8.dir, plain.dir);
  EXPECT_EQ(int8.name, plain.name + " (int8)");
  EXPECT_EQ(Checkpoint(plain).hash(), Checkpoint(read_model(folder.path())).hash());
  EXPECT_NE(Checkpoint(plain).hash(), Checkpoint(int8).hash());
}

TEST(SentenceEncoderFolder, CodesOfEightBitsAreForTextsOnly) {
  try {
    read_encoder(std::string("int8:") + FINEPRINT_TEST_DATA + "/colqwen2_a/model");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_TRUE(has(error.what(), "only text encoders like BERT")) << error.what();
  }
}

TEST(SentenceEncoderFolder, HoldsWhatStandsBeforeQuestionsAndPassages) {
  const ModelSpec e5 = read_model(FINEPRINT_TEST_DATA "/e5_tiny");
  EXPECT_EQ(e5.prompt.query_prefix, "query: ");
  EXPECT_EQ(e5.prompt.passage_prefix, "passage: ");
  const ModelFolder folder;
  const std::string hash = Checkpoint(read_model(folder.path())).hash();
  // A file without any is no part of the model: vectors stay those that they were.
  folder.write("config_sentence_transformers.json", R"({"__version__": {"pytorch": "2"}})");
  EXPECT_EQ(Checkpoint(read_model(folder.path())).hash(), hash);
  folder.write("config_sentence_transformers.json",
               R"({"prompts": {"query": "", "document": ""}})");
  EXPECT_EQ(Checkpoint(read_model(folder.path())).hash(), hash);
  folder.write("config_sentence_transformers.json", R"({"prompts": {"document": "text: "}})");
  const ModelSpec spec = read_model(folder.path());
  EXPECT_EQ(spec.prompt.query_prefix, "");
  EXPECT_EQ(spec.prompt.passage_prefix, "text: ");
  EXPECT_NE(Checkpoint(spec).hash(), hash);
  folder.write("config_sentence_transformers.json", R"({"prompts": {"query": 5}})");
  EXPECT_TRUE(has(reading_error(folder), "prompts.query")) << reading_error(folder);
}

TEST(SentenceEncoderFolder, TheMultilingualOneIsNamedE5) {
  const std::string said = model_error([] { find_text_encoder("e5"); });
  // Unless scripts/data/get-e5 put it beside the tests' program.
  if (said != "no error") {
    EXPECT_TRUE(has(said, "multilingual-e5-small")) << said;
    EXPECT_TRUE(has(said, "scripts/data/get-e5")) << said;
  }
}

TEST(SentenceEncoderFolder, GivesItsName) {
  const ModelFolder folder;
  EXPECT_EQ(read_model(folder.path() + "/").name, "model");
}

TEST(SentenceEncoderFolder, NamesTheMissingFile) {
  for (const std::string name : {"config.json", "modules.json", "1_Pooling/config.json",
                                 "tokenizer.json", "model.safetensors"}) {
    const ModelFolder folder;
    folder.remove(name);
    EXPECT_TRUE(has(reading_error(folder), name + ": missing")) << reading_error(folder);
  }
}

// file, text in it, what replaces it, what the error must name
struct Damage {
  const char *file, *from, *to, *named;
};

TEST(SentenceEncoderFolder, NamesTheAbsurdKey) {
  const Damage damages[] = {
      {"config.json", "\"model_type\": \"bert\"", "\"model_type\": \"gpt2\"", "model_type"},
      {"config.json", "\"model_type\": \"bert\",", "", "model_type"},
      {"config.json", "\"gelu\"", "\"relu\"", "hidden_act"},
      {"config.json", "\"absolute\"", "\"relative_key\"", "position_embedding_type"},
      {"config.json", "\"num_hidden_layers\": 3", "\"num_hidden_layers\": 0", "num_hidden_layers"},
      {"config.json", "\"hidden_size\": 64", "\"hidden_size\": -64", "hidden_size"},
      {"config.json", "\"hidden_size\": 64", "\"hidden_size\": 1e30", "hidden_size"},
      {"config.json", "\"hidden_size\": 64", "\"hidden_size\": 18446744073709551615",
       "hidden_size"},
      {"config.json", "\"hidden_size\": 64", "\"hidden_size\": \"64\"", "hidden_size"},
      {"config.json", "\"num_attention_heads\": 4", "\"num_attention_heads\": 5", "divide"},
      {"config.json", "\"vocab_size\": 1200", "\"vocab_size\": 2000000000", "vocab_size"},
      {"config.json", "\"layer_norm_eps\": 1e-12", "\"layer_norm_eps\": 7", "layer_norm_eps"},
      {"config.json", "{", "", "config.json"},
      {"sentence_bert_config.json", "64", "1", "max_seq_length"},
      {"sentence_bert_config.json", "false", "0", "do_lower_case"},
      {"1_Pooling/config.json", "\"pooling_mode_mean_tokens\": true",
       "\"pooling_mode_mean_tokens\": false", "pooling_mode_mean_tokens"},
      {"1_Pooling/config.json", "\"pooling_mode_max_tokens\": false",
       "\"pooling_mode_max_tokens\": true", "pooling_mode_max_tokens"},
      {"modules.json", "models.Normalize", "models.WordWeights", "models.WordWeights"},
      {"modules.json", "1_Pooling", "../1_Pooling", "leads out"},
      {"modules.json", "1_Pooling", "/etc", "leads out"},
      {"modules.json", "models.Pooling", "models.Normalize",
       "neither a Pooling nor a Dense module"},
      {"modules.json", "[", "", "modules.json"},
  };
  for (const Damage& damage : damages) {
    const ModelFolder folder;
    folder.replace(damage.file, damage.from, damage.to);
    const std::string message = reading_error(folder);
    EXPECT_TRUE(has(message, damage.file) && has(message, damage.named))
        << damage.from << " -> " << damage.to << ": " << message;
  }
}

TEST(SentenceEncoderFolder, IsCutAtThePositionsThatExist) {
  const ModelFolder folder;
  folder.write("sentence_bert_config.json", R"({"max_seq_length": 100000})");
  EXPECT_EQ(read_model(folder.path()).prompt.max_tokens, 512);
  // Then the tokenizer's own limit counts, where it has one.
  for (const char* without : {"{}", ""}) {
    if (*without == '\0') folder.remove("sentence_bert_config.json");
    if (*without != '\0') folder.write("sentence_bert_config.json", without);
    folder.write("tokenizer_config.json",
                 R"({"model_max_length": 1000000000000000019884624838656})");
    EXPECT_EQ(read_model(folder.path()).prompt.max_tokens, 512);
    folder.write("tokenizer_config.json", R"({"model_max_length": 40})");
    EXPECT_EQ(read_model(folder.path()).prompt.max_tokens, 40);
  }
}

TEST(SentenceEncoderFolder, KnowsFirstTokenPooling) {
  const ModelFolder folder;
  folder.write("1_Pooling/config.json", R"({"pooling_mode_cls_token": true})");
  EXPECT_EQ(read_model(folder.path()).head.pooling, Pooling::first_token);
}

TEST(SentenceEncoderFolder, KnowsPoolingByOneName) {
  const ModelFolder folder;
  for (const auto& [mode, pooling] :
       {std::pair{"mean", Pooling::mean}, std::pair{"cls", Pooling::first_token},
        std::pair{"lasttoken", Pooling::last_token}}) {
    folder.write("1_Pooling/config.json", std::string(R"({"pooling_mode": ")") + mode + "\"}");
    EXPECT_EQ(read_model(folder.path()).head.pooling, pooling);
  }
  folder.write("1_Pooling/config.json", R"({"pooling_mode": "max"})");
  EXPECT_TRUE(has(reading_error(folder), "\"max\"")) << reading_error(folder);
  folder.write("1_Pooling/config.json", R"({"pooling_mode": ["cls", "mean"]})");
  EXPECT_TRUE(has(reading_error(folder), "several modes")) << reading_error(folder);
}

TEST(SentenceEncoderFolder, ADefaultPromptStandsWhereNoOtherDoes) {
  const ModelFolder folder;
  folder.write("config_sentence_transformers.json",
               R"({"prompts": {"query": "Q: ", "all": "text: "}, "default_prompt_name": "all"})");
  const Prompt prompt = read_model(folder.path()).prompt;
  EXPECT_EQ(prompt.query_prefix, "Q: ");
  EXPECT_EQ(prompt.passage_prefix, "text: ");
}

TEST(SentenceEncoderFolder, OnlyCosinesAreCompared) {
  const ModelFolder folder;
  folder.write("config_sentence_transformers.json", R"({"similarity_fn_name": "dot"})");
  EXPECT_EQ(read_model(folder.path()).head.pooling, Pooling::mean);  // of normalised vectors
  folder.write("config_sentence_transformers.json", R"({"similarity_fn_name": "euclidean"})");
  EXPECT_TRUE(has(reading_error(folder), "similarity_fn_name")) << reading_error(folder);
  folder.replace("modules.json", "models.Normalize", "models.Dropout");
  folder.write("config_sentence_transformers.json", R"({"similarity_fn_name": "dot"})");
  EXPECT_TRUE(has(reading_error(folder), "similarity_fn_name")) << reading_error(folder);
}

// The same folder under the names of published models.
ModelSpec under_name(const ModelFolder& folder, const std::string& name) {
  const std::string other = (std::filesystem::path(folder.path()).parent_path() / name).string();
  std::filesystem::copy(folder.path(), other, std::filesystem::copy_options::recursive);
  return read_model(other);
}

TEST(SentenceEncoderFolder, PrefixesAreKnownByTheNameWhereNoFileSaysThem) {
  const ModelFolder folder;
  const ModelSpec plain = read_model(folder.path());
  EXPECT_EQ(plain.prompt.prefix_source, PrefixSource::files);
  const ModelSpec e5 = under_name(folder, "multilingual-E5-base");
  EXPECT_EQ(e5.prompt.query_prefix, "query: ");
  EXPECT_EQ(e5.prompt.passage_prefix, "passage: ");
  EXPECT_EQ(e5.prompt.prefix_source, PrefixSource::name);
  // Other texts are embedded: other vectors.
  EXPECT_NE(Checkpoint(e5).hash(), Checkpoint(plain).hash());
  const ModelSpec bge = under_name(folder, "bge-small-en-v1.5");
  EXPECT_TRUE(bge.prompt.query_prefix.starts_with("Represent this sentence"));
  EXPECT_EQ(bge.prompt.passage_prefix, "");
  EXPECT_TRUE(under_name(folder, "bge-m3").prompt.query_prefix.empty());
  // Also by what config.json remembers of where the model came from.
  folder.replace("config.json", "{", R"({"_name_or_path": "intfloat/e5-small-v2",)");
  EXPECT_EQ(read_model(folder.path()).prompt.query_prefix, "query: ");
  // What a file says counts.
  folder.write("config_sentence_transformers.json", R"({"prompts": {"query": "ask: "}})");
  const ModelSpec said = read_model(folder.path());
  EXPECT_EQ(said.prompt.query_prefix, "ask: ");
  EXPECT_EQ(said.prompt.passage_prefix, "");
  EXPECT_EQ(said.prompt.prefix_source, PrefixSource::files);
}

TEST(SentenceEncoderFolder, WhatTheUserGivesOverrulesPrefixes) {
  const ModelFolder folder;
  folder.write("config_sentence_transformers.json",
               R"({"prompts": {"query": "ask: ", "passage": "text: "}})");
  const ModelSpec said = read_encoder(folder.path());
  const ModelSpec asked = read_encoder(folder.path(), {}, {.query = "Q ", .passage = ""});
  EXPECT_EQ(asked.prompt.query_prefix, "Q ");
  EXPECT_EQ(asked.prompt.passage_prefix, "text: ");
  EXPECT_EQ(Checkpoint(asked).hash(), Checkpoint(said).hash());  // passages are the same
  const ModelSpec other = read_encoder(folder.path(), {}, {.query = "", .passage = "none"});
  EXPECT_EQ(other.prompt.query_prefix, "ask: ");
  EXPECT_EQ(other.prompt.passage_prefix, "");
  EXPECT_EQ(other.prompt.prefix_source, PrefixSource::user);
  EXPECT_NE(Checkpoint(other).hash(), Checkpoint(said).hash());
}

// The default encoder reads texts as they are, whatever other ones want.
TEST(SentenceEncoderFolder, TheDefaultOneTakesNoPrefixes) {
  try {
    const ModelSpec spec = read_encoder("int8:", {}, {.query = "Q ", .passage = "P "});
    EXPECT_EQ(spec.prompt.query_prefix, "");
    EXPECT_EQ(spec.prompt.passage_prefix, "");
  } catch (const Error& error) {
    GTEST_SKIP() << "no default text encoder: " << error.what();
  }
}

TEST(SentenceEncoderFolder, LayersBehindThePoolingMustFit) {
  const testing::CaseFolder folder("bert_cls_a");
  const ModelSpec spec = read_model(folder.path());
  ASSERT_EQ(spec.head.dense.size(), 1U);
  EXPECT_EQ(spec.head.dense[0].activation, Activation::tanh);
  EXPECT_EQ(vector_width(spec), 24U);
  const auto error_of = [&] {
    return model_error([&] { Checkpoint checkpoint(read_model(folder.path())); });
  };
  folder.set("2_Dense/config.json", "/in_features", 31);
  EXPECT_TRUE(has(error_of(), "31")) << error_of();
  folder.set("2_Dense/config.json", "/in_features", 32);
  folder.set("2_Dense/config.json", "/out_features", 25);
  EXPECT_TRUE(has(error_of(), "linear.weight")) << error_of();
  folder.set("2_Dense/config.json", "/out_features", 24);
  folder.set("2_Dense/config.json", "/activation_function", "torch.nn.modules.activation.Mish");
  EXPECT_TRUE(has(error_of(), "Mish")) << error_of();
  folder.set("2_Dense/config.json", "/activation_function", "torch.nn.modules.activation.Tanh");
  folder.remove("2_Dense/model.safetensors");
  EXPECT_TRUE(has(error_of(), "2_Dense/model.safetensors: missing")) << error_of();
}

}  // namespace
}  // namespace fineprint::models
