// Tests of reading model folders: good ones, incomplete ones and absurd ones.
#include "fineprint/models/folder.h"

#include <gtest/gtest.h>

#include "support/model_folder.h"

namespace fineprint::models {
namespace {

using fineprint::testing::model_error;
using fineprint::testing::ModelFolder;
using fineprint::testing::TempDir;

std::string reading_error(const ModelFolder& folder) {
  return model_error([&] { read_sentence_encoder(folder.path()); });
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(ReadSentenceEncoder, ReadsTheFacts) {
  const ModelFolder folder;
  const SentenceEncoderFacts facts = read_sentence_encoder(folder.path());
  EXPECT_EQ(facts.name, "model");
  EXPECT_EQ(facts.layers, 3);
  EXPECT_EQ(facts.hidden, 64);
  EXPECT_EQ(facts.heads, 4);
  EXPECT_EQ(facts.intermediate, 128);
  EXPECT_EQ(facts.vocab_size, 1200);
  EXPECT_EQ(facts.max_positions, 512);
  EXPECT_EQ(facts.type_vocab_size, 2);
  EXPECT_EQ(facts.layer_norm_eps, 1e-12);
  EXPECT_EQ(facts.max_sequence, 64);
  EXPECT_TRUE(facts.pooling_mean);
  EXPECT_FALSE(facts.lower_case);
  EXPECT_EQ(facts.weights_path, folder.file("model.safetensors"));
  EXPECT_EQ(facts.tokenizer_path, folder.file("tokenizer.json"));
}

TEST(ReadSentenceEncoder, TakesTheNameOfTheFolder) {
  const ModelFolder folder;
  EXPECT_EQ(read_sentence_encoder(folder.path() + "/").name, "model");
}

TEST(ReadSentenceEncoder, NamesTheMissingFile) {
  for (const std::string name :
       {"config.json", "modules.json", "1_Pooling/config.json", "sentence_bert_config.json",
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

TEST(ReadSentenceEncoder, NamesTheAbsurdKey) {
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
      {"modules.json", "models.Normalize", "models.Dense", "Dense"},
      {"modules.json", "1_Pooling", "../1_Pooling", "leads out"},
      {"modules.json", "models.Pooling", "models.Normalize", "Pooling module is missing"},
  };
  for (const Damage& damage : damages) {
    const ModelFolder folder;
    folder.replace(damage.file, damage.from, damage.to);
    const std::string message = reading_error(folder);
    EXPECT_TRUE(has(message, damage.file) && has(message, damage.named))
        << damage.from << " -> " << damage.to << ": " << message;
  }
}

TEST(ReadSentenceEncoder, CutsAtThePositionsThatExist) {
  const ModelFolder folder;
  folder.write("sentence_bert_config.json", R"({"max_seq_length": 100000})");
  EXPECT_EQ(read_sentence_encoder(folder.path()).max_sequence, 512);
  folder.write("sentence_bert_config.json", "{}");
  EXPECT_EQ(read_sentence_encoder(folder.path()).max_sequence, 512);
}

TEST(ReadSentenceEncoder, KnowsFirstTokenPooling) {
  const ModelFolder folder;
  folder.write("1_Pooling/config.json", R"({"pooling_mode_cls_token": true})");
  EXPECT_FALSE(read_sentence_encoder(folder.path()).pooling_mean);
}

TEST(FindTextEncoder, TakesAFolderAndRefusesAnother) {
  const ModelFolder folder;
  EXPECT_EQ(find_text_encoder(folder.path()), folder.path());
  const TempDir empty;
  EXPECT_TRUE(has(model_error([&] { find_text_encoder(empty.path()); }), empty.path()));
}

TEST(FindTextEncoder, FindsTheDefaultOne) {
  const SentenceEncoderFacts facts = read_sentence_encoder(find_text_encoder(""));
  EXPECT_EQ(facts.name, "all-MiniLM-L6-v2");
  EXPECT_EQ(facts.max_sequence, 256);
}

}  // namespace
}  // namespace fineprint::models
