// Takes replies from a file instead of a model, so that tests can check a pipeline call by call.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "fineprint/models/generator.h"

namespace fineprint::remote {

// The prefix of a SPEC that names a file of replies.
inline constexpr std::string_view kScriptPrefix = "script:";

// Returns a generator for "script:FILE". FILE holds JSON Lines:
//   {"agent": str, "match": {"question": str?, "pages": [str]?}?, "reply": str | object |
//    {"error": str, "code": str?}, "entropy": number | [number]?, "logprobs": [number]?,
//    "top_entropy": number | [number]?, "ms": number?}
// A call is answered by the first line that is of its agent, fits its question and pages, and has
// not yet answered a call of the same question. A line without match.question may answer once in
// every question. For example, {"agent": "answer", "reply": "42"} answers the first call of the
// agent "answer" of each question.
//
// An object as reply becomes its JSON text. {"error"} throws an Error of the code, which is "model"
// if it is missing.
// `logprobs`, `entropy` and `top_entropy` become the reply's TokenScores: one value for each token,
// or one value for all. If `top_entropy` is missing, the scores have none.
// In choose(), the reply must be one of the candidates. Its probability is exp(logprobs[0]), or the
// one that gives `entropy` if the other candidates share the rest evenly, or 1. If there are as
// many logprobs as candidates, they belong to the candidates in order.
// A reply with `ms` (milliseconds) takes that long: its text comes bit by bit, as from a slow
// model. A call that is stopped meanwhile returns the text that came by then.
//
// Throws Error(input) with file and line if a line does not have this form. The generator throws
// Error(model) with the agent, the question and the agent's unused lines if no line fits a call.
std::unique_ptr<models::Generator> make_script_generator(const std::string& spec);

}  // namespace fineprint::remote
