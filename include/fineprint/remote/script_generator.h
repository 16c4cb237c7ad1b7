// Replies from a file instead of a model: pipelines are tested with it call by call.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "fineprint/models/generator.h"

namespace fineprint::remote {

inline constexpr std::string_view kScriptPrefix = "script:";

// A generator for "script:FILE". FILE holds JSON Lines:
//   {"agent": str, "match": {"question": str?, "pages": [str]?}?, "reply": str | object |
//    {"error": str, "code": str?}, "entropy": number | [number]?, "logprobs": [number]?,
//    "top_entropy": number | [number]?, "ms": number?}
// A call is answered by the first line of its agent that fits its question and pages and has not
// yet answered a call of the same question; a line without match.question may answer once in every
// question. An object becomes its JSON text; {"error"} throws Error of the code (default: model).
// `logprobs`, `entropy` and `top_entropy` become the reply's TokenScores: one each, a lone one for
// all; without the last the script tells none. In
// choose() the reply must be one of the candidates; its probability is exp(logprobs[0]), or the one
// that gives `entropy` when the other candidates share the rest evenly, or 1; as many logprobs as
// candidates are those of the candidates. A reply with `ms` takes that long: its text comes bit by
// bit, as from a slow model, and a call that is stopped meanwhile has what came by then.
// The generator throws Error(model) naming agent, question and the agent's unused lines when no
// line fits. Throws Error(input) naming file and line for a line that is not of this form.
std::unique_ptr<models::Generator> make_script_generator(const std::string& spec);

}  // namespace fineprint::remote
