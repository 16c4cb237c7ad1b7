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

CheckedReply check_reply(const Agent& agent, const ReplyCheck& check, const std::string& reply);

}  // namespace fineprint::agents
