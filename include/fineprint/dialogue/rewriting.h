// Has a generator turn a question that leans on earlier ones into a question of its own.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "fineprint/dialogue/follow_up.h"
#include "fineprint/session/context.h"

namespace fineprint::dialogue {

// The agent that is asked: its prompt is configs/prompts/dialogue/rewrite.txt.
inline constexpr std::string_view kRewritingAgent = "dialogue.rewrite";

// Returns what the agent writes for `asked`. Every number and every name in it must be in the
// conversation, and it must be one line; if it is not, even when asked again, or if the budget
// allows no call, returns what understand() does. `prompt_folder` replaces prompts as in
// agents::load_agent. Throws what agents::call throws. Without earlier turns, asks nothing.
Understood rewritten(session::Context& context, std::string_view asked,
                     std::span<const Turn> earlier, const std::string& prompt_folder = {});

// Returns a number or a name in `question` that neither `asked` nor the turns contain; empty if
// there is none.
std::string invented_word(std::string_view question, std::string_view asked,
                          std::span<const Turn> earlier);

}  // namespace fineprint::dialogue
