// A GGUF model whose head is whole, with one thing wrong after the other: each is refused with what
// is wrong named.
#include <functional>
#include <map>

#include <gtest/gtest.h>

#include "fineprint/models/checkpoint.h"
#include "fineprint/models/load_tokenizer.h"
#include "fineprint/models/model_spec.h"

#include "support/gguf_file.h"
#include "support/has.h"
#include "support/model_folder.h"
#include "support/temp_dir.h"

namespace fineprint::models {
namespace {

using testing::gguf_text;
using testing::GgufFile;
using testing::has;
using testing::little;
using testing::model_error;
using testing::TempDir;

struct Value {
  std::uint32_t type = 0;
  std::string bytes;
};

Value number(std::uint64_t value) { return {GgufFile::kU32, little(value, 4)}; }
Value wide(std::uint64_t value) { return {10, little(value, 8)}; }  // U64
Value real(float value) { return {GgufFile::kF32, little(std::bit_cast<std::uint32_t>(value), 4)}; }
Value words(std::string_view text) { return {GgufFile::kText, gguf_text(text)}; }
Value list(std::uint32_t of, std::uint64_t claimed, const std::string& items) {
  return {GgufFile::kList, little(of, 4) + little(claimed, 8) + items};
}
Value word_list(const std::vector<std::string>& texts) {
  std::string items;
  for (const std::string& text : texts) items += gguf_text(text);
  return list(GgufFile::kText, texts.size(), items);
}
Value number_list(const std::vector<std::int32_t>& numbers) {
  std::string items;
  for (const std::int32_t one : numbers) items += little(static_cast<std::uint32_t>(one), 4);
  return list(GgufFile::kI32, numbers.size(), items);
}

struct Array {
  std::vector<std::uint64_t> shape;  // the row's length first
  std::uint32_t type = 0;            // 0: F32
  std::string bytes;
};

// A Llama of one layer, eight wide, whose keys and arrays can be changed by name.
struct Model {
  std::map<std::string, Value> keys;
  std::map<std::string, Array> arrays;

  Model() {
    keys = {{"general.architecture", words("llama")},
            {"llama.block_count", number(1)},
            {"llama.context_length", number(64)},
            {"llama.embedding_length", number(8)},
            {"llama.feed_forward_length", number(12)},
            {"llama.attention.head_count", number(2)},
            {"llama.attention.head_count_kv", number(1)},
            {"llama.rope.dimension_count", number(4)},
            {"llama.attention.layer_norm_rms_epsilon", real(1e-5F)},
            {"llama.rope.freq_base", real(1e5F)},
            {"tokenizer.ggml.model", words("gpt2")},
            {"tokenizer.ggml.pre", words("smollm")},
            {"tokenizer.ggml.tokens",
             word_list({"a", "b", "ab", "<|im_start|>", "<|im_end|>", "<|x|>"})},
            {"tokenizer.ggml.token_type", number_list({1, 1, 1, 3, 3, 3})},
            {"tokenizer.ggml.merges", word_list({"a b"})},
            {"tokenizer.ggml.eos_token_id", number(5)},
            {"tokenizer.chat_template",
             words("{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + "
                   "message['content'] + '<|im_end|>' }}{% endfor %}")}};
    add("token_embd.weight", {8, 6});
    add("output_norm.weight", {8});
    add("blk.0.attn_norm.weight", {8});
    add("blk.0.ffn_norm.weight", {8});
    add("blk.0.attn_q.weight", {8, 8});
    add("blk.0.attn_k.weight", {8, 4});
    add("blk.0.attn_v.weight", {8, 4});
    add("blk.0.attn_output.weight", {8, 8});
    add("blk.0.ffn_gate.weight", {8, 12});
    add("blk.0.ffn_up.weight", {8, 12});
    add("blk.0.ffn_down.weight", {12, 8});
  }

  void add(const std::string& name, const std::vector<std::uint64_t>& shape) {
    std::size_t count = 1;
    for (const std::uint64_t extent : shape) count *= extent;
    arrays[name] = {shape, 0, std::string(4 * count, '\0')};
  }

