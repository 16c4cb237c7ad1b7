// Settings of methods: their table, made of what the pipelines declare, and their values.
#include "fineprint/pipelines/setting.h"

#include <charconv>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/pipelines/pipeline.h"

namespace fineprint::pipelines {
namespace {

bool same(const Setting& a, const Setting& b) {
  return a.type == b.type && a.value == b.value && a.initial == b.initial &&
         a.choices == b.choices && a.help == b.help;
}

void add(const Setting& setting, std::vector<Setting>* table) {
  for (const Setting& known : *table) {
    if (known.name != setting.name) continue;
    if (same(known, setting)) return;
    throw Error(ErrorCode::internal,
                format("two pipelines declare the setting \"{}\" differently", setting.name));
  }
  table->push_back(setting);
}

template <class Number>
Number number(const std::string& text, std::string_view name) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw Error(ErrorCode::internal, format("setting \"{}\" = \"{}\" is no number", name, text));
  }
  return value;
}

}  // namespace

const std::string& SettingValues::text(std::string_view name) const {
  const auto found = texts_.find(name);
  if (found == texts_.end()) {
    throw Error(ErrorCode::internal, format("there is no setting \"{}\" of a pipeline", name));
  }
  return found->second;
}

bool SettingValues::flag(std::string_view name) const { return text(name) == "true"; }
int SettingValues::integer(std::string_view name) const { return number<int>(text(name), name); }
double SettingValues::real(std::string_view name) const { return number<double>(text(name), name); }

const std::vector<Setting>& all_settings() {
  static const std::vector<Setting> kTable = [] {
    std::vector<Setting> settings;
    for (const Pipeline& pipeline : all()) {
      for (const Setting& setting : pipeline.settings) add(setting, &settings);
    }
    return settings;
  }();
  return kTable;
}

SettingValues settings_with(const std::map<std::string, std::string, std::less<>>& changed) {
  std::map<std::string, std::string, std::less<>> texts;
  for (const Setting& setting : all_settings()) texts[std::string(setting.name)] = setting.initial;
  for (const auto& [name, text] : changed) {
    if (!texts.contains(name)) {
      throw Error(ErrorCode::internal, format("no pipeline declares the setting \"{}\"", name));
    }
    texts[name] = text;
  }
  return SettingValues(std::move(texts));
}

}  // namespace fineprint::pipelines
