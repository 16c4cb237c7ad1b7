// The options of a session.
#include "fineprint/session/context.h"

namespace fineprint::session {
namespace {

// Both sides of the first '=' must have text. A SPEC may contain further ones.
std::optional<std::string> agent_generator_problem(const std::string& text) {
  const std::size_t end = text.find('=');
  if (end != std::string::npos && end > 0 && end + 1 < text.size()) return std::nullopt;
  return "expected AGENT=MODEL, for example mdocagent.text=models/Llama-3.1-8B-Instruct";
}

}  // namespace

const OptionTable<SessionOptions>& session_options() {
  static const OptionTable<SessionOptions> table =
      OptionTable<SessionOptions>()
          .add(
              "generator", &SessionOptions::generator,
              {.help = "the generator, a model that writes answers: its folder, org/name in the "
                       "Hugging "
                       "Face cache, one on a server (ollama:NAME, lmstudio:NAME, "
                       "http://HOST:PORT#NAME, "
                       "openai:URL#NAME; the pages are sent there), or script:FILE (replies from a "
                       "file)",
               .value = "MODEL",
               .brief = "g"})
          .add("agent-generator", &SessionOptions::agent_generators,
               {.help =
                    "AGENT=MODEL: this agent asks its own model (mdocagent.text=DIR), others ask "
                    "--generator; `fineprint pipelines` lists the agents of each preset; can be "
                    "repeated",
                .value = "AGENT=MODEL",
                .source = "MDocAgent: a language model for the text agent; MoLoRAG+: a trained "
                          "judge of pages",
                .problem = agent_generator_problem})
          .add("retriever", &SessionOptions::retrievers,
               {.help = "an encoder: its folder, or org/name in the Hugging Face cache; int8:MODEL "
                        "runs a text encoder in 8 bits on the CPU, faster and approximate (int8: "
                        "alone is the one that the set-up installed); one on a server "
                        "(ollama:NAME, lmstudio:NAME, tei:URL, http://HOST:PORT#NAME, "
                        "openai:URL#NAME, the last two for pages after page: or late:; texts or "
                        "pages are sent there); unset: the encoder that the store remembers, or "
                        "int8:; can be repeated",
                .value = "MODEL"});
  return table;
}

}  // namespace fineprint::session
