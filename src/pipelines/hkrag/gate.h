// Judges the answers of other pipelines for the option --gate.
#pragma once

#include <string>

#include "fineprint/pipelines/pipeline.h"

namespace fineprint::pipelines::hkrag {

// [8-10] Asks the Judger for a trial answer from the pages that the answer's pipeline retrieved,
// with the quotes that the answer cites as notes, and returns how uncertain the trial answer is. A
// generator that sees no images gets the notes alone. Throws Error(model) if the generator gives no
// log-probabilities.
GateVerdict judge_for_gate(session::Context& context, const std::string& question,
                           const Answer& answer, const PipelineOptions& options);

// Throws the errors of options_of() and of the Judger's generator.
void check_gate(const session::Session& session, const PipelineOptions& options);

}  // namespace fineprint::pipelines::hkrag
