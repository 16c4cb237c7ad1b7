// `fineprint merge` of stores.
#include "cli/merge_stores.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"
#include "fineprint/ingest/join.h"

#include "cli/output.h"
#include "cli/wiring.h"

namespace fineprint::cli {

// The catalogue is what makes a folder a store.
bool names_store(const std::string& path) {
  return std::filesystem::exists(path + "/catalog.sqlite");
}

// All arguments are checked before the first store is opened for writing, so that a mistake leaves
// OUT unchanged.
int merge_stores(const Settings& settings) {
  const std::string& out = settings.arguments.front();
  const std::vector<std::string> from(settings.arguments.begin() + 1, settings.arguments.end());
  for (const std::string& dir : from) {
    if (!names_store(dir)) {
      throw Error(
          ErrorCode::usage,
          format("{} is not a store, but {} is; give either only stores or only files of answers",
                 dir, from.front()));
    }
    std::error_code ignored;
    if (std::filesystem::equivalent(dir, out, ignored)) {
      throw Error(ErrorCode::usage, format("{} is both an input and OUT; choose another OUT", dir));
    }
  }
  if (std::filesystem::exists(out) && !names_store(out) && !std::filesystem::is_empty(out)) {
    throw Error(ErrorCode::usage, format("{} exists and is not a store; choose another OUT", out));
  }
  store::Store into(out, store::Mode::write);
  const ingest::JoinReport report = ingest::join_stores(from, into);
  if (settings.flag("json")) {
    print_line(dump_json({{"documents", report.documents},
                          {"pages", report.pages},
                          {"known", report.known},
                          {"lacking", report.lacking},
                          {"store", out}}));
  }
  log::note("{} documents, {} pages added to {}; {} were already there", report.documents,
            report.pages, out, report.known);
  if (report.lacking > 0) {
    log::note("{} units lack vectors that others have; run `fineprint index` on their folders",
              report.lacking);
  }
  return 0;
}

}  // namespace fineprint::cli
