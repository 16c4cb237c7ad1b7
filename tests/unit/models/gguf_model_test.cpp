// Models from GGUF files: the same facts as from a folder, weights in their places, and clear words
// for what cannot be run.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <functional>

#include <gtest/gtest.h>

#include "fineprint/core/format.h"
#include "fineprint/models/checkpoint.h"
#include "fineprint/models/describe.h"
#include "fineprint/models/load_tokenizer.h"
#include "fineprint/models/model_spec.h"

#include "models/chat_templates.h"
#include "support/gguf_file.h"
#include "support/model_folder.h"
#include "support/temp_dir.h"

namespace fineprint::models {
namespace {

using testing::GgufFile;
using testing::model_error;
using testing::TempDir;

constexpr const char* kChatMl =
    "{% for message in messages %}{% if loop.first and messages[0]['role'] != 'system' %}{{ "
    "'<|im_start|>system\nYou are small.<|im_end|>\n' }}{% endif %}{{'<|im_start|>' + "
    "message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n'}}{% endfor %}";

// Of a model of one layer: two heads of four numbers, one of keys, eight wide.
struct TinyGguf {
  std::string architecture = "llama", chat = kChatMl, pre_tokenizer = "smollm";
  bool own_head = false, rope_factors = false;
  std::function<void(GgufFile*)> more;

  GgufFile file() const {
    GgufFile file;
    file.text("general.architecture", architecture);
    for (const auto& [name, value] : {std::pair{"block_count", 1},
                                      {"context_length", 64},
                                      {"embedding_length", 8},
                                      {"feed_forward_length", 12},
                                      {"attention.head_count", 2},
                                      {"attention.head_count_kv", 1},
                                      {"rope.dimension_count", 4}}) {
      file.u32("llama." + std::string(name), static_cast<std::uint32_t>(value));
    }
    file.f32("llama.attention.layer_norm_rms_epsilon", 1e-5F);
    file.f32("llama.rope.freq_base", 1e5F);
    file.text("tokenizer.ggml.model", "gpt2");
    file.text("tokenizer.ggml.pre", pre_tokenizer);
    file.texts("tokenizer.ggml.tokens", {"a", "b", "ab", "<|im_start|>", "<|im_end|>", "<|x|>"});
    file.i32s("tokenizer.ggml.token_type", {1, 1, 1, 3, 3, 3});
    file.texts("tokenizer.ggml.merges", {"a b"});
    file.u32("tokenizer.ggml.eos_token_id", 5);
    if (!chat.empty()) file.text("tokenizer.chat_template", chat);
    if (more) more(&file);
    add_tensors(&file);
    return file;
  }

  // Every number is its place in the tensor.
  static void numbers(GgufFile* file, const std::string& name,
                      const std::vector<std::uint64_t>& shape) {
    std::uint64_t count = 1;
    for (const std::uint64_t extent : shape) count *= extent;
    std::string bytes(4 * count, '\0');
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto value = static_cast<float>(i);
      std::memcpy(bytes.data() + 4 * i, &value, 4);
    }
    file->tensor(name, shape, 0, bytes);
  }

