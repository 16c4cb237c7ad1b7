// Tests that absurd, hostile or unsupported configurations are refused with file and key named.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "fineprint/models/model_spec.h"

#include "support/case_folder.h"
#include "support/has.h"
#include "support/model_folder.h"

namespace fineprint::models {
namespace {

using fineprint::testing::CaseFolder;
using fineprint::testing::has;
using fineprint::testing::model_error;

std::string reading_error(const CaseFolder& folder) {
  return model_error([&] { read_model(folder.path()); });
}

// case, file, place, what stands there, what the error must name beside the file
struct Damage {
  const char *name, *file, *pointer;
  Json value;
  const char* named;
};

void expect_refused(const Damage& damage) {
  const CaseFolder folder(damage.name);
  folder.set(damage.file, damage.pointer, damage.value);
  const std::string message = reading_error(folder);
  EXPECT_TRUE(has(message, damage.file) && has(message, damage.named))
      << damage.name << " " << damage.pointer << " = " << damage.value << ": " << message;
}

constexpr const char* kConfig = "config.json";
constexpr const char* kPixels = "preprocessor_config.json";

TEST(HostileConfig, RefusesAbsurdSizes) {
  const Json huge = std::int64_t{1} << 40;
  const Damage damages[] = {
      {"qwen25vl_a", kConfig, "/num_hidden_layers", 1'000'000'000, "num_hidden_layers"},
      {"qwen25vl_a", kConfig, "/num_hidden_layers", 0, "num_hidden_layers"},
      {"qwen25vl_a", kConfig, "/num_hidden_layers", 2.5, "num_hidden_layers"},
      {"qwen25vl_a", kConfig, "/hidden_size", 0, "hidden_size"},
      {"qwen25vl_a", kConfig, "/hidden_size", -64, "hidden_size"},
      {"qwen25vl_a", kConfig, "/hidden_size", "64", "hidden_size"},
      {"qwen25vl_a", kConfig, "/hidden_size", UINT64_MAX, "hidden_size"},
      {"qwen25vl_a", kConfig, "/num_attention_heads", 5, "divide"},
      {"qwen25vl_a", kConfig, "/num_attention_heads", 0, "num_attention_heads"},
      {"qwen25vl_a", kConfig, "/num_attention_heads", 64, "odd"},
      {"qwen25vl_a", kConfig, "/num_key_value_heads", 3, "divide"},
      {"qwen25vl_a", kConfig, "/vocab_size", huge, "vocab_size"},
      {"qwen25vl_a", kConfig, "/vocab_size", 1000, "image_token_id"},
      {"qwen25vl_a", kConfig, "/intermediate_size", huge, "intermediate_size"},
      {"qwen25vl_a", kConfig, "/max_position_embeddings", huge, "max_position_embeddings"},
      {"qwen25vl_a", kConfig, "/rms_norm_eps", 7, "rms_norm_eps"},
      {"qwen25vl_a", kConfig, "/rope_theta", 0, "rope_theta"},
      {"gemma3_a", kConfig, "/use_bidirectional_attention", true, "modules.json"},
      {"gemma3_seeing", kConfig, "/text_config/use_bidirectional_attention", true,
       "use_bidirectional_attention"},
      {"qwen25vl_a", kConfig, "/vision_config/depth", 1'000'000'000, "vision_config.depth"},
      {"qwen25vl_a", kConfig, "/vision_config/patch_size", 0, "vision_config.patch_size"},
      {"qwen25vl_a", kConfig, "/vision_config/num_heads", 5, "num_heads"},
      {"qwen25vl_a", kConfig, "/vision_config/num_heads", 24, "rotate"},
      {"qwen25vl_a", kConfig, "/vision_config/out_hidden_size", 65, "width"},
      {"qwen25vl_a", kConfig, "/vision_config/window_size", 100, "window_size"},
      {"qwen25vl_a", kConfig, "/vision_config/fullatt_block_indexes", {3}, "fullatt_block_indexes"},
      {"qwen25vl_a", kConfig, "/vision_config/spatial_merge_size", 1000, "spatial_merge_size"},
      {"qwen25vl_a", kConfig, "/vision_config/in_chans", 1, "in_chans"},
      {"qwen25vl_a", kConfig, "/vision_config", 3, "vision_config"},
      {"qwen25vl_b_tied_v5layout", kConfig, "/text_config/hidden_size", 0,
       "text_config.hidden_size"},
      {"qwen3_a", kConfig, "/head_dim", 31, "odd"},
      {"qwen3_a", kConfig, "/num_key_value_heads", 3, "divide"},
      {"qwen3vl_a", kConfig, "/text_config/head_dim", 0, "text_config.head_dim"},
      {"qwen3vl_a", kConfig, "/vision_config/num_position_embeddings", 50, "not a square"},
      {"qwen3vl_a", kConfig, "/vision_config/num_position_embeddings", 1 << 30,
       "num_position_embeddings"},
      {"qwen3vl_a", kConfig, "/vision_config/num_heads", 16, "rotate"},
      {"qwen3vl_a", kConfig, "/vision_config/out_hidden_size", 65, "width"},
      {"colqwen2_a", kConfig, "/vlm_config/vision_config/mlp_ratio", 1e30, "mlp_ratio"},
      {"colqwen2_a", kConfig, "/vlm_config/vision_config/embed_dim", 0, "embed_dim"},
      {"colqwen2_a", kConfig, "/embedding_dim", 0, "embedding_dim"},
      {"colpali_a", kConfig, "/vlm_config/text_config/head_dim", 0, "head_dim"},
      {"colpali_a", kConfig, "/vlm_config/text_config/head_dim", 7, "odd"},
      {"colpali_a", kConfig, "/vlm_config/projection_dim", 65, "projection_dim"},
      {"colpali_a", kConfig, "/vlm_config/vision_config/patch_size", 13, "patch_size"},
      {"colpali_a", kConfig, "/vlm_config/image_token_index", -1, "image_token_index"},
      {"phi3v_a", kConfig, "/original_max_position_embeddings", 1,
       "original_max_position_embeddings"},
      {"phi3v_a", kConfig, "/img_processor/clip_config/num_hidden_layers", 1, "num_hidden_layers"},
      {"phi3v_a", kConfig, "/img_processor/clip_config/image_size", 350, "odd"},
      {"phi3v_a", kConfig, "/img_processor/image_dim_out", 33, "image_dim_out"},
      {"bert_mean_a", kConfig, "/num_hidden_layers", 1'000'000'000, "num_hidden_layers"},
      {"colbert_a", "artifact.metadata", "/dim", 0, "dim"},
      {"colbert_a", "artifact.metadata", "/query_maxlen", 100000, "query_maxlen"},
  };
  for (const Damage& damage : damages) expect_refused(damage);
}

TEST(HostileConfig, RefusesListsThatDoNotFit) {
  const std::vector<double> many(1'000'000, 1.0);
  const Damage damages[] = {
      {"qwen25vl_a", kConfig, "/rope_scaling/mrope_section", {2, 3, 4}, "mrope_section"},
      {"qwen25vl_a", kConfig, "/rope_scaling/mrope_section", {4, 4}, "mrope_section"},
      {"qwen25vl_a", kConfig, "/rope_scaling/mrope_section", {-8, 8, 8}, "mrope_section"},
      {"qwen25vl_a", kConfig, "/rope_scaling/mrope_section", many, "mrope_section"},
      {"qwen25vl_a", kConfig, "/rope_scaling", nullptr, "mrope_section"},
      {"qwen3vl_a", kConfig, "/text_config/rope_scaling/mrope_section", {4, 6, 6}, "every third"},
      {"qwen3vl_a", kConfig, "/text_config/rope_scaling/mrope_section", {6, 5, 4}, "mrope_section"},
      {"qwen3vl_a", kConfig, "/vision_config/deepstack_visual_indexes", {2, 0}, "ascend"},
      {"qwen3vl_a", kConfig, "/vision_config/deepstack_visual_indexes", {0, 0}, "ascend"},
      {"qwen3vl_a",
       kConfig,
       "/vision_config/deepstack_visual_indexes",
       {4},
       "deepstack_visual_indexes"},
      {"qwen3vl_a",
       kConfig,
       "/vision_config/deepstack_visual_indexes",
       {0, 1, 2, 3},
       "deepstack_visual_indexes"},
      {"qwen3vl_a", kConfig, "/vision_config/deepstack_visual_indexes", nullptr,
       "deepstack_visual_indexes"},
      {"phi3v_a", kConfig, "/rope_scaling/short_factor", many, "short_factor"},
      {"phi3v_a", kConfig, "/rope_scaling/long_factor", {1, 2, 3}, "long_factor"},
      {"phi3v_a", kConfig, "/rope_scaling/long_factor", std::vector<double>(8, 0), "long_factor"},
      {"phi3v_a", kConfig, "/architectures", many, "architectures"},
      {"phi3v_a", "generation_config.json", "/eos_token_id", many, "eos_token_id"},
      {"phi3v_a", "generation_config.json", "/eos_token_id", {2, 100000}, "eos_token_id"},
      {"phi3v_a", "generation_config.json", "/eos_token_id", -1, "eos_token_id"},
      {"phi3v_a", kPixels, "/image_mean", {0.5, 0.5}, "image_mean"},
      {"phi3v_a", kPixels, "/image_std", {0.5, 0.5, 0}, "image_std"},
  };
  for (const Damage& damage : damages) expect_refused(damage);
}

TEST(HostileConfig, RefusesWhatIsNotSupported) {
  const Damage damages[] = {
      {"qwen25vl_a",
       kConfig,
       "/architectures",
       {"Qwen9VLForConditionalGeneration"},
       "Qwen2_5_VLForConditionalGeneration"},
      {"qwen25vl_a", kConfig, "/architectures", nullptr, "architectures"},
      {"qwen25vl_a", kConfig, "/hidden_act", "relu", "hidden_act"},
      {"qwen25vl_a", kConfig, "/vision_config/hidden_act", "gelu", "vision_config.hidden_act"},
      {"qwen25vl_a", kConfig, "/use_sliding_window", true, "sliding_window"},
      {"qwen25vl_a",
       kConfig,
       "/layer_types",
       {"full_attention", "sliding_attention"},
       "layer_types"},
      {"qwen25vl_a", kConfig, "/rope_scaling/type", "ntk", "ntk"},
      {"qwen25vl_a", kConfig, "/attention_bias", false, "attention_bias"},
      {"qwen3_a", kConfig, "/attention_bias", true, "attention_bias"},
      {"qwen3vl_a", kConfig, "/text_config/rope_scaling/mrope_interleaved", false,
       "mrope_interleaved"},
      {"qwen3vl_a", kConfig, "/vision_config/hidden_act", "gelu", "vision_config.hidden_act"},
      {"qwen25vl_a",
       kConfig,
       "/quantization_config",
       {{"quant_method", "awq"}},
       "quantization_config"},
      {"phi3v_a", kConfig, "/sliding_window", 2047, "sliding_window"},
      {"phi3v_a", kConfig, "/rope_scaling/type", "ntk", "ntk"},
      {"phi3v_a", kConfig, "/partial_rotary_factor", 0.5, "partial_rotary_factor"},
      {"phi3v_a", kConfig, "/embd_layer/hd_transform_order", "glb_sub", "hd_transform_order"},
      {"phi3v_a", kConfig, "/embd_layer/use_hd_transform", false, "use_hd_transform"},
      {"phi3v_a", kConfig, "/img_processor/name", "siglip", "img_processor.name"},
      {"phi3v_a", kPixels, "/num_img_tokens", 100, "num_img_tokens"},
      {"phi3v_a", kPixels, "/num_crops", 1'000'000, "num_crops"},
      {"colpali_a", kConfig, "/vlm_config/text_config/model_type", "gemma2", "gemma2"},
      {"colpali_a", kConfig, "/vlm_config/text_config/attention_bias", true, "attention_bias"},
      {"colpali_a", kConfig, "/vlm_config/text_config/hidden_activation", "silu",
       "hidden_activation"},
      {"colpali_a", kPixels, "/size/width", 224, "size.width"},
      {"colpali_a", kPixels, "/resample", 2, "resample"},
      {"colpali_a", kPixels, "/rescale_factor", 1, "rescale_factor"},
      {"colpali_a", kPixels, "/do_normalize", false, "do_normalize"},
      {"qwen25vl_a", kPixels, "/patch_size", 16, "patch_size"},
      {"qwen25vl_a", kPixels, "/max_pixels", 10, "max_pixels"},
      {"qwen25vl_a", kPixels, "/max_pixels", std::int64_t{1} << 50, "max_pixels"},
      {"colbert_a", "artifact.metadata", "/similarity", "l2", "similarity"},
      {"colbert_a", "artifact.metadata", "/query_token_id", "", "query_token_id"},
      {"colbert_a", kConfig, "/is_decoder", true, "is_decoder"},
      {"qwen25vl_a", "generation_config.json", "/repetition_penalty", 0, "repetition_penalty"},
  };
  for (const Damage& damage : damages) expect_refused(damage);
}

TEST(HostileConfig, NamesTheMissingFile) {
  const std::pair<const char*, const char*> files[] = {
      {"qwen25vl_a", "config.json"},    {"qwen25vl_a", "preprocessor_config.json"},
      {"qwen25vl_a", "tokenizer.json"}, {"phi3v_a", "tokenizer.json"},
      {"phi3v_a", "config.json"},       {"phi3v_a", "preprocessor_config.json"},
      {"colpali_a", "tokenizer.json"},  {"colbert_a", "artifact.metadata"},
      {"colbert_a", "tokenizer.json"},
  };
  for (const auto& [name, file] : files) {
    const CaseFolder folder(name);
    folder.remove(file);
    const std::string message = reading_error(folder);
    EXPECT_TRUE(has(message, std::string("/") + file + ": missing")) << message;
  }
}

TEST(HostileConfig, RefusesDeepAndHugeJson) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  std::string deep_object;
  for (int i = 0; i < 1000; ++i) deep_object += "{\"a\":";
  const std::string huge = "{\"a\": \"" + std::string(std::size_t{17} << 20, 'x') + "\"}";
  for (const std::string file :
       {"config.json", "generation_config.json", "preprocessor_config.json"}) {
    for (const std::string& text : {deep, deep_object, huge, std::string(), std::string("[]"),
                                    std::string("\xff\xfe"), std::string("null")}) {
      const CaseFolder folder("qwen25vl_a");
      folder.write(file, text);
      const std::string message = reading_error(folder);
      EXPECT_TRUE(has(message, file)) << text.substr(0, 20) << ": " << message;
    }
  }
}

TEST(HostileConfig, RefusesWhatIsNoPlainFile) {
  for (const std::string file : {"config.json", "generation_config.json", "tokenizer.json"}) {
    const CaseFolder loop("qwen25vl_a");
    loop.remove(file);
    std::filesystem::create_symlink(file, loop.file(file));
    EXPECT_TRUE(has(reading_error(loop), file)) << reading_error(loop);

    const CaseFolder dangling("qwen25vl_a");
    dangling.remove(file);
    std::filesystem::create_symlink("nowhere", dangling.file(file));
    EXPECT_TRUE(has(reading_error(dangling), "link to nothing")) << reading_error(dangling);

    const CaseFolder pipe("qwen25vl_a");  // opening one would wait for ever
    pipe.remove(file);
    ASSERT_EQ(::mkfifo(pipe.file(file).c_str(), 0600), 0);
    EXPECT_TRUE(has(reading_error(pipe), "not a plain file")) << reading_error(pipe);

    const CaseFolder folder("qwen25vl_a");
    folder.remove(file);
    std::filesystem::create_directory(folder.file(file));
    EXPECT_TRUE(has(reading_error(folder), "not a plain file")) << reading_error(folder);
  }
}

TEST(ReadModel, TakesTheProcessorFromWhereNewerWritersPutIt) {
  const CaseFolder folder("qwen25vl_a");
  const Json processor{{"image_processor", folder.json(kPixels)}};
  folder.remove(kPixels);
  folder.write("processor_config.json", processor.dump());
  const ModelSpec spec = read_model(folder.path());
  EXPECT_EQ(std::get<preprocess::PatchProcessor>(spec.processor).max_pixels, 94080);
}

TEST(ReadModel, TakesSizesFromEitherPlace) {
  const CaseFolder folder("phi3v_a");
  Json config = folder.json(kConfig);
  config["rope_scaling"]["original_max_position_embeddings"] = 512;
  config["rope_scaling"]["rope_type"] = "longrope";
  config.erase("original_max_position_embeddings");
  folder.write(kConfig, config.dump());
  EXPECT_EQ(std::get<Decoder>(read_model(folder.path()).trunk).rope.original_positions, 512);
  const CaseFolder qwen("qwen25vl_a");
  qwen.erase(kPixels, "/max_pixels");
  qwen.erase(kPixels, "/min_pixels");
  qwen.set(kPixels, "/size", {{"shortest_edge", 4000}, {"longest_edge", 50000}});
  const auto processor = std::get<preprocess::PatchProcessor>(read_model(qwen.path()).processor);
  EXPECT_EQ(processor.min_pixels, 4000);
  EXPECT_EQ(processor.max_pixels, 50000);
}

TEST(ReadModel, ReadsHowToSample) {
  const CaseFolder folder("qwen25vl_a");
  folder.write("generation_config.json",
               R"({"eos_token_id": 1502, "do_sample": true, "temperature": 0.1, "top_k": 1,
                   "top_p": 0.001, "repetition_penalty": 1.05})");
  GenerationDefaults defaults = read_model(folder.path()).generation;
  EXPECT_EQ(defaults.temperature, 0.1);
  EXPECT_EQ(defaults.top_k, 1);
  EXPECT_EQ(defaults.top_p, 0.001);
  EXPECT_EQ(defaults.repetition_penalty, 1.05);
  folder.write("generation_config.json", R"({"do_sample": true})");
  defaults = read_model(folder.path()).generation;
  EXPECT_EQ(defaults.end_tokens, std::vector<std::int64_t>{1502});  // of config.json
  EXPECT_EQ(defaults.temperature, 1);
  EXPECT_EQ(defaults.top_k, 50);
  folder.remove("generation_config.json");
  folder.erase(kConfig, "/eos_token_id");
  EXPECT_TRUE(has(reading_error(folder), "eos_token_id")) << reading_error(folder);
}

TEST(ReadModel, KeepsAWindowThatNeverBinds) {
  const CaseFolder folder("qwen25vl_a");
  folder.set(kConfig, "/use_sliding_window", true);
  folder.set(kConfig, "/sliding_window", 128000);
  EXPECT_NO_THROW(read_model(folder.path()));
}

}  // namespace
}  // namespace fineprint::models
