// Whether a model's reply is one that its agent may give.
#pragma once

#include <optional>
#include <string>

#include "fineprint/agents/agent.h"

namespace fineprint::agents {

struct CheckedReply {
  std::string text;                    // what TurnReply::text is
  std::optional<std::string> problem;  // in words for the model
};

CheckedReply check_reply(const Agent& agent, const Turn& turn, const std::string& reply);

// The schema with a maximum for the bounded integers: who decodes under it cannot name what was not
// shown. A bound of none leaves it as it is.
grammar::JsonSchema bounded_schema(const grammar::JsonSchema& schema,
                                   const std::optional<IndexBound>& indices);

}  // namespace fineprint::agents