  std::string error() const {
    GgufFile file;
    for (const auto& [name, value] : keys) file.key(name, value.type, value.bytes);
    for (const auto& [name, array] : arrays)
      file.tensor(name, array.shape, array.type, array.bytes);
    const TempDir dir;
    const std::string path = dir.write("model.gguf", file.bytes());
    return model_error([&] {
      const ModelSpec spec = read_model(path);
      load_tokenizer(spec.tokenizer_path);
      const Checkpoint checkpoint(spec);
      checkpoint.check_finite(1);
    });
  }
};

TEST(HostileGguf, TheModelItselfIsFine) { EXPECT_EQ(Model().error(), "no error"); }

TEST(HostileGguf, EveryKeyThatIsNeededIsNamedWhereItLacks) {
  for (const auto& [name, value] : Model().keys) {
    // What has a meaning when it is absent, or is asked for by other words.
    const bool optional = name == "llama.attention.head_count_kv" ||
                          name == "llama.rope.dimension_count" || name == "llama.rope.freq_base" ||
                          name == "tokenizer.ggml.merges" ||
                          name == "tokenizer.ggml.eos_token_id" ||
                          name == "tokenizer.ggml.token_type" || name == "tokenizer.chat_template";
    if (optional) continue;
    Model model;
    model.keys.erase(name);
    const std::string error = model.error();
    const std::string told = name == "tokenizer.ggml.tokens" ? "lists no tokens" : name;
    EXPECT_TRUE(has(error, "model.gguf") && has(error, told)) << name << ": " << error;
  }
}

TEST(HostileGguf, EveryKeyOfAnotherKindIsNamed) {
  for (const auto& [name, value] : Model().keys) {
    Model model;
    model.keys[name] = value.type == GgufFile::kText ? number(7) : words("seven");
    const std::string error = model.error();
    EXPECT_TRUE(has(error, "model.gguf") && has(error, name)) << name << ": " << error;
  }
}

TEST(HostileGguf, SizesThatNoModelHasAreRefused) {
  for (const char* name :
       {"llama.block_count", "llama.embedding_length", "llama.feed_forward_length",
        "llama.attention.head_count", "llama.context_length"}) {
    for (const Value& value : {number(0), number(UINT32_MAX), wide(std::uint64_t{1} << 40),
                               wide(UINT64_MAX), Value{GgufFile::kI32, little(UINT64_MAX, 4)}}) {
      Model model;
      model.keys[name] = value;
      const std::string error = model.error();
      EXPECT_TRUE(has(error, "model.gguf")) << name << ": " << error;
    }
  }
}

TEST(HostileGguf, ListsThatClaimMoreThanTheFileHoldsAreRefused) {
  for (const std::uint64_t claimed :
       {std::uint64_t{7}, std::uint64_t{1} << 31, std::uint64_t{1} << 61, UINT64_MAX}) {
    Model texts;
    texts.keys["tokenizer.ggml.tokens"] = list(GgufFile::kText, claimed, gguf_text("a"));
    EXPECT_TRUE(has(texts.error(), "model.gguf")) << claimed << ": " << texts.error();
    Model numbers;
    numbers.keys["tokenizer.ggml.token_type"] = list(GgufFile::kI32, claimed, little(1, 4));
    EXPECT_TRUE(has(numbers.error(), "model.gguf")) << claimed << ": " << numbers.error();
    Model text;
    text.keys["tokenizer.ggml.model"] = {GgufFile::kText, little(claimed << 8, 8) + "gpt2"};
    EXPECT_TRUE(has(text.error(), "model.gguf")) << claimed << ": " << text.error();
  }
}

TEST(HostileGguf, ArraysThatTheModelDoesNotHaveAreNamed) {
  const auto error_with = [](const std::function<void(Model*)>& change) {
    Model model;
    change(&model);
    return model.error();
  };
  for (const auto& [name, array] : Model().arrays) {
    const std::string error = error_with([&](Model* model) { model->arrays.erase(name); });
    EXPECT_TRUE(has(error, "model.gguf") && has(error, "missing")) << name << ": " << error;
    const std::string wider = error_with([&](Model* model) {
      model->arrays[name].shape.back() += 1;
      const std::size_t size = model->arrays[name].bytes.size();
      model->arrays[name].bytes.resize(size + size / array.shape.back());
    });
    // Tables have more rows than there are tokens in many files.
    const bool padded = name == "token_embd.weight";
    EXPECT_EQ(has(wider, "model.gguf"), !padded) << name << ": " << wider;
    const std::string of_integers =
        error_with([&](Model* model) { model->arrays[name].type = 26; });  // I32
    EXPECT_TRUE(has(of_integers, "model.gguf")) << name << ": " << of_integers;
    const std::string of_no_type =
        error_with([&](Model* model) { model->arrays[name].type = 1000; });
    EXPECT_TRUE(has(of_no_type, name)) << of_no_type;
    // Rows of eight are no whole blocks.
    const std::string of_blocks = error_with([&](Model* model) { model->arrays[name].type = 2; });
    EXPECT_TRUE(has(of_blocks, name)) << of_blocks;
    const std::string of_nans = error_with(
        [&](Model* model) { model->arrays[name].bytes.assign(array.bytes.size(), '\xFF'); });
    EXPECT_TRUE(has(of_nans, "NaN")) << name << ": " << of_nans;
  }
  const std::string more =
      error_with([](Model* model) { model->add("blk.1.attn_q.weight", {8, 8}); });
  EXPECT_TRUE(has(more, "blk.1.attn_q.weight")) << more;
}

TEST(HostileGguf, TemplatesAndTokensThatAreNoneAreRefused) {
  const std::tuple<const char*, Value, const char*> damages[] = {
      {"tokenizer.chat_template", words(""), "chat template"},
      {"tokenizer.chat_template", words(std::string(1 << 20, '{')), "chat template"},
      {"tokenizer.chat_template", words("{{ range(10**9) }}"), "chat template"},
      {"tokenizer.ggml.model", words("rwkv"), "rwkv"},
      {"tokenizer.ggml.pre", words("viking"), "viking"},
      {"tokenizer.ggml.tokens", word_list({}), "model.gguf"},
      {"tokenizer.ggml.tokens", word_list({"a", "a", "a", "a", "a", "a"}), "model.gguf"},
      {"tokenizer.ggml.token_type", number_list({1, 1}), "2 token types"},
      {"tokenizer.ggml.merges", word_list({"no such pair here"}), "model.gguf"},
      {"tokenizer.ggml.eos_token_id", number(6), "eos_token_id"},
      {"general.architecture", words(""), "general.architecture"},
  };
  for (const auto& [name, value, named] : damages) {
    Model model;
    model.keys[name] = value;
    const std::string error = model.error();
    EXPECT_TRUE(has(error, named)) << name << ": " << error;
  }
}

// A model of one layer with four experts, two of which read a token.
struct MixtureModel : Model {
  MixtureModel() {
    for (const char* name :
         {"block_count", "context_length", "embedding_length", "feed_forward_length",
          "attention.head_count", "attention.head_count_kv", "rope.dimension_count",
          "attention.layer_norm_rms_epsilon", "rope.freq_base"}) {
      auto moved = keys.extract(std::string("llama.") + name);
      moved.key() = std::string("qwen3moe.") + name;
      keys.insert(std::move(moved));
    }
    keys["general.architecture"] = words("qwen3moe");
    keys["qwen3moe.attention.key_length"] = number(4);
    keys["qwen3moe.attention.value_length"] = number(4);
    keys["qwen3moe.expert_count"] = number(4);
    keys["qwen3moe.expert_used_count"] = number(2);
    keys["qwen3moe.expert_feed_forward_length"] = number(6);
    for (const char* name : {"gate", "up", "down"}) {
      arrays.erase(std::string("blk.0.ffn_") + name + ".weight");
    }
    add("blk.0.attn_q_norm.weight", {4});
    add("blk.0.attn_k_norm.weight", {4});
    add("blk.0.ffn_gate_inp.weight", {8, 4});
    add("blk.0.ffn_gate_exps.weight", {8, 6, 4});
    add("blk.0.ffn_up_exps.weight", {8, 6, 4});
    add("blk.0.ffn_down_exps.weight", {6, 8, 4});
  }
};

TEST(HostileGguf, ExpertsThatDoNotFitTheirNumberAreRefused) {
  EXPECT_EQ(MixtureModel().error(), "no error");
  const std::tuple<const char*, Value, const char*> keys[] = {
      {"qwen3moe.expert_count", number(0), "num_experts"},
      {"qwen3moe.expert_count", number(3), "ffn_gate_inp"},
      {"qwen3moe.expert_count", number(5), "ffn_gate_inp"},
      {"qwen3moe.expert_count", number(1 << 20), "num_experts"},
      {"qwen3moe.expert_count", words("four"), "expert_count"},
      {"qwen3moe.expert_used_count", number(0), "num_experts_per_tok"},
      {"qwen3moe.expert_used_count", number(5), "is 5, more than the 4 experts"},
      {"qwen3moe.expert_feed_forward_length", number(7), "shape"},
      {"qwen3moe.expert_feed_forward_length", wide(UINT64_MAX), "expert_feed_forward_length"},
  };
  for (const auto& [name, value, told] : keys) {
    MixtureModel model;
    model.keys[name] = value;
    const std::string error = model.error();
    EXPECT_TRUE(has(error, "model.gguf") && has(error, told)) << name << ": " << error;
  }
  for (const char* name : {"qwen3moe.expert_count", "qwen3moe.expert_used_count",
                           "qwen3moe.expert_feed_forward_length"}) {
    MixtureModel model;
    model.keys.erase(name);
    EXPECT_TRUE(has(model.error(), name)) << model.error();
  }
  const std::tuple<const char*, std::vector<std::uint64_t>, const char*> shapes[] = {
      {"blk.0.ffn_gate_exps.weight", {8, 6}, "is not an array of the matrices"},
      {"blk.0.ffn_gate_exps.weight", {8, 6, 3}, "missing"},
      {"blk.0.ffn_up_exps.weight", {8, 6, 5}, "belongs to no part"},
      {"blk.0.ffn_up_exps.weight", {8, 4, 6}, "shape"},
      {"blk.0.ffn_down_exps.weight", {8, 6, 4}, "shape"},
      {"blk.0.ffn_down_exps.weight", {1, 1, 5000}, "is not an array of the matrices"},
      {"blk.0.ffn_gate_inp.weight", {8, 3}, "shape"},
  };
  for (const auto& [name, shape, told] : shapes) {
    MixtureModel model;
    model.add(name, shape);
    const std::string error = model.error();
    EXPECT_TRUE(has(error, "model.gguf") && has(error, told)) << name << ": " << error;
  }
  for (const char* name : {"blk.0.ffn_gate_inp.weight", "blk.0.ffn_up_exps.weight"}) {
    MixtureModel model;
    model.arrays.erase(name);
    EXPECT_TRUE(has(model.error(), "missing")) << model.error();
  }
}

// Every expert has its own rows of the array, whole blocks included.
TEST(HostileGguf, ExpertsAreTheRowsOfTheirArrays) {
  MixtureModel model;
  std::string& bytes = model.arrays["blk.0.ffn_up_exps.weight"].bytes;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    bytes[at] = static_cast<char>(at / (4 * 48));  // the number of the expert
  }
  GgufFile file;
  for (const auto& [name, value] : model.keys) file.key(name, value.type, value.bytes);
  for (const auto& [name, array] : model.arrays) {
    file.tensor(name, array.shape, array.type, array.bytes);
  }
  const TempDir dir;
  const Checkpoint checkpoint(read_model(dir.write("model.gguf", file.bytes())));
  for (int expert = 0; expert < 4; ++expert) {
    const auto& weight = checkpoint.at(
        "trunk", "layers.0.mlp.experts." + std::to_string(expert) + ".up_proj.weight");
    EXPECT_EQ(weight.view->shape, (std::vector<std::int64_t>{6, 8}));
    ASSERT_EQ(weight.view->bytes.size(), 4U * 48);
    EXPECT_EQ(weight.view->bytes.front(), expert);
    EXPECT_EQ(weight.view->bytes.back(), expert);
  }
}

}  // namespace
}  // namespace fineprint::models