  void add_tensors(GgufFile* file) const {
    numbers(file, "token_embd.weight", {8, 6});
    if (rope_factors) file->tensor("rope_freqs.weight", {2}, 0, std::string("\0\0\x80?\0\0\0A", 8));
    for (const std::string name : {"attn_norm", "ffn_norm"}) {
      numbers(file, "blk.0." + name + ".weight", {8});
    }
    numbers(file, "blk.0.attn_q.weight", {8, 8});
    numbers(file, "blk.0.attn_k.weight", {8, 4});
    numbers(file, "blk.0.attn_v.weight", {8, 4});
    numbers(file, "blk.0.attn_output.weight", {8, 8});
    numbers(file, "blk.0.ffn_gate.weight", {8, 12});
    numbers(file, "blk.0.ffn_up.weight", {8, 12});
    numbers(file, "blk.0.ffn_down.weight", {12, 8});
    numbers(file, "output_norm.weight", {8});
    if (own_head) numbers(file, "output.weight", {8, 6});
  }
};

std::string written(const TempDir& dir, const TinyGguf& tiny) {
  return dir.write("tiny.gguf", tiny.file().bytes());
}

// What reading the file says, its name cut away.
std::string gguf_error(const TinyGguf& tiny) {
  const TempDir dir;
  const std::string path = written(dir, tiny);
  std::string message = model_error([&] {
    const ModelSpec spec = read_model(path);
    const Checkpoint checkpoint(spec);
    load_tokenizer(spec.tokenizer_path);
  });
  for (std::size_t at; (at = message.find(path)) != std::string::npos;) {
    message.replace(at, path.size(), "FILE");
  }
  return message;
}

TEST(GgufModel, FactsAreThoseOfAFolder) {
  const TempDir dir;
  TinyGguf tiny;
  tiny.rope_factors = true;
  const std::string path = written(dir, tiny);
  EXPECT_EQ(find_model(path), path);
  const ModelSpec spec = read_model(path);
  EXPECT_EQ(spec.family, "llama");
  EXPECT_EQ(spec.name, "tiny");
  EXPECT_EQ(spec.dir, path);
  EXPECT_FALSE(spec.sees());
  EXPECT_TRUE(spec.head.generates);
  EXPECT_TRUE(spec.head.tied);
  const auto& decoder = std::get<Decoder>(spec.trunk);
  EXPECT_EQ(decoder.layers, 1);
  EXPECT_EQ(decoder.hidden, 8);
  EXPECT_EQ(decoder.heads, 2);
  EXPECT_EQ(decoder.kv_heads, 1);
  EXPECT_EQ(decoder.head_dim, 4);
  EXPECT_EQ(decoder.intermediate, 12);
  EXPECT_EQ(decoder.vocab_size, 6);
  EXPECT_EQ(decoder.max_positions, 64);
  EXPECT_EQ(decoder.norm_eps, 1e-5);  // not the float's 9.99999975e-06
  EXPECT_EQ(decoder.rope.theta, 1e5);
  EXPECT_EQ(decoder.rope.short_factors, (std::vector<double>{1, 8}));
  EXPECT_EQ(spec.generation.end_tokens, (std::vector<std::int64_t>{4, 5}));
  EXPECT_EQ(spec.prompt.chat.default_system, "You are small.");
  const ModelFacts facts = describe_model(spec, Checkpoint(spec));
  EXPECT_TRUE(facts.generates);
  EXPECT_FALSE(facts.embeds);
  EXPECT_EQ(facts.stored_dtype, "F32");
}

TEST(GgufModel, RowsOfQueriesAndKeysGoWhereTheyBelong) {
  const TempDir dir;
  TinyGguf tiny;
  tiny.own_head = true;
  const ModelSpec spec = read_model(written(dir, tiny));
  EXPECT_FALSE(spec.head.tied);
  const Checkpoint checkpoint(spec);
  EXPECT_EQ(checkpoint.at("head", "lm_head.weight").view->name, "output.weight");
  const auto first_numbers = [&](const std::string& name) {
    const Weight& weight = checkpoint.at("trunk", "layers.0.self_attn." + name + ".weight");
    const std::vector<std::uint8_t> bytes = rows_in_order(weight);
    std::vector<int> first;
    for (std::size_t at = 0; at < bytes.size(); at += 8 * sizeof(float)) {
      float value = 0;
      std::memcpy(&value, bytes.data() + at, sizeof value);
      first.push_back(static_cast<int>(value) / 8);
    }
    return first;  // the rows that stand there now
  };
  EXPECT_EQ(first_numbers("q_proj"), (std::vector<int>{0, 2, 1, 3, 4, 6, 5, 7}));
  EXPECT_EQ(first_numbers("k_proj"), (std::vector<int>{0, 2, 1, 3}));
  EXPECT_EQ(checkpoint.at("trunk", "layers.0.self_attn.v_proj.weight").interleaved_heads, 0);
}

TEST(GgufModel, ItsTokenizerIsInTheFile) {
  const TempDir dir;
  const auto tokenizer = load_tokenizer(written(dir, {}));
  const auto tokens = tokenizer->encode("ab<|im_end|>", true);
  ASSERT_EQ(tokens.size(), 2u);
  EXPECT_EQ(tokens[0].id, 2);
  EXPECT_EQ(tokens[1].id, 4);
  TinyGguf begins;
  begins.more = [](GgufFile* file) {
    file->flag("tokenizer.ggml.add_bos_token", true);
    file->u32("tokenizer.ggml.bos_token_id", 3);
  };
  EXPECT_EQ(load_tokenizer(written(dir, begins))->encode("ab", true).front().id, 3);
}

TEST(GgufModel, WhatCannotBeRunIsSaid) {
  EXPECT_EQ(gguf_error({}), "no error");
  TinyGguf other;
  other.architecture = "mamba";
  const std::string of_others = gguf_error(other);
  EXPECT_TRUE(
      of_others.starts_with("FILE: general.architecture is \"mamba\"; GGUF files of llama, "))
      << of_others;
  EXPECT_TRUE(of_others.ends_with(
      " run here. A server can run others: `llama-server -m FILE --port 8080`, then --generator "
      "http://localhost:8080; or Ollama, then --generator ollama:NAME"))
      << of_others;
  TinyGguf base;
  base.chat = "";
  EXPECT_EQ(gguf_error(base), "no error");
  {
    const TempDir dir;
    const std::string path = written(dir, base);
    const ModelSpec spec = read_model(path);
    const std::string told =
        path +
        ": has no chat template: it is a base model, which continues texts "
        "instead of answering; use its instruct version, or have it continue a "
        "text with `fineprint generate --raw`";
    EXPECT_EQ(spec.prompt.no_chat, told);
    EXPECT_EQ(model_error([&] {
                chat_text(spec.prompt, *load_tokenizer(path),
                          std::vector<Message>{{Role::user, "a", {}}});
              }),
              told);
    EXPECT_FALSE(describe_model(spec, Checkpoint(spec)).chats);
  }
  TinyGguf strange;
  strange.chat = "[INST] {{ message }} [/INST]";
  EXPECT_EQ(gguf_error(strange),
            "FILE: its chat template is not supported (supported: ChatML, Llama 3, "
            "Gemma, Phi, SmolLM3, Idefics3, Granite, Mistral)");
  TinyGguf cut;
  cut.pre_tokenizer = "viking";
  EXPECT_EQ(gguf_error(cut),
            "FILE: its tokenizer cannot be used: the pre-tokenizer \"viking\" is "
            "not supported (supported: gpt-2, smollm, llama-bpe, dbrx, qwen2, qwen35, gpt-4o, "
            "tekken)");
}

TEST(GgufModel, KeysThatAreWrongAreNamed) {
  const auto error_with = [](const std::function<void(GgufFile*)>& more) {
    TinyGguf tiny;
    tiny.more = more;
    return gguf_error(tiny);
  };
  EXPECT_EQ(error_with([](GgufFile* f) { f->text("general.type", "mmproj"); }),
            "FILE: general.type is \"mmproj\"; give the file of the language model");
  EXPECT_EQ(
      error_with([](GgufFile* f) { f->u32("split.count", 2); }),
      "FILE: split.count is 2, but the file does not have the name of a part; give the files of "
      "this model their names back: NAME-00001-of-00002.gguf and so on");
  EXPECT_EQ(error_with([](GgufFile* f) { f->u32("llama.expert_count", 8); }),
            "FILE: llama.expert_count is over 0: mixtures of experts are not supported in this "
            "architecture");
  EXPECT_EQ(error_with([](GgufFile* f) { f->u32("llama.attention.value_length", 8); }),
            "FILE: llama.attention.value_length is not 4, the width of keys, which is not "
            "supported");
  EXPECT_EQ(error_with([](GgufFile* f) { f->text("llama.rope.scaling.type", "ntk"); }),
            "FILE: llama.rope.scaling.type is \"ntk\"; none, linear and yarn are supported");
  EXPECT_EQ(error_with([](GgufFile* f) { f->text("llama.rope.scaling.type", "yarn"); }),
            "FILE: llama.rope.scaling.factor is missing");
  EXPECT_EQ(error_with([](GgufFile* f) { f->u32("tokenizer.ggml.add_bos_token", 1); }),
            "FILE: tokenizer.ggml.add_bos_token is neither true nor false");
  EXPECT_EQ(error_with([](GgufFile* f) { f->flag("tokenizer.ggml.add_bos_token", true); }),
            "FILE: tokenizer.ggml.bos_token_id is missing");
  GgufFile empty;
  empty.text("general.architecture", "llama");
  const TempDir dir;
  const std::string path = dir.write("m.gguf", empty.bytes());
  EXPECT_EQ(model_error([&] { read_model(path); }),
            path + ": llama.attention.layer_norm_rms_epsilon is missing");
}

TEST(GgufModel, IsFoundInAFolder) {
  const TempDir dir;
  const std::string path = written(dir, {});
  dir.write("mmproj-tiny.gguf", TinyGguf().file().bytes());
  EXPECT_EQ(find_model(dir.path()), path);
  const std::string other = dir.write("other.gguf", TinyGguf().file().bytes());
  EXPECT_EQ(
      model_error([&] { find_model(dir.path()); }),
      format("{}: holds several GGUF files; name one of them: {}, {}", dir.path(), other, path));
}

// The parts of a tiny model as llama.cpp's gguf-split cuts it: facts in the first, tensors in all.
struct SplitModel {
  static constexpr int kParts = 3, kTensors = 11;
  TempDir dir;

