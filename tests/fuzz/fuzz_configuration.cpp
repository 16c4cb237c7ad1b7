// Feeds any text as a configuration and as a preset: every setting must be readable afterwards, or
// the text be refused with Error(usage).
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "fineprint/answering/presets.h"
#include "fineprint/core/error.h"
#include "fineprint/settings/configuration.h"
#include "fineprint/settings/settings.h"

#include "cli/options.h"

namespace {

using namespace fineprint::answering;
using namespace fineprint::cli;
using fineprint::OptionType;

void read_all(const Settings& settings) {
  for (const ProgramOption& option : options().all()) {
    switch (option.type) {
      case OptionType::boolean:
        settings.flag(option.name);
        break;
      case OptionType::integer:
        settings.integer_if_set(option.name);
        break;
      case OptionType::real:
        if (!settings.text(option.name).empty()) settings.real(option.name);
        break;
      case OptionType::bytes:
        settings.bytes(option.name);
        break;
      case OptionType::list:
        settings.list(option.name);
        break;
      case OptionType::text:
        settings.text(option.name);
        break;
    }
  }
  if (settings.to_json().empty()) std::abort();
}

void lay_over_defaults(std::string_view text) {
  Settings settings(options());
  settings.lay_over(fineprint::settings::parse_configuration(text, "a.toml", options()), "a.toml");
  read_all(settings);
}

void read_preset(std::string_view text) {
  if (parse_preset("a", text, options()).method == nullptr) std::abort();
}

template <class Read>
void expect_usage(const Read& read, std::string_view text) {
  try {
    read(text);
  } catch (const fineprint::Error& error) {
    if (error.code() != fineprint::ErrorCode::usage || *error.what() == '\0') std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  expect_usage(lay_over_defaults, text);
  expect_usage(read_preset, text);
  return 0;
}
