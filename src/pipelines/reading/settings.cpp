// Settings of the call that reads the evidence and answers.
#include "pipelines/reading/settings.h"

namespace fineprint::pipelines {
namespace {

session::Tier tier_of(const std::string& name) {
  using enum session::Tier;
  for (const session::Tier tier : {thumb, low, fine}) {
    if (name == session::tier_name(tier)) return tier;
  }
  return page;
}

}  // namespace

std::vector<Setting> answer_settings() {
  using enum SettingType;
  return {{"answer-format", text, "FORMAT", "json", "json|text",
           "how the last agent replies: json names what proves the answer; text is free, as some "
           "papers have it"},
          {"answer-tokens", integer, "N", "256", "", "the longest answer of a reading agent"}};
}

std::vector<Setting> reader_settings() {
  std::vector<Setting> settings = answer_settings();
  settings.push_back({"image-tier", SettingType::text, "TIER", "page", "thumb|low|page|fine",
                      "how large a reading agent sees pages"});
  return settings;
}

agents::ReaderOptions reader_options(const PipelineOptions& options) {
  agents::ReaderOptions reader;
  reader.free_text = options.settings.text("answer-format") == "text";
  reader.tier = tier_of(options.settings.text("image-tier"));
  reader.max_new_tokens = options.settings.integer("answer-tokens");
  reader.min_confidence = options.min_confidence;
  reader.prompts = options.prompts;
  return reader;
}

}  // namespace fineprint::pipelines
