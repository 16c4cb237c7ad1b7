// Chat templates that are known: recognised by what they contain, never run.
#pragma once

#include <optional>
#include <string>

#include "fineprint/models/prompt.h"

#include "models/folder_reader.h"

namespace fineprint::models {

// Of a template in Jinja's language: ChatML's frames with the default system message that it writes
// (SmolLM2, Qwen2.5) and an empty thought before replies where it knows thoughts (Qwen3), Llama
// 3's, Gemma's, Idefics3's, granite-docling's. nullopt for any other.
std::optional<ChatTemplate> recognise_chat(const std::string& jinja);

// The template of a folder or a GGUF file: chat_template.jinja, or "chat_template" of
// chat_template.json or tokenizer_config.json; nullopt when there is none. Throws Error(model) for
// one that is not known.
std::optional<ChatTemplate> find_chat(FolderReader& folder);
// Throws Error(model) when there is none, too.
ChatTemplate read_chat(FolderReader& folder);

}  // namespace fineprint::models
