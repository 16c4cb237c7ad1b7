// Fetches what addresses among the arguments name.
#include "cli/asked_paths.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/documents/document_workers.h"

#include "cli/output.h"

namespace fineprint::cli {

using settings::Settings;

documents::BroughtPaths asked_paths(const Settings& settings, std::size_t first) {
  const auto begin = settings.arguments.begin() +
                     static_cast<std::ptrdiff_t>(std::min(first, settings.arguments.size()));
  const std::vector<std::string> paths(begin, settings.arguments.end());
  if (std::ranges::none_of(paths, documents::is_address)) {
    for (const Option& option : documents::fetch_options().options()) {
      if (settings.origin(option.name) != settings::kFlagsOrigin) continue;
      throw Error(ErrorCode::usage,
                  format("--{}: none of the paths is an address to fetch from; give one (s3://, "
                         "https:// or webdav+https://), or leave the option out",
                         option.name));
    }
  }
  documents::BroughtPaths brought =
      documents::bring_here(paths, settings.read(documents::fetch_options()));
  brought.paths = documents::spelt_as_on_disk(std::move(brought.paths));
  return brought;
}

void print_unfetched(const std::vector<documents::UnfetchedFile>& failures) {
  for (const documents::UnfetchedFile& one : failures) {
    print_line(dump_json({{"file", one.address},
                          {"path", one.address},
                          {"status", "failed"},
                          {"known", false},
                          {"code", code_name(one.code)},
                          {"message", one.message}}));
  }
}

void allow_no_addresses(const Settings& settings, const char* why) {
  for (const std::string& argument : settings.arguments) {
    if (!documents::is_address(argument)) continue;
    throw Error(ErrorCode::usage, format("{}: {}", argument, why));
  }
}

}  // namespace fineprint::cli
