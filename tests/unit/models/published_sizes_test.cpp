// Tests that the configurations of published models give those models' numbers of parameters.
#include <gtest/gtest.h>

#include "fineprint/models/model_spec.h"

#include "support/case_folder.h"

namespace fineprint::models {
namespace {

using fineprint::testing::CaseFolder;

std::int64_t parameters(const ModelSpec& spec) {
  std::int64_t sum = 0;
  for (const PartTensors& part : spec.parts) {
    for (const TensorSpec& tensor : part.tensors) {
      std::int64_t product = 1;
      for (const std::int64_t extent : tensor.shape) product *= extent;
      sum += product;
    }
  }
  return sum;
}

struct QwenSize {
  int hidden, layers, heads, kv_heads, intermediate, vocab_size;
  bool tied;
  int vision_intermediate;  // of the second generation's tower; the first has four times the width
};

void set_decoder(const CaseFolder& folder, const std::string& at, const QwenSize& size) {
  const std::string file = "config.json";
  folder.set(file, at + "/hidden_size", size.hidden);
  folder.set(file, at + "/num_hidden_layers", size.layers);
  folder.set(file, at + "/num_attention_heads", size.heads);
  folder.set(file, at + "/num_key_value_heads", size.kv_heads);
  folder.set(file, at + "/intermediate_size", size.intermediate);
  folder.set(file, at + "/vocab_size", size.vocab_size);
  folder.set(file, at + "/tie_word_embeddings", size.tied);
  folder.set(file, at + "/rope_scaling/mrope_section", {16, 24, 24});
  folder.set(file, at + "/vision_config/depth", 32);
  folder.set(file, at + "/vision_config/num_heads", 16);
}

std::int64_t qwen2_5_vl(const QwenSize& size) {
  const CaseFolder folder("qwen25vl_a");
  set_decoder(folder, "", size);
  folder.set("config.json", "/vision_config/hidden_size", 1280);
  folder.set("config.json", "/vision_config/intermediate_size", size.vision_intermediate);
  folder.set("config.json", "/vision_config/out_hidden_size", size.hidden);
  folder.set("config.json", "/vision_config/fullatt_block_indexes", {7, 15, 23, 31});
  return parameters(read_model(folder.path()));
}

TEST(PublishedSizes, Qwen2_5_VL) {
  EXPECT_EQ(qwen2_5_vl({2048, 36, 16, 2, 11008, 151936, true, 3420}), 3'754'622'976);
  EXPECT_EQ(qwen2_5_vl({3584, 28, 28, 4, 18944, 152064, false, 3420}), 8'292'166'656);
  EXPECT_EQ(qwen2_5_vl({5120, 64, 40, 8, 27648, 152064, false, 3456}), 33'452'718'336);
  EXPECT_EQ(qwen2_5_vl({8192, 80, 64, 8, 29568, 152064, false, 3456}), 73'410'777'344);
}

std::int64_t qwen2_vl(const QwenSize& size) {
  const CaseFolder folder("colqwen2_a");
  // The retriever holds the published model's configuration.
  folder.write("config.json", folder.json("config.json")["vlm_config"].dump());
  set_decoder(folder, "", size);
  folder.set("config.json", "/vision_config/embed_dim", 1280);
  folder.set("config.json", "/vision_config/hidden_size", size.hidden);
  return parameters(read_model(folder.path()));
}

TEST(PublishedSizes, Qwen2_VL) {
  EXPECT_EQ(qwen2_vl({1536, 28, 12, 2, 8960, 151936, true, 0}), 2'208'985'600);
  EXPECT_EQ(qwen2_vl({3584, 28, 28, 4, 18944, 152064, false, 0}), 8'291'375'616);
  EXPECT_EQ(qwen2_vl({8192, 80, 64, 8, 29568, 152064, false, 0}), 73'405'560'320);
}

std::int64_t qwen3_vl(const QwenSize& size, int depth, int width) {
  const CaseFolder folder("qwen3vl_a");
  const std::string file = "config.json", text = "/text_config", vision = "/vision_config";
  folder.set(file, text + "/hidden_size", size.hidden);
  folder.set(file, text + "/num_hidden_layers", size.layers);
  folder.set(file, text + "/num_attention_heads", size.heads);
  folder.set(file, text + "/num_key_value_heads", size.kv_heads);
  folder.set(file, text + "/head_dim", 128);
  folder.set(file, text + "/intermediate_size", size.intermediate);
  folder.set(file, text + "/vocab_size", size.vocab_size);
  folder.set(file, text + "/rope_scaling/mrope_section", {24, 20, 20});
  folder.set(file, "/tie_word_embeddings", size.tied);
  folder.set(file, vision + "/depth", depth);
  folder.set(file, vision + "/hidden_size", width);
  folder.set(file, vision + "/intermediate_size", size.vision_intermediate);
  folder.set(file, vision + "/num_heads", 16);
  folder.set(file, vision + "/num_position_embeddings", 2304);
  folder.set(file, vision + "/out_hidden_size", size.hidden);
  folder.set(file, vision + "/patch_size", 16);
  folder.set(file, vision + "/deepstack_visual_indexes", {5, 11, 17});
  folder.set("preprocessor_config.json", "/patch_size", 16);
  return parameters(read_model(folder.path()));
}

TEST(PublishedSizes, Qwen3_VL) {
  EXPECT_EQ(qwen3_vl({2048, 28, 16, 8, 6144, 151936, true, 4096}, 24, 1024), 2'127'532'032);
  EXPECT_EQ(qwen3_vl({2560, 36, 32, 8, 9728, 151936, true, 4096}, 24, 1024), 4'437'815'808);
  EXPECT_EQ(qwen3_vl({4096, 36, 32, 8, 12288, 151936, false, 4304}, 27, 1152), 8'767'123'696);
}

std::int64_t qwen3(const QwenSize& size) {
  const CaseFolder folder("qwen3_a");
  const std::string file = "config.json";
  folder.set(file, "/hidden_size", size.hidden);
  folder.set(file, "/num_hidden_layers", size.layers);
  folder.set(file, "/num_attention_heads", size.heads);
  folder.set(file, "/num_key_value_heads", size.kv_heads);
  folder.set(file, "/head_dim", 128);
  folder.set(file, "/intermediate_size", size.intermediate);
  folder.set(file, "/vocab_size", size.vocab_size);
  folder.set(file, "/tie_word_embeddings", size.tied);
  return parameters(read_model(folder.path()));
}

TEST(PublishedSizes, Qwen3) {
  EXPECT_EQ(qwen3({1024, 28, 16, 8, 3072, 151936, true, 0}), 596'049'920);
  EXPECT_EQ(qwen3({4096, 36, 32, 8, 12288, 151936, false, 0}), 8'190'735'360);
}

TEST(PublishedSizes, Phi3Vision) {
  const CaseFolder folder("phi3v_a");
  const std::string file = "config.json";
  folder.erase(file, "/img_processor/clip_config");  // as in published folders
  folder.set(file, "/img_processor/image_dim_out", 1024);
  folder.set(file, "/hidden_size", 3072);
  folder.set(file, "/num_hidden_layers", 32);
  folder.set(file, "/num_attention_heads", 32);
  folder.set(file, "/num_key_value_heads", 32);
  folder.set(file, "/intermediate_size", 8192);
  folder.set(file, "/vocab_size", 32064);
  folder.set(file, "/max_position_embeddings", 131072);
  folder.set(file, "/original_max_position_embeddings", 4096);
  folder.set(file, "/rope_scaling/short_factor", std::vector<double>(48, 1.0));
  folder.set(file, "/rope_scaling/long_factor", std::vector<double>(48, 2.0));
  const ModelSpec spec = read_model(folder.path());
  // The published number counts the last layer and the last norm of CLIP, which are not used.
  const std::int64_t layer = 4 * (1024 * 1024 + 1024) + 4 * 1024 + 2 * 1024 * 4096 + 4096 + 1024;
  EXPECT_EQ(parameters(spec) + layer + 2 * 1024, 4'146'621'440);
  EXPECT_NEAR(std::get<Decoder>(spec.trunk).rope.magnitude, 1.1902380714, 1e-9);
}

std::int64_t paligemma(int image_size) {
  const CaseFolder folder("colpali_a");
  const std::string file = "config.json";
  folder.write(file, folder.json(file)["vlm_config"].dump());
  // Published folders leave most of it to the defaults.
  folder.set(file, "/text_config",
             {{"hidden_size", 2048},
              {"intermediate_size", 16384},
              {"model_type", "gemma"},
              {"num_attention_heads", 8},
              {"num_hidden_layers", 18},
              {"num_image_tokens", 256},
              {"num_key_value_heads", 1},
              {"vocab_size", 257216}});
  folder.set(file, "/vision_config",
             {{"hidden_size", 1152},
              {"image_size", image_size},
              {"intermediate_size", 4304},
              {"model_type", "siglip_vision_model"},
              {"num_attention_heads", 16},
              {"num_hidden_layers", 27},
              {"patch_size", 14},
              {"vision_use_head", false}});
  folder.set(file, "/projection_dim", 2048);
  folder.set(file, "/image_token_index", 257152);
  folder.set("preprocessor_config.json", "/size", {{"height", image_size}, {"width", image_size}});
  folder.set("preprocessor_config.json", "/image_seq_length", image_size / 14 * image_size / 14);
  return parameters(read_model(folder.path()));
}

TEST(PublishedSizes, PaliGemma) {
  EXPECT_EQ(paligemma(224), 2'923'466'480);
  EXPECT_EQ(paligemma(448), 2'924'351'216);
}

TEST(PublishedSizes, SentenceEncoder) {
  const CaseFolder folder("bert_mean_a");
  const std::string file = "config.json";
  folder.set(file, "/hidden_size", 384);
  folder.set(file, "/num_hidden_layers", 6);
  folder.set(file, "/num_attention_heads", 12);
  folder.set(file, "/intermediate_size", 1536);
  folder.set(file, "/vocab_size", 30522);
  const std::int64_t pooler = 384 * 384 + 384;  // published, not used
  EXPECT_EQ(parameters(read_model(folder.path())) + pooler, 22'713'216);
}

}  // namespace
}  // namespace fineprint::models
