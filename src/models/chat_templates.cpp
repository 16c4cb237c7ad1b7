// Recognises chat templates by what they contain.
#include "models/chat_templates.h"

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::models {
namespace {

bool holds_text(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// Replaces the escape "\\n" by a line feed, because templates contain either.
std::string with_line_ends(std::string text) {
  constexpr std::string_view kWritten = "\\n";
  for (std::size_t at = text.find(kWritten); at != std::string::npos;
       at = text.find(kWritten, at)) {
    text.replace(at, kWritten.size(), "\n");
  }
  return text;
}

// Returns the literal text that the template writes between `before` and `after`; "" if it only
// inserts values there.
std::string written_between(const std::string& jinja, const std::string& before,
                            const std::string& after) {
  for (std::size_t at = jinja.find(before); at != std::string::npos;
       at = jinja.find(before, at + 1)) {
    const std::size_t begin = at + before.size();
    const std::size_t end = jinja.find(after, begin);
    if (end == std::string::npos) return {};
    const std::string text = jinja.substr(begin, end - begin);
    // A quote or a brace ends the literal: what follows is computed.
    if (!text.empty() && text.find_first_of("'\"{}") == std::string::npos) return text;
  }
  return {};
}

ChatTemplate framed(const std::string& before_role, const std::string& after_role,
                    const std::string& after_text) {
  ChatTemplate chat;
  chat.before_system = before_role + "system" + after_role;
  chat.before_user = before_role + "user" + after_role;
  chat.before_assistant = before_role + "assistant" + after_role;
  chat.after_system = chat.after_user = chat.after_assistant = after_text;
  return chat;
}

ChatTemplate chat_ml(const std::string& jinja) {
  ChatTemplate chat = framed("<|im_start|>", "\n", "<|im_end|>\n");
  chat.default_system = written_between(jinja, chat.before_system, "<|im_end|>");
  // Models that think before they reply begin with an empty thought. The template itself does that
  // if thinking is switched off. A template that opens a thought and has no switch gets the same
  // words.
  const std::string nothing_thought = "<think>\n\n</think>\n\n";
  if (holds_text(jinja, nothing_thought) ||
      holds_text(jinja, chat.before_assistant + "<think>\n'")) {
    chat.before_reply = nothing_thought;
  }
  return chat;
}

ChatTemplate llama3_chat(const std::string& jinja) {
  ChatTemplate chat = framed("<|start_header_id|>", "<|end_header_id|>\n\n", "<|eot_id|>");
  // Llama 3.1 and later write two dates before the system message, even if there is none.
  if (holds_text(jinja, "Cutting Knowledge Date: December 2023")) {
    chat.before_system += "Cutting Knowledge Date: December 2023\nToday Date: 26 Jul 2024\n\n";
    chat.system_always = true;
  }
  return chat;
}

// Phi-3's lines, or Phi-4-mini's without line ends.
ChatTemplate phi_chat(const std::string& jinja) {
  const bool lines =
      holds_text(jinja, "<|assistant|>\n") || holds_text(jinja, "<|assistant|>' + '\n'");
  const std::string end = lines ? "\n" : "";
  return framed("<|", "|>" + end, "<|end|>" + end);
}

// SmolLM3 writes a header before the system message, which asks for a reply without a thought, and
// ends that message by two line feeds and no token. Deviation: the template also writes the date of
// the day; replies must not depend on it.
ChatTemplate smollm3_chat() {
  ChatTemplate chat = framed("<|im_start|>", "\n", "<|im_end|>\n");
  chat.before_system +=
      "## Metadata\n\nKnowledge Cutoff Date: June 2025\nReasoning Mode: /no_think\n\n"
      "## Custom Instructions\n\n";
  chat.after_system = "\n\n";
  chat.default_system = "You are a helpful AI assistant named SmolLM, trained by Hugging Face.";
  chat.before_assistant += "<think>\n\n</think>\n";
  return chat;
}

// Granite's language models have a default system message. Deviation: without the date of the day,
// which the template writes into it.
ChatTemplate granite_chat(const std::string& jinja) {
  ChatTemplate chat = framed("<|start_of_role|>", "<|end_of_role|>", "<|end_of_text|>\n");
  if (holds_text(jinja, "Today's Date")) {
    chat.default_system =
        "Knowledge Cutoff Date: April 2024.\nYou are Granite, developed by IBM. You are a helpful "
        "AI "
        "assistant.";
  }
  return chat;
}

// Mistral's, since system messages have tokens of their own. Deviation: without the default system
// message of some models, which contains the date of the day.
ChatTemplate mistral_chat() {
  ChatTemplate chat;
  chat.before_system = "[SYSTEM_PROMPT]";
  chat.after_system = "[/SYSTEM_PROMPT]";
  chat.before_user = "[INST]";
  chat.after_user = "[/INST]";
  chat.after_assistant = "</s>";
  return chat;
}

// "User:", then a space if the message begins with a text.
ChatTemplate idefics3_chat(const std::string& jinja) {
  ChatTemplate chat;
  chat.begin = jinja.substr(0, jinja.find('{'));
  chat.before_system = "System:";
  chat.before_user = "User:";
  chat.before_assistant = "Assistant:";
  chat.after_system = chat.after_user = chat.after_assistant = "<end_of_utterance>\n";
  chat.before_first_text = " ";
  return chat;
}

// Gemma has no system role: a system message becomes the beginning of the user message.
ChatTemplate gemma_chat() {
  ChatTemplate chat;
  chat.before_user = chat.before_system = "<start_of_turn>user\n";
  chat.before_assistant = "<start_of_turn>model\n";
  chat.after_user = chat.after_assistant = "<end_of_turn>\n";
  chat.after_system = "\n\n";
  chat.system_opens_user = true;
  return chat;
}

std::optional<std::string> template_in(const JsonFacts& config) {
  if (!config.has("chat_template")) return std::nullopt;
  const Json& value = config.json()["chat_template"];
  if (value.is_string()) return value.get<std::string>();
  // Several templates by name.
  if (value.is_array()) {
    for (const Json& item : value) {
      const bool usable = item.is_object() && item.contains("name") && item.contains("template") &&
                          item["name"] == "default" && item["template"].is_string();
      if (usable) return item["template"].get<std::string>();
    }
  }
  config.fail("chat_template", "is neither a text nor a list with one that is named \"default\"");
}

}  // namespace

std::optional<ChatTemplate> recognise_chat(const std::string& jinja) {
  const std::string text = with_line_ends(jinja);
  if (holds_text(text, "<|im_start|>") && holds_text(text, "<|im_end|>")) {
    if (holds_text(text, "## Custom Instructions") && holds_text(text, "June 2025")) {
      return smollm3_chat();
    }
    // Phi-4 has a token where ChatML has a line feed.
    if (holds_text(text, "<|im_sep|>")) return framed("<|im_start|>", "<|im_sep|>", "<|im_end|>");
    return chat_ml(text);
  }
  if (holds_text(text, "<end_of_utterance>") && holds_text(text, "capitalize") &&
      holds_text(text, "Assistant:")) {
    return idefics3_chat(text);
  }
  if (holds_text(text, "<|start_of_role|>")) return granite_chat(text);
  if (holds_text(text, "[INST]") && holds_text(text, "[SYSTEM_PROMPT]")) return mistral_chat();
  if (holds_text(text, "<|end|>") && holds_text(text, "<|assistant|>")) return phi_chat(text);
  if (holds_text(text, "<|start_header_id|>") && holds_text(text, "<|eot_id|>")) {
    return llama3_chat(text);
  }
  if (holds_text(text, "<start_of_turn>") && holds_text(text, "<end_of_turn>")) return gemma_chat();
  return std::nullopt;
}

std::optional<ChatTemplate> find_chat(FolderReader& folder) {
  std::optional<std::string> jinja = folder.find_text("chat_template.jinja");
  for (const char* name : {"chat_template.json", "tokenizer_config.json"}) {
    if (jinja) break;
    if (const auto config = folder.find_file(name)) jinja = template_in(*config);
  }
  if (!jinja) return std::nullopt;
  const std::optional<ChatTemplate> chat = recognise_chat(*jinja);
  if (!chat) {
    throw Error(ErrorCode::model, format("{}: its chat template is not supported (supported: "
                                         "ChatML, Llama 3, Gemma, Phi, SmolLM3, Idefics3, Granite, "
                                         "Mistral)",
                                         folder.dir()));
  }
  return chat;
}

void read_chat(FolderReader& folder, Prompt* prompt) {
  if (const std::optional<ChatTemplate> chat = find_chat(folder)) {
    prompt->chat = *chat;
    return;
  }
  prompt->no_chat = format(
      "{}: has no chat template: it is a base model, which continues texts instead of answering; "
      "use its instruct version, or have it continue a text with `fineprint generate --raw`",
      folder.dir());
}

}  // namespace fineprint::models
