// Feeds any bytes to the readers of a model folder's files, one file of one reference case at a
// time: the folder must be read, or be refused with Error(model) and a message.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "fineprint/core/error.h"
#include "fineprint/models/checkpoint.h"
#include "fineprint/models/describe.h"
#include "fineprint/models/model_spec.h"

#include "support/temp_dir.h"

using fineprint::Error;
using fineprint::ErrorCode;

namespace {

struct Target {
  const char *name, *file;
};

// The first byte of an input chooses; tests/fuzz/make_seeds.py has the same list.
constexpr std::array<Target, 32> kTargets{{
    {"qwen25vl_a", "config.json"},
    {"qwen25vl_a", "generation_config.json"},
    {"qwen25vl_a", "preprocessor_config.json"},
    {"qwen25vl_a", "model.safetensors.index.json"},
    {"qwen25vl_a", "processor_config.json"},
    {"qwen25vl_b_tied_v5layout", "config.json"},
    {"phi3v_a", "config.json"},
    {"phi3v_a", "preprocessor_config.json"},
    {"colpali_a", "config.json"},
    {"colpali_a", "preprocessor_config.json"},
    {"colqwen2_a", "config.json"},
    {"bert_mean_a", "config.json"},
    {"bert_mean_a", "modules.json"},
    {"bert_mean_a", "sentence_bert_config.json"},
    {"bert_mean_a", "1_Pooling/config.json"},
    {"colbert_a", "config.json"},
    {"colbert_a", "artifact.metadata"},
    {"colbert_a", "adapter_config.json"},
    {"bert_cls_a", "2_Dense/config.json"},
    {"bert_cls_a", "config_sentence_transformers.json"},
    {"xlmr_a", "config.json"},
    {"modernbert_a", "config.json"},
    {"gte_a", "config.json"},
    {"late_modernbert_a", "config_sentence_transformers.json"},
    {"rerank_modernbert_a", "config.json"},
    {"rerank_bert_a", "tokenizer_config.json"},
    {"llama_awq", "config.json"},
    {"llama_gptq", "config.json"},
    {"llama_w4a16", "config.json"},
    {"llama_w8a16", "config.json"},
    {"llama_fp8", "config.json"},
    {"llama_fp8_channel", "config.json"},
}};

// A folder of links to the case's files, but for the one under test.
std::string lay_out(const fineprint::testing::TempDir& root, const Target& target) {
  namespace fs = std::filesystem;
  const fs::path from = fs::path(FINEPRINT_TEST_DATA) / target.name / "model";
  const fs::path to = fs::path(root.path()) / "model";
  fs::remove_all(to);
  for (const auto& entry : fs::recursive_directory_iterator(from)) {
    if (!entry.is_regular_file()) continue;
    const fs::path relative = fs::relative(entry.path(), from);
    if (relative == target.file) continue;
    // Of the two places a processor's settings may be in, the other is looked at first.
    const bool hides = std::string(target.file) == "processor_config.json" &&
                       relative == "preprocessor_config.json";
    if (hides) continue;
    fs::create_directories((to / relative).parent_path());
    fs::create_symlink(entry.path(), to / relative);
  }
  fs::create_directories((to / target.file).parent_path());
  return to.string();
}

void read_folder(const std::string& dir) {
  const fineprint::models::ModelSpec spec = fineprint::models::read_model(dir);
  // The plan of a page must hold for every processor that was accepted.
  if (spec.sees()) fineprint::preprocess::plan_pixels(spec.processor, 1240, 1754);
  const fineprint::models::Checkpoint checkpoint(spec);
  if (fineprint::models::describe_model(spec, checkpoint).parameters <= 0) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  static const fineprint::testing::TempDir root;
  static std::size_t laid_out = kTargets.size();
  const std::size_t choice = data[0] % kTargets.size();
  const Target& target = kTargets[choice];
  static std::string dir;
  if (choice != laid_out) dir = lay_out(root, target);
  laid_out = choice;
  root.write(std::string("model/") + target.file,
             {reinterpret_cast<const char*>(data) + 1, size - 1});
  try {
    read_folder(dir);
  } catch (const Error& error) {
    const bool plan = error.code() == ErrorCode::input;  // a page that the processor cannot take
    if ((error.code() != ErrorCode::model && !plan) || *error.what() == '\0') std::abort();
  }
  return 0;
}
