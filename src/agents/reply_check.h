// Checks whether a model's reply is one that its agent may give.
#pragma once

#include <optional>
#include <string>

#include "fineprint/agents/agent.h"

namespace fineprint::agents {

// A reply after all checks.
struct CheckedReply {
  std::string text;                    // as TurnReply::text
  std::optional<std::string> problem;  // in words for the model
  bool completed = false;              // as TurnReply::completed
};

// Checks a reply against the schema, the index bound and the check of the turn, in this order.
CheckedReply check_reply(const Agent& agent, const Turn& turn, const std::string& reply);

// Returns the schema with a maximum for the bounded integers, so that a generator that decodes
// under it cannot name what was not shown. Without a bound, or with a count of 0, the schema is
// unchanged.
grammar::JsonSchema bounded_schema(const grammar::JsonSchema& schema,
                                   const std::optional<IndexBound>& indices);

}  // namespace fineprint::agents
