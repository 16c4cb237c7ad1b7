// `fineprint pipelines`: the ways to answer.
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/pipelines/pipeline.h"

#include "cli/commands.h"
#include "cli/wiring.h"

namespace fineprint::cli {

int run_pipelines(const Settings& settings) {
  for (const pipelines::Pipeline& pipeline : pipelines::all()) {
    const pipelines::PipelineInfo& info = pipeline.info;
    if (settings.flag("json")) {
      print_line(dump_json({{"name", info.name},
                            {"summary", info.summary},
                            {"needs", info.needs},
                            {"calls_per_question", info.calls_per_question}}));
    } else {
      print_line(format("{:<12} {}\n             needs: {}; generator calls a question: {}",
                        info.name, info.summary, info.needs, info.calls_per_question));
    }
  }
  return 0;
}

}  // namespace fineprint::cli