  // Names of a part, counted from 1.
  std::string name(int part) const {
    return format("tiny-q8-{:05}-of-{:05}.gguf", part, int{kParts});
  }
  std::string path(int part) const { return dir.path() + "/" + name(part); }

  static void put_facts(int part, int count, int tensors, GgufFile* file) {
    file->key("split.no", 2, testing::little(static_cast<std::uint64_t>(part - 1), 2));
    file->key("split.count", 2, testing::little(static_cast<std::uint64_t>(count), 2));
    file->key("split.tensors.count", GgufFile::kI32,
              testing::little(static_cast<std::uint64_t>(tensors), 4));
  }

  void write(int part, int says_part, int says_count = kParts, int says_tensors = kTensors) const {
    GgufFile whole = TinyGguf().file(), file;
    if (part == 1) file.keys = whole.keys, file.key_count = whole.key_count;
    put_facts(says_part, says_count, says_tensors, &file);
    if (part == 1) {
      TinyGguf::numbers(&file, "token_embd.weight", {8, 6});
      TinyGguf::numbers(&file, "output_norm.weight", {8});
    } else if (part == 2) {
      for (const char* norm : {"attn_norm", "ffn_norm"}) {
        TinyGguf::numbers(&file, format("blk.0.{}.weight", norm), {8});
      }
      TinyGguf::numbers(&file, "blk.0.attn_q.weight", {8, 8});
      TinyGguf::numbers(&file, "blk.0.attn_k.weight", {8, 4});
      TinyGguf::numbers(&file, "blk.0.attn_v.weight", {8, 4});
      TinyGguf::numbers(&file, "blk.0.attn_output.weight", {8, 8});
    } else {
      TinyGguf::numbers(&file, "blk.0.ffn_gate.weight", {8, 12});
      TinyGguf::numbers(&file, "blk.0.ffn_up.weight", {8, 12});
      TinyGguf::numbers(&file, "blk.0.ffn_down.weight", {12, 8});
    }
    dir.write(name(part), file.bytes());
  }
  SplitModel() {
    for (int part = 1; part <= kParts; ++part) write(part, part);
  }

