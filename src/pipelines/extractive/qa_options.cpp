// Declares the option that names the QA model.
#include "fineprint/pipelines/pipeline.h"

namespace fineprint::pipelines {

const OptionTable<PipelineOptions>& qa_options() {
  static const OptionTable<PipelineOptions> table = OptionTable<PipelineOptions>().add(
      "qa", &PipelineOptions::qa,
      {.help = "pipelines extractive and investigate: the QA model that points at answers in "
               "pages; its "
               "folder, or org/name in the Hugging Face cache; reader: the one that comes with the "
               "program; none, or unset: no model, answers are quotes",
       .value = "MODEL"});
  return table;
}

}  // namespace fineprint::pipelines
