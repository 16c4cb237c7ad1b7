// Finds presets in the table that is generated from configs/*.toml, and parses them.
#include "fineprint/answering/presets.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <span>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/text.h"
#include "fineprint/settings/configuration.h"

#include "preset_table.inc"

namespace fineprint::answering {
namespace {

// Removes the only text of a key from the values and returns it.
std::string take_text(const char* key, OptionTexts* values, const std::string& file) {
  const OptionTexts::node_type found = values->extract(key);
  if (found.empty() || found.mapped().size() != 1 || found.mapped().front().empty()) {
    throw Error(ErrorCode::usage, format("{}: {} = \"...\" is missing", file, key));
  }
  return found.mapped().front();
}

// Throws if the preset sets an option that belongs to its user: a preset says how questions are
// answered, not where and how the program works.
void refuse_foreign_keys(const Preset& preset, const OptionSet& options) {
  for (const auto& [key, texts] : preset.values) {
    const settings::ProgramOption* option = options.find_given(key, preset.file);
    const bool chooses = key == "pipeline" || key == "gate" || key == "reflect";
    if (chooses || option->facts.same_answers || !(option->commands & settings::kBatch)) {
      throw Error(ErrorCode::usage,
                  format("{}: {}: a preset cannot set this option", preset.file, key));
    }
  }
}

// Returns the values with the pipeline's own options under their full names.
OptionTexts named_fully(OptionTexts values, const std::string& method, const OptionSet& options) {
  OptionTexts full;
  for (auto& [key, texts] : values) {
    const std::string own = format("{}.{}", method, key);
    // A bare name that is also an option of the program means that option.
    const bool is_own = options.find(key) == nullptr && options.find(own) != nullptr;
    full[is_own ? own : key] = std::move(texts);
  }
  return full;
}

const EmbeddedPreset* find_embedded(std::span<const EmbeddedPreset> table,
                                    const std::string& name) {
  const auto found = std::ranges::find(table, name, &EmbeddedPreset::name);
  return found == table.end() ? nullptr : &*found;
}

// Returns the file of a preset. A name of neither folder, as in tests, counts as a preset.
std::string file_of(const std::string& name) {
  const bool variant = find_embedded(kEmbeddedVariants, name) != nullptr;
  return format("configs/{}{}.toml", variant ? "variants/" : "", name);
}

std::vector<std::string> names_in(std::span<const EmbeddedPreset> table) {
  std::vector<std::string> names;
  for (const EmbeddedPreset& preset : table) names.emplace_back(preset.name);
  std::ranges::sort(names);  // files are sorted with their endings: "a-b.toml" before "a.toml"
  return names;
}

const pipelines::Pipeline* method_of(const std::string& name, const std::string& file) {
  try {
    return &pipelines::find(name);
  } catch (const Error& error) {
    throw Error(ErrorCode::usage, format("{}: method: {}", file, error.what()));
  }
}

// Returns the text of a preset or variant. Throws Error(usage) that lists the names if there is
// none.
const EmbeddedPreset& embedded_preset(const std::string& name) {
  const EmbeddedPreset* found = find_embedded(kEmbeddedPresets, name);
  if (found == nullptr) found = find_embedded(kEmbeddedVariants, name);
  if (found != nullptr) return *found;
  throw Error(ErrorCode::usage,
              format("unknown pipeline \"{}\"; choose one of: {}; or one of their variants, which "
                     "`fineprint pipelines` lists",
                     name, join_texts(names_in(kEmbeddedPresets), ", ")));
}

Preset base_of(const Preset& variant, const OptionSet& options) {
  const bool has_method = variant.values.contains("method");
  if (has_method || find_embedded(kEmbeddedPresets, variant.base) == nullptr) {
    throw Error(
        ErrorCode::usage,
        format("{}: a variant must name a preset as base = \"...\" and no method; base = "
               "\"{}\" {}",
               variant.file, variant.base, has_method ? "comes with a method" : "is not a preset"));
  }
  return find_preset(variant.base, options);
}

}  // namespace

const std::string& generator_preset(bool is_small) {
  const auto found = std::ranges::find_if(pipelines::all(), [&](const auto& pipeline) {
    const pipelines::PipelineInfo& info = pipeline.info;
    return is_small ? info.default_of_small_generators : info.default_of_generators;
  });
  return found->info.name;
}

std::vector<std::string> preset_names() { return names_in(kEmbeddedPresets); }

std::vector<std::string> variant_names() { return names_in(kEmbeddedVariants); }

void check_preset_name(const std::string& name) { embedded_preset(name); }

namespace {

// The facts of all presets that were parsed. They are the same for every set of options.
struct KnownFacts {
  std::mutex mutex;
  std::map<std::string, PresetFacts> by_name;
};

KnownFacts& known_facts() {
  static KnownFacts known;
  return known;
}

}  // namespace

Preset find_preset(const std::string& name, const OptionSet& options) {
  Preset preset = parse_preset(name, embedded_preset(name).text, options);
  KnownFacts& known = known_facts();
  const std::lock_guard lock(known.mutex);
  known.by_name.try_emplace(name, preset);
  return preset;
}

PresetFacts preset_facts(const std::string& name, const OptionSet& options) {
  KnownFacts& known = known_facts();
  {
    const std::lock_guard lock(known.mutex);
    const auto found = known.by_name.find(name);
    if (found != known.by_name.end()) return found->second;
  }
  return find_preset(name, options);
}

Preset parse_preset(const std::string& name, std::string_view text, const OptionSet& options) {
  Preset preset;
  preset.name = name;
  preset.file = file_of(name);
  preset.values =
      settings::parse_configuration(text, preset.file, options, {"method", "base", "summary"});
  preset.summary = take_text("summary", &preset.values, preset.file);
  OptionTexts inherited;
  if (preset.values.contains("base")) {
    preset.base = take_text("base", &preset.values, preset.file);
    Preset base = base_of(preset, options);
    preset.method = base.method;
    inherited = std::move(base.values);
  } else {
    preset.method = method_of(take_text("method", &preset.values, preset.file), preset.file);
  }
  preset.values = named_fully(std::move(preset.values), preset.method->info.name, options);
  preset.values.merge(inherited);  // the variant's own values win
  refuse_foreign_keys(preset, options);
  Settings(options).lay_over(preset.values, preset.file);  // checks types and choices
  return preset;
}

namespace {

// Returns whether a scorer of the search asks a generator.
bool search_asks(const Settings& given) {
  return std::ranges::any_of(given.list("scorer"), [](const std::string& scorer) {
    return pipelines::finder(scorer.substr(0, scorer.find(':'))) != nullptr;
  });
}

// Returns the pipeline to use. If a generator is named without a pipeline, it is meant to be asked,
// so the pipeline is used that suits its size.
std::string wanted_pipeline(const Settings& given, const SmallGenerator& is_small = {}) {
  const std::string& generator = given.text("generator");
  const bool chosen = given.origin("pipeline") != settings::kDefaultOrigin;
  const bool asks = !generator.empty() && !search_asks(given);
  if (chosen || !asks) return given.text("pipeline");
  return generator_preset(is_small && is_small(generator));
}

// Where the pipeline comes from if nobody named one.
constexpr std::string_view kSizeOrigin = "the size of --generator";

// Returns the settings with the preset below everything that was given.
Settings overlay_preset(const Preset& preset, const std::vector<settings::Layer>& layers,
                        const OptionSet& options) {
  Settings all(options);
  all.lay_over({{"pipeline", {preset.name}}}, std::string(settings::kDefaultOrigin));
  all.lay_over(preset.values, preset.file);
  all.lay_over(layers);
  return all;
}

}  // namespace

Settings resolve_settings(const OptionTexts& flags, const char* const* environment,
                          unsigned commands, const OptionSet& options,
                          const SmallGenerator& is_small) {
  // Doctor reports values that are not trusted, and need not fail at them.
  const std::vector<settings::Layer> layers =
      settings::read_layers(flags, environment, commands & ~settings::kDoctor, options);
  Settings given(options);
  given.lay_over(layers);
  constexpr unsigned kOfSeveral = settings::kBench | settings::kServingCommands;
  if (!(commands & settings::kAnsweringCommands)) return given;
  // What was given decides which preset is used.
  const std::string wanted = wanted_pipeline(given, is_small);
  if (!(commands & ~kOfSeveral & settings::kAnsweringCommands)) {
    // Several presets are laid below the settings later, when the generator is not looked at again.
    if (wanted != given.text("pipeline")) {
      given.lay_over({{"pipeline", {wanted}}}, std::string(kSizeOrigin));
    }
    return given;
  }
  return overlay_preset(find_preset(wanted, options), layers, options);
}

Settings settings_of_other(const Settings& settings, const std::string& name,
                           std::span<const std::string> without) {
  const std::string own = preset_facts(settings.text("pipeline"), settings.options()).file;
  std::vector<settings::Layer> layers = settings.given();
  std::erase_if(layers, [&](const settings::Layer& layer) { return layer.origin == own; });
  for (settings::Layer& layer : layers) {
    layer.values.erase("pipeline");
    for (const std::string& option : without) layer.values.erase(option);
  }
  return overlay_preset(find_preset(name, settings.options()), layers, settings.options());
}

std::vector<Settings> settings_of_pipelines(const Settings& given) {
  std::vector<settings::Layer> layers = given.given();
  // The list of all presets must not hide the one name that each of them sets below.
  for (settings::Layer& layer : layers) layer.values.erase("pipeline");
  std::vector<Settings> all;
  std::set<std::string> named;
  const std::string wanted = wanted_pipeline(given);
  const std::vector<std::string> names = split_texts(wanted, ',');
  if (names.empty()) check_preset_name(wanted);  // "" or ",": lists the names
  for (const std::string& name : names) {
    if (!named.insert(name).second) {
      throw Error(ErrorCode::usage, format("--pipeline {} is given twice", name));
    }
    all.push_back(overlay_preset(find_preset(name, given.options()), layers, given.options()));
    all.back().arguments = given.arguments;
  }
  return all;
}

}  // namespace fineprint::answering
