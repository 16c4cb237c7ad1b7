// The table of pipelines, generated from the files beside this one.
#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/pipelines/pipeline.h"

namespace fineprint::pipelines {

#include "pipeline_table.inc"

const std::vector<Pipeline>& all() {
  static const std::vector<Pipeline> table = pipeline_table();
  return table;
}

const Pipeline& find(const std::string& name) {
  std::string names;
  for (const Pipeline& pipeline : all()) {
    if (pipeline.info.name == name) return pipeline;
    names += (names.empty() ? "" : ", ") + pipeline.info.name;
  }
  throw Error(ErrorCode::usage, format("there is no pipeline \"{}\"; there are: {}", name, names));
}

}  // namespace fineprint::pipelines