  std::string error(int part = 1) const {
    return model_error([&] {
      const ModelSpec spec = read_model(path(part));
      Checkpoint(spec).check_finite(1);
    });
  }
};

TEST(SplitGguf, AnyPartNamesTheModel) {
  const SplitModel split;
  const TempDir whole_dir;
  const ModelSpec whole = read_model(written(whole_dir, {}));
  const Checkpoint in_one(whole);
  std::string hash;
  for (int part = 1; part <= SplitModel::kParts; ++part) {
    const ModelSpec spec = read_model(find_model(split.path(part)));
    EXPECT_EQ(spec.dir, split.path(1));
    EXPECT_EQ(spec.name, "tiny-q8");
    EXPECT_EQ(load_tokenizer(spec.tokenizer_path)->encode("ab", false).front().id, 2);
    const Checkpoint checkpoint(spec);
    EXPECT_EQ(checkpoint.parameters(), in_one.parameters());
    const auto bytes = [](const Checkpoint& of) {
      return of.at("trunk", "layers.0.mlp.down_proj.weight").view->bytes;
    };
    EXPECT_TRUE(std::ranges::equal(bytes(checkpoint), bytes(in_one)));
    EXPECT_TRUE(hash.empty() || hash == checkpoint.hash());
    hash = checkpoint.hash();
  }
  EXPECT_EQ(find_model(split.dir.path()), split.path(1));
  // Every part counts for the hash.
  const SplitModel other;
  GgufFile file;
  SplitModel::put_facts(3, 3, SplitModel::kTensors, &file);
  for (const char* name : {"ffn_gate", "ffn_up"}) {
    TinyGguf::numbers(&file, format("blk.0.{}.weight", name), {8, 12});
  }
  file.tensor("blk.0.ffn_down.weight", {12, 8}, 0, std::string(4 * 96, '\0'));
  other.dir.write(other.name(3), file.bytes());
  EXPECT_NE(Checkpoint(read_model(other.path(1))).hash(), hash);
}

TEST(SplitGguf, APartThatIsMissingOrForeignIsNamed) {
  for (int missing = 1; missing <= SplitModel::kParts; ++missing) {
    const SplitModel split;
    std::filesystem::remove(split.path(missing));
    const std::string error = split.error(missing == 1 ? 2 : 1);
    EXPECT_EQ(error, format("the model is split into 3 files, and these are missing or are no GGUF "
                            "files: {}; download all parts into one folder",
                            split.path(missing)));
    EXPECT_EQ(model_error([&] { read_model(find_model(split.dir.path())); }), error);
  }
  const SplitModel exchanged;
  exchanged.write(2, 3);
  EXPECT_EQ(exchanged.error(),
            exchanged.path(2) +
                " is not a usable GGUF file: split.no is 2, but by its name it is "
                "part 2 of 3");
  const SplitModel other_count;
  other_count.write(3, 3, 4);
  EXPECT_EQ(other_count.error(),
            other_count.path(3) +
                " is not a usable GGUF file: split.count is 4, but its name says "
                "3");
  const SplitModel other_model;
  other_model.write(1, 1, 3, 12);
  EXPECT_EQ(other_model.error(),
            other_model.path(1) +
                " is not a usable GGUF file: split.tensors.count is 12, but the "
                "parts hold 11 tensors");
  const SplitModel twice;
  GgufFile again;
  SplitModel::put_facts(2, 3, SplitModel::kTensors, &again);
  TinyGguf::numbers(&again, "output_norm.weight", {8});
  twice.dir.write(twice.name(2), again.bytes());
  EXPECT_EQ(twice.error(),
            twice.path(2) + " is not a usable GGUF file: tensor 'output_norm.weight' exists twice");
  const SplitModel plain;
  plain.dir.write(plain.name(2), GgufFile().bytes());
  EXPECT_EQ(plain.error(),
            plain.path(2) +
                " is not a usable GGUF file: its name is that of one part of several, "
                "but split.count is missing");
}

// Source: the templates of the models' tokenizer_config.json.
TEST(ChatTemplates, AreKnownByWhatTheyContain) {
  const auto chat_ml = recognise_chat(kChatMl);
  ASSERT_TRUE(chat_ml);
  EXPECT_EQ(chat_ml->before_user, "<|im_start|>user\n");
  EXPECT_EQ(chat_ml->after_user, "<|im_end|>\n");
  // Line's ends that are written; a first system message that is computed.
  const auto qwen = recognise_chat(
      "{{- '<|im_start|>system\\n' + messages[0].content + '<|im_end|>\\n' }}"
      "{{- '<|im_start|>system\\nYou are Qwen.<|im_end|>\\n' }}");
  ASSERT_TRUE(qwen);
  EXPECT_EQ(qwen->default_system, "You are Qwen.");
  EXPECT_EQ(recognise_chat("{{'<|im_start|>' + role + '<|im_end|>'}}")->default_system, "");
  EXPECT_EQ(qwen->before_reply, "");
  const auto llama = recognise_chat(
      "{{ '<|start_header_id|>' + role + '<|end_header_id|>\n\n'+ "
      "message | trim + '<|eot_id|>' }}");
  ASSERT_TRUE(llama);
  EXPECT_EQ(llama->before_system, "<|start_header_id|>system<|end_header_id|>\n\n");
  EXPECT_EQ(llama->after_assistant, "<|eot_id|>");
  EXPECT_FALSE(llama->system_always);
  const auto dated = recognise_chat(
      "{{- '<|start_header_id|>' }}{{- \"Cutting Knowledge Date: December 2023\\n\" }}<|eot_id|>");
  ASSERT_TRUE(dated);
  EXPECT_TRUE(dated->system_always);
  EXPECT_TRUE(dated->before_system.ends_with("Today Date: 26 Jul 2024\n\n"));
  const auto gemma = recognise_chat(
      "{{ '<start_of_turn>' + role + '\\n' + content | trim + '<end_of_turn>\\n' }}");
  ASSERT_TRUE(gemma);
  EXPECT_EQ(gemma->before_assistant, "<start_of_turn>model\n");
  EXPECT_TRUE(gemma->system_opens_user);
  const auto smol = recognise_chat(
      "<|im_start|>{% for message in messages %}{{message['role'] | capitalize}}{% if image %}"
      "{{':'}}{% else %}{{': '}}{% endif %}<end_of_utterance>\n{% endfor %}{{ 'Assistant:' }}");
  ASSERT_TRUE(smol);
  EXPECT_EQ(smol->begin, "<|im_start|>");
  EXPECT_EQ(smol->before_user, "User:");
  EXPECT_EQ(smol->before_first_text, " ");
  EXPECT_EQ(smol->after_user, "<end_of_utterance>\n");
  const auto granite = recognise_chat(
      "{{- '<|start_of_role|>' + role + '<|end_of_role|>' }}{{ text }}{{- '<|end_of_text|>\n' }}");
  ASSERT_TRUE(granite);
  EXPECT_EQ(granite->before_user, "<|start_of_role|>user<|end_of_role|>");
  EXPECT_EQ(granite->after_user, "<|end_of_text|>\n");
  EXPECT_EQ(granite->default_system, "");
  const auto dated_granite = recognise_chat("{{ \"Today's Date: \" }}{{ '<|start_of_role|>' }}");
  ASSERT_TRUE(dated_granite);
  EXPECT_TRUE(
      dated_granite->default_system.ends_with("\nYou are Granite, developed by IBM. You are a "
                                              "helpful AI assistant."));
  EXPECT_EQ(dated_granite->default_system.find("Today"), std::string::npos);
  EXPECT_FALSE(recognise_chat("{{ message }}"));
}

TEST(ChatTemplates, OfPhiHaveLinesOrNone) {
  const auto phi3 = recognise_chat(
      "{{'<|user|>' + '\\n' + message['content'] + '<|end|>' + '\\n' + '<|assistant|>' + '\\n'}}");
  ASSERT_TRUE(phi3);
  EXPECT_EQ(phi3->before_user, "<|user|>\n");
  EXPECT_EQ(phi3->after_user, "<|end|>\n");
  const auto phi35 = recognise_chat("{{'<|user|>\n' + text + '<|end|>\n'}}{{ '<|assistant|>\n' }}");
  ASSERT_TRUE(phi35);
  EXPECT_EQ(phi35->before_assistant, "<|assistant|>\n");
  const auto mini = recognise_chat(
      "{{ '<|' + message['role'] + '|>' + message['content'] + '<|end|>' }}{{ '<|assistant|>' }}");
  ASSERT_TRUE(mini);
  EXPECT_EQ(mini->before_system, "<|system|>");
  EXPECT_EQ(mini->after_system, "<|end|>");
  const auto phi4 = recognise_chat("{{'<|im_start|>user<|im_sep|>' + text + '<|im_end|>'}}");
  ASSERT_TRUE(phi4);
  EXPECT_EQ(phi4->before_user, "<|im_start|>user<|im_sep|>");
  EXPECT_EQ(phi4->after_user, "<|im_end|>");
}

// As the template writes it with thinking switched off and no tools, except for the date.
TEST(ChatTemplates, OfSmolLM3HasAHeader) {
  const auto chat = recognise_chat(
      "{{- \"<|im_start|>system\\n\" -}}{{- \"Knowledge Cutoff Date: June 2025\\n\" -}}"
      "{{- \"## Custom Instructions\\n\\n\" -}}{{- \"<|im_end|>\\n\" -}}");
  ASSERT_TRUE(chat);
  EXPECT_EQ(chat->before_system,
            "<|im_start|>system\n## Metadata\n\nKnowledge Cutoff Date: June 2025\nReasoning Mode: "
            "/no_think\n\n## Custom Instructions\n\n");
  EXPECT_EQ(chat->after_system, "\n\n");
  EXPECT_EQ(chat->before_assistant, "<|im_start|>assistant\n<think>\n\n</think>\n");
}

// With a switch for thoughts (Qwen3), and without one where the template opens them (its thinking
// versions of July 2025). What it writes around thoughts of earlier replies is not meant.
TEST(ChatTemplates, HaveNothingThoughtBeforeReplies) {
  const auto before_reply = [](const std::string& end) {
    return recognise_chat(
               "{{- '<|im_start|>' + role + '\\n<think>\\n' + thoughts + '<|im_end|>' }}"
               "{{- '<|im_start|>assistant\\n" +
               end)
        ->before_reply;
  };
  const std::string nothing = "<think>\n\n</think>\n\n";
  EXPECT_EQ(before_reply("' }}{%- if not enable_thinking %}{{- '<think>\\n\\n</think>\\n\\n' }}"),
            nothing);
  EXPECT_EQ(before_reply("<think>\\n' }}"), nothing);
  EXPECT_EQ(before_reply("' }}"), "");
}

}  // namespace
}  // namespace fineprint::models
