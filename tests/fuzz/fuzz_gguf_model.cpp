// Feeds any bytes to what makes a model of a GGUF file, and to what makes one of a language model
// and this file as its tower: facts, tensors, tokenizer and chat template must be of use, or the
// file be refused with Error(model) and a message.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "fineprint/core/error.h"
#include "fineprint/models/checkpoint.h"
#include "fineprint/models/describe.h"
#include "fineprint/models/load_tokenizer.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/tensorfile/gguf.h"

#include "support/temp_dir.h"

using namespace fineprint;

namespace {

void use_tokenizer(const std::string& path) {
  const auto tokenizer = models::load_tokenizer(path);
  for (const auto& token : tokenizer->encode("ab <|im_end|> 12\n\xC3\xA9", true)) {
    if (token.id < 0 || token.id >= static_cast<std::int32_t>(tokenizer->vocab_size())) {
      std::abort();
    }
    tokenizer->decode({token.id}, false);
  }
}

void use_model(const std::string& path) {
  const models::ModelSpec spec = models::read_model(path);
  const models::Checkpoint checkpoint(spec);
  if (models::describe_model(spec, checkpoint).parameters <= 0) std::abort();
  checkpoint.check_finite(1);
  for (const models::PartTensors& part : spec.parts) {
    for (const models::TensorSpec& tensor : part.tensors) {
      const models::Weight& weight = checkpoint.at(part.part, tensor.name);
      if (weight.interleaved_heads > 0) models::rows_in_order(weight);
    }
  }
}

constexpr std::array<const char*, 9> kSeeing = {
    "smolvlm_gguf",  "qwen3vl_gguf",    "qwen35_seeing_gguf", "gemma3_seeing_gguf", "qwen2vl_gguf",
    "qwen25vl_gguf", "qwen3vlmoe_gguf", "mistral3_gguf",      "lfm2vl_gguf"};

// Each by itself: a file may be wrong for one and right for the other.
template <class Use>
void try_to(const Use& use, const std::string& path) {
  try {
    use(path);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::model || *error.what() == '\0') std::abort();
  }
}

}  // namespace

// The first byte chooses the model that a tower is tried with: all of them would take most of the
// time.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  static const testing::TempDir dir;
  const std::string path = dir.write("a.gguf", {reinterpret_cast<const char*>(data) + 1, size - 1});
  if (!tensorfile::is_gguf(path)) return 0;
  try_to(use_model, path);
  try_to(use_tokenizer, path);
  // As the second file of one of the models that see, each of which has another kind of projector.
  const std::string seeing = kSeeing[data[0] % kSeeing.size()];
  try_to(use_model, std::string(FINEPRINT_TEST_DATA) + "/" + seeing + "/model.gguf+" + path);
  return 0;
}
