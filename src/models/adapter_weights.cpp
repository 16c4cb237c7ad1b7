// Applies the tensors of a LoRA adapter to the weights of its base model.
#include <algorithm>
#include <string_view>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "models/part_weights.h"

namespace fineprint::models {
namespace {

constexpr std::string_view kOutside = "base_model.model.";
constexpr std::string_view kDown = ".lora_A.weight";
constexpr std::string_view kUp = ".lora_B.weight";
constexpr std::string_view kWeight = ".weight";
constexpr std::string_view kBias = ".bias";

bool cut_ending(std::string* text, std::string_view ending) {
  if (!text->ends_with(ending)) return false;
  text->resize(text->size() - ending.size());
  return true;
}

// Returns true if a module's name is in `names`, or ends in one of them after a dot.
bool named_by(const std::vector<std::string>& names, std::string_view module) {
  return std::ranges::any_of(names, [&](const std::string& name) {
    return module == name || (module.size() > name.size() && module.ends_with(name) &&
                              module[module.size() - name.size() - 1] == '.');
  });
}

[[noreturn]] void refuse_change(const FoundTensor& found, const std::string& problem) {
  throw Error(ErrorCode::model,
              format("{}: tensor '{}' {}", found.file->path, found.view->name, problem));
}

// A weight and the part it belongs to.
struct Place {
  Weight* weight = nullptr;
  std::string part;
};

// Every name that a weight may have in an adapter: under any prefix of published checkpoints,
// because the adapter may have been trained on another layout than the base model is stored in.
class Places {
 public:
  Places(const ModelSpec& spec, PartWeights* weights) : spec_(spec) {
    // Stored names first: emplace below must not let another prefix take such a name.
    for (const PartTensors& part : spec.parts) {
      for (auto& [name, weight] : (*weights)[part.part]) {
        places_[weight.view->name] = {&weight, part.part};
      }
    }
    for (const PartTensors& part : spec.parts) {
      for (auto& [name, weight] : (*weights)[part.part]) {
        for (const std::string& prefix : part.prefixes) {
          places_.try_emplace(prefix + name, Place{&weight, part.part});
        }
      }
    }
  }

  const Place* find(const std::string& name) const {
    const auto found = places_.find(name);
    return found == places_.end() ? nullptr : &found->second;
  }
  // Returns true if the base model may have the weight but does not read it: its change is ignored
  // as well.
  bool unused(const std::string& name) const {
    return std::ranges::any_of(spec_.parts,
                               [&](const PartTensors& part) { return is_unused(part, name); });
  }

 private:
  const ModelSpec& spec_;
  std::map<std::string, Place> places_;
};

void check_half(const FoundTensor& found, const std::vector<std::int64_t>& shape) {
  if (found.view->shape != shape) {
    refuse_change(found,
                  format("has shape {}, but its weight and the rank in adapter_config.json need {}",
                         shape_text(found.view->shape), shape_text(shape)));
  }
  check_readable(found);
}

// Records the two halves of one change.
void add_change(const Adapter& facts, const FoundTensor& down, const FoundTensor& up,
                Weight* weight) {
  const std::vector<std::int64_t>& shape = weight->view->shape;
  if (shape.size() != 2) refuse_change(down, "changes a weight that is not a matrix");
  if (!weight->changes.empty())
    refuse_change(down, "changes a weight that another tensor changes already");
  check_half(down, {facts.rank, shape[1]});
  check_half(up, {shape[0], facts.rank});
  weight->changes.push_back({down.view, up.view, facts.scale});
}

void add_half(const Adapter& facts, const WeightFiles& adapter, const Places& places,
              const FoundTensor& found, const std::string& module, bool is_down) {
  if (!facts.targets.empty() && !named_by(facts.targets, module)) {
    refuse_change(found,
                  "belongs to a module that target_modules of adapter_config.json does not name");
  }
  const std::string& name = found.view->name;
  const std::size_t stem = name.size() - (is_down ? kDown : kUp).size();
  const FoundTensor* other =
      adapter.find(name.substr(0, stem) + std::string(is_down ? kUp : kDown));
  if (other == nullptr) refuse_change(found, "lacks its other half (lora_A or lora_B)");
  const std::string weight = module + std::string(kWeight);
  const Place* place = places.find(weight);
  if (place != nullptr && is_down) add_change(facts, found, *other, place->weight);
  if (place == nullptr && !places.unused(weight)) {
    refuse_change(found, format("changes '{}', which the base model does not have", weight));
  }
}

// Replaces a module that was trained completely. Only the projection may be replaced: a change of
// other parts would make another model.
void replace(const Adapter& facts, const Places& places, const FoundTensor& found,
             const std::string& name) {
  std::string module = name;
  if (!cut_ending(&module, kWeight)) cut_ending(&module, kBias);
  const Place* place = places.find(name);
  if (!named_by(facts.replacements, module) || place == nullptr || place->part != "projection") {
    refuse_change(found,
                  "is neither a low-rank change (lora_A, lora_B) nor a projection that "
                  "modules_to_save of adapter_config.json names, which is all that is supported");
  }
  if (found.view->shape != place->weight->view->shape) {
    refuse_change(
        found, format("has shape {}, but replaces one of shape {}", shape_text(found.view->shape),
                      shape_text(place->weight->view->shape)));
  }
  check_readable(found);
  place->weight->view = found.view;
  place->weight->file = found.file->path;
}

// Throws if a change is missing. It would go unnoticed, because its layer would act as before the
// training.
void check_complete(const ModelSpec& spec, const PartWeights& weights) {
  int changes = 0;
  for (const auto& [part, of_part] : weights) {
    for (const auto& [name, weight] : of_part) {
      changes += static_cast<int>(weight.changes.size());
      std::string module = name;
      const bool matrix = cut_ending(&module, kWeight) && weight.view->shape.size() == 2;
      if (spec.adapter->every_target && matrix && weight.changes.empty() &&
          named_by(spec.adapter->targets, module)) {
        throw Error(ErrorCode::model,
                    format("{}/adapter_model.safetensors: has no change for '{}', though "
                           "target_modules names it; the adapter is incomplete",
                           spec.adapter->dir, weight.view->name));
      }
    }
  }
  if (changes == 0) {
    throw Error(ErrorCode::model,
                format("{}/adapter_model.safetensors: changes nothing", spec.adapter->dir));
  }
}

}  // namespace

void lay_adapter(const ModelSpec& spec, const WeightFiles& adapter, PartWeights* weights) {
  const Places places(spec, weights);
  for (const auto& [name, found] : adapter.tensors()) {
    std::string module = name.starts_with(kOutside) ? name.substr(kOutside.size()) : name;
    const bool is_down = cut_ending(&module, kDown);
    if (is_down || cut_ending(&module, kUp)) {
      add_half(*spec.adapter, adapter, places, found, module, is_down);
    } else {
      replace(*spec.adapter, places, found, module);
    }
  }
  check_complete(spec, *weights);
}

}  // namespace fineprint::models
