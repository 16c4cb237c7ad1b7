// Reads what the configuration of a LoRA adapter asks for, and finds its base model.
#include "models/adapter.h"

#include <cmath>
#include <filesystem>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "models/folder_reader.h"

namespace fineprint::models {
namespace {

constexpr std::size_t kMaxNames = 4096;
constexpr int kMaxRank = 1 << 14;

// Refuses options that would change the sum weight + scale * up * down, or the weights around it.
// An adapter that is applied in part would silently give other results.
void refuse_unsupported(const JsonFacts& facts) {
  facts.expect_text("peft_type", "LORA", false);
  facts.expect_text("bias", "none", true);
  for (const std::string flag : {"use_dora", "fan_in_fan_out", "lora_bias", "use_qalora"}) {
    facts.expect_flag(flag, false);
  }
  for (const std::string key : {"rank_pattern", "alpha_pattern", "layer_replication",
                                "target_parameters", "trainable_token_indices", "megatron_config",
                                "eva_config", "corda_config", "alora_invocation_tokens",
                                "kasa_config", "monteclora_config", "arrow_config", "use_bdlora"}) {
    if (facts.has(key) && !facts.json().at(key).empty() && facts.json().at(key) != false) {
      facts.fail(key, "is set, which is not supported");
    }
  }
}

// Returns the names of modules in a list. A single string is a pattern or "all-linear" and names
// none.
std::vector<std::string> read_targets(const JsonFacts& facts) {
  if (!facts.has("target_modules")) facts.fail("target_modules", "is missing");
  if (facts.json().at("target_modules").is_string()) return {};
  std::vector<std::string> targets = facts.texts("target_modules", kMaxNames);
  if (targets.empty()) facts.fail("target_modules", "names no module");
  return targets;
}

}  // namespace

bool holds_adapter(const std::string& dir) { return is_plain_file(dir + "/adapter_config.json"); }

AdapterFolder read_adapter(const std::string& dir) {
  AdapterFolder adapter;
  adapter.config_path = dir + "/adapter_config.json";
  const JsonFacts facts(adapter.config_path);
  refuse_unsupported(facts);
  adapter.facts.dir = dir;
  adapter.facts.rank = facts.integer("r", 1, kMaxRank);
  const double alpha = facts.number("lora_alpha", 0, 1e6);
  const double rank = adapter.facts.rank;
  adapter.facts.scale = alpha / (facts.flag_or("use_rslora", false) ? std::sqrt(rank) : rank);
  adapter.facts.targets = read_targets(facts);
  // If only some layers are changed, a missing change is no sign of a damaged adapter.
  for (const std::string limit : {"layers_to_transform", "exclude_modules"}) {
    if (facts.has(limit)) adapter.facts.every_target = false;
  }
  adapter.facts.replacements = facts.texts("modules_to_save", kMaxNames);
  adapter.base = facts.text("base_model_name_or_path").value_or("");
  if (adapter.base.empty()) facts.fail("base_model_name_or_path", "is missing");
  return adapter;
}

std::string find_base(const AdapterFolder& adapter, const std::string& hub_cache) {
  const std::filesystem::path relative = std::filesystem::path(adapter.facts.dir) / adapter.base;
  std::string base;
  if (is_plain_file((relative / "config.json").string())) {
    base = relative.lexically_normal().string();
  } else {
    try {
      base = find_model(adapter.base, hub_cache);
    } catch (const Error& error) {
      throw Error(ErrorCode::model,
                  format("{}: cannot find its base model: {}", adapter.config_path, error.what()));
    }
  }
  if (holds_adapter(base)) {
    throw Error(ErrorCode::model,
                format("{}: its base model {} is an adapter too, which is not supported; merge "
                       "that one first",
                       adapter.config_path, base));
  }
  return base;
}

}  // namespace fineprint::models
