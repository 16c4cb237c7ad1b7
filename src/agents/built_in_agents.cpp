// The agents that are built in, and the one place of their schemas.
#include <algorithm>

#include "fineprint/agents/agent.h"
#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::agents {
namespace {

struct Declaration {
  std::string_view name;
  std::vector<std::string> gaps;  // of its prompt
  session::Tier tier = session::Tier::page;
  int max_new_tokens = 0;
  std::string_view schema = {};  // empty: free text
};

constexpr std::string_view kHkragPruner = R"json(
{"type":"object","additionalProperties":false,"properties":{"facts":{"type":"array",
"items":{"type":"object","additionalProperties":false,
"properties":{"text":{"type":"string","maxLength":400},"kind":{"enum":["salient",
"fine_print"]}},"required":["text","kind"]},"maxItems":12},
"sufficient":{"type":"boolean"}},"required":["facts","sufficient"]}
)json";

constexpr std::string_view kHkragDecouplerMine = R"json(
{"type":"object","additionalProperties":false,
"properties":{"details":{"type":"array","items":{"type":"object",
"additionalProperties":false,"properties":{"text":{"type":"string","maxLength":400},
"page":{"type":"integer","minimum":0},"where":{"type":"string","maxLength":80}},
"required":["text","page","where"]},"maxItems":12}},"required":["details"]}
)json";

// As above, and what to show larger in the next step; the names are those of region_names().
constexpr std::string_view kHkragDecouplerMineZoom = R"json(
{"type":"object","additionalProperties":false,
"properties":{"details":{"type":"array","items":{"type":"object",
"additionalProperties":false,"properties":{"text":{"type":"string","maxLength":400},
"page":{"type":"integer","minimum":0},"where":{"type":"string","maxLength":80}},
"required":["text","page","where"]},"maxItems":12},"look":{"type":"array",
"items":{"type":"object","additionalProperties":false,
"properties":{"page":{"type":"integer","minimum":0},"where":{"enum":["top","bottom",
"left","right","top left","top right","bottom left","bottom right","middle"]}},
"required":["page","where"]},"maxItems":4}},"required":["details","look"]}
)json";

constexpr std::string_view kHkragDecouplerSeparate = R"json(
{"type":"object","additionalProperties":false,
"properties":{"salient":{"type":"array","items":{"type":"string","maxLength":400},
"maxItems":24},"fine_print":{"type":"array","items":{"type":"string",
"maxLength":400},"maxItems":24},"answerable":{"type":"boolean"}},
"required":["salient","fine_print","answerable"]}
)json";

constexpr std::string_view kHkragSummarizer = R"json(
{"type":"object","additionalProperties":false,
"properties":{"reason":{"type":"string","maxLength":800},"answer":{"type":"string",
"maxLength":1000},"answerable":{"type":"boolean"},"pages":{"type":"array",
"items":{"type":"integer","minimum":0}}},"required":["reason","answer","answerable",
"pages"]}
)json";

constexpr std::string_view kAnswerPages = R"json(
{"type":"object","additionalProperties":false,
"properties":{"answer":{"type":"string","maxLength":1000},
"answerable":{"type":"boolean"},"pages":{"type":"array","items":{"type":"integer",
"minimum":0}}},"required":["answer","answerable","pages"]}
)json";

constexpr std::string_view kAnswerChunks = R"json(
{"type":"object","additionalProperties":false,
"properties":{"answer":{"type":"string","maxLength":1000},
"answerable":{"type":"boolean"},"chunks":{"type":"array","items":{"type":"integer",
"minimum":0}}},"required":["answer","answerable","chunks"]}
)json";

// Reasoning agents may write 1,024 tokens, answers 256; a trial answer is short.
const std::vector<Declaration>& declarations() {
  using enum session::Tier;
  static const std::vector<Declaration> all = {
      {"hkrag.pruner", {"question", "notes"}, page, 1024, kHkragPruner},
      {"hkrag.judger", {"question", "notes"}, page, 64},
      {"hkrag.decoupler_mine", {"question", "context", "details"}, fine, 1024, kHkragDecouplerMine},
      {"hkrag.decoupler_mine_text",
       {"question", "context", "details"},
       fine,
       1024,
       kHkragDecouplerMine},
      {"hkrag.decoupler_mine_zoom",
       {"question", "context", "details"},
       fine,
       1024,
       kHkragDecouplerMineZoom},
      {"hkrag.decoupler_separate",
       {"question", "context", "details"},
       page,
       1024,
       kHkragDecouplerSeparate},
      {"hkrag.summarizer", {"question", "context", "details"}, page, 1024, kHkragSummarizer},
      {"hkrag.summarizer_draft",
       {"question", "context", "details", "draft"},
       page,
       1024,
       kHkragSummarizer},
      {"answer.pages", {"question"}, page, 256, kAnswerPages},
      {"answer.pages_text", {"question"}, page, 256},
      {"answer.chunks", {"question", "chunks"}, page, 256, kAnswerChunks},
      {"answer.chunks_text", {"question", "chunks"}, page, 256},
  };
  return all;
}

}  // namespace

Agent built_in_agent(std::string_view name, const std::string& prompt_folder) {
  const auto& all = declarations();
  const auto found = std::ranges::find(all, name, &Declaration::name);
  if (found == all.end()) {
    throw Error(ErrorCode::internal, format("there is no agent \"{}\"", name));
  }
  Agent agent;
  agent.name = found->name;
  agent.prompt = load_prompt(found->name, found->gaps, prompt_folder);
  if (!found->schema.empty()) agent.schema = grammar::JsonSchema::parse(found->schema);
  agent.tier = found->tier;
  agent.max_new_tokens = found->max_new_tokens;
  return agent;
}

std::vector<std::string> built_in_agent_names() {
  std::vector<std::string> names;
  for (const Declaration& declaration : declarations()) names.emplace_back(declaration.name);
  return names;
}

}  // namespace fineprint::agents
