// Recognises chat templates by what they contain. They are programs in Jinja and are never run.
#pragma once

#include <optional>
#include <string>

#include "fineprint/models/prompt.h"

#include "models/folder_reader.h"

namespace fineprint::models {

// Returns the frames of a template: ChatML's with the default system message that it writes
// (SmolLM2, Qwen2.5) and an empty thought before replies if it supports thoughts (Qwen3); Llama
// 3's, Gemma's, Phi's, SmolLM3's, Idefics3's, Granite's, Mistral's. Returns nullopt for any other.
std::optional<ChatTemplate> recognise_chat(const std::string& jinja);

// Returns the template of a folder or a GGUF file: chat_template.jinja, or "chat_template" of
// chat_template.json or tokenizer_config.json. Returns nullopt if there is none. Throws
// Error(model) if it is not one of the known ones.
std::optional<ChatTemplate> find_chat(FolderReader& folder);
// Sets the template of a prompt. If there is none, sets Prompt::no_chat.
void read_chat(FolderReader& folder, Prompt* prompt);

}  // namespace fineprint::models
