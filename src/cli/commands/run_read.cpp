// `fineprint read`: runs a QA model alone, over given passages.
#include "fineprint/core/error.h"
#include "fineprint/core/threads.h"
#include "fineprint/evidence/examples.h"
#include "fineprint/session/load.h"

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/wiring.h"

namespace fineprint::cli {

int run_read(const Settings& settings) {
  allow_arguments(settings, 0);
  const std::string& path = settings.text("passages");
  if (path.empty()) {
    throw Error(ErrorCode::usage,
                "--examples FILE is missing: the questions with the passages to read");
  }
  const std::vector<evidence::Example> examples = evidence::read_examples(path);
  const auto model = session::load_qa_model(settings.text("qa-model"), model_options(settings));
  for (const evidence::Example& example : examples) {
    throw_if_interrupted();
    const auto readings = model->read(example.question, example.passages);
    print_line(evidence::to_json_line(
        example.id, evidence::execute(example.question, example.passages, readings)));
  }
  return 0;
}

}  // namespace fineprint::cli
