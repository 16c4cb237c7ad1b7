// Requests in the forms of OpenAI, Anthropic and Ollama, and files in them.
#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "server/dialects/chat_completions.h"
#include "server/dialects/messages.h"
#include "server/dialects/ollama.h"
#include "server/dialects/responses.h"
#include "server/sent_files.h"

namespace fineprint::server {
namespace {

// "Hello" in base64.
constexpr const char* kHello = "SGVsbG8=";

const char* const kChat = R"({"model": "m", "stream": true, "docs": ["a*"], "n": 1,
  "stream_options": {"include_usage": true}, "response_format": {"type": "text"}, "tools": [],
  "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Who?"},
    {"role": "assistant", "content": [{"type": "text", "text": "He"}]},
    {"role": "user", "content": [
      {"type": "file", "file": {"filename": "a.txt", "file_data": "data:text/plain;base64,SGVsbG8="}},
      {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}},
      {"type": "text", "text": "And then?"}]}]})";
const char* const kResponses = R"({"model": "m", "stream": false, "docs": "a*", "store": true,
  "instructions": "Be brief.", "metadata": {"a": "b"}, "text": {"format": {"type": "text"}},
  "tools": [], "tool_choice": "auto", "background": false,
  "input": [{"role": "user", "content": "Who?"},
    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "He"}]},
    {"role": "user", "content": [
      {"type": "input_file", "filename": "a.txt", "file_data": "SGVsbG8="},
      {"type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgo="},
      {"type": "input_text", "text": "And then?"}]}]})";
const char* const kMessages = R"({"model": "m", "max_tokens": 100, "stream": true, "docs": [],
  "system": [{"type": "text", "text": "Be brief."}], "tools": [], "tool_choice": {"type": "none"},
  "messages": [{"role": "user", "content": "Who?"},
    {"role": "assistant", "content": [{"type": "text", "text": "He"}]},
    {"role": "user", "content": [
      {"type": "document", "title": "A", "source":
        {"type": "base64", "media_type": "text/plain", "data": "SGVsbG8="}},
      {"type": "document", "title": "B", "source":
        {"type": "content", "content": [{"type": "text", "text": "It rains."}]}},
      {"type": "image", "source":
        {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}},
      {"type": "text", "text": "And then?"}]}]})";
const char* const kOllamaChat = R"({"model": "m:latest", "stream": false, "docs": [], "tools": [],
  "options": {"temperature": 0}, "format": "", "keep_alive": "5m",
  "messages": [{"role": "user", "content": "Who?"}, {"role": "assistant", "content": "He"},
    {"role": "user", "content": "And then?", "images": ["iVBORw0KGgo="]}]})";
const char* const kOllamaGenerate = R"({"model": "m", "stream": true, "docs": [], "raw": false,
  "prompt": "And then?", "images": ["iVBORw0KGgo="], "options": {}, "context": []})";

struct Reader {
  const char* name;
  const char* body;
  std::function<Asked(const std::string&)> read;
};

std::vector<Reader> readers() {
  static const KeptResponses kept;
  return {
      {"chat", kChat, [](const std::string& body) { return read_chat_request(body).asked; }},
      {"responses", kResponses,
       [](const std::string& body) { return read_responses_request(body, kept).asked; }},
      {"messages", kMessages, [](const std::string& body) { return read_messages_request(body); }},
      {"ollama chat", kOllamaChat,
       [](const std::string& body) { return read_ollama_chat(body).asked; }},
      {"ollama generate", kOllamaGenerate,
       [](const std::string& body) { return read_ollama_generate(body).asked; }}};
}

TEST(Dialects, AskTheSameQuestion) {
  for (const Reader& reader : readers()) {
    const Asked asked = reader.read(reader.body);
    EXPECT_EQ(asked.model, "m") << reader.name;
    EXPECT_EQ(asked.ask.pipeline, "m") << reader.name;
    EXPECT_EQ(asked.ask.question, "And then?") << reader.name;
    EXPECT_EQ(asked.ask.files.empty(), std::string(reader.name).starts_with("ollama"))
        << reader.name;
    ASSERT_EQ(asked.ask.pictures.size(), 1u) << reader.name;
    EXPECT_EQ(asked.ask.pictures.front().bytes->substr(1, 3), "PNG") << reader.name;
    if (std::string(reader.name) == "ollama generate") continue;  // it has no messages
    ASSERT_EQ(asked.ask.earlier.size(), 1u) << reader.name;
    EXPECT_EQ(asked.ask.earlier.front().question, "Who?") << reader.name;
    EXPECT_EQ(asked.ask.earlier.front().answer, "He") << reader.name;
  }
}

// "/messages/0/content" as refusals name it: "messages[0].content".
std::string shown_path(const std::vector<std::string>& keys) {
  std::string path;
  for (const std::string& key : keys) {
    const bool is_index = key.find_first_not_of("0123456789") == std::string::npos;
    path += is_index ? "[" + key + "]" : (path.empty() ? "" : ".") + key;
  }
  return path;
}

Json& value_at(Json& root, const std::vector<std::string>& keys) {
  Json* at = &root;
  for (const std::string& key : keys) {
    at = at->is_array() ? &(*at)[std::stoul(key)] : &(*at)[key];
  }
  return *at;
}

void collect_paths(const Json& value, std::vector<std::string>* keys,
                   std::vector<std::vector<std::string>>* paths) {
  if (!keys->empty()) paths->push_back(*keys);
  for (const auto& [key, inner] : value.items()) {
    if (!value.is_structured()) break;
    keys->push_back(key);
    collect_paths(inner, keys, paths);
    keys->pop_back();
  }
}

// A refusal is about the changed value, something in it, or something that holds it or its
// neighbours: a type that is no type makes its whole part unusable.
bool is_about(const std::string& field, std::vector<std::string> keys) {
  const std::string path = shown_path(keys);
  keys.pop_back();
  const std::string holder = shown_path(keys);
  return path.starts_with(field) || field.starts_with(path) ||
         (!holder.empty() && field.starts_with(holder)) ||
         (path.starts_with("tool_choice") && field == "tools");
}

TEST(Dialects, NameTheFieldThatHasAnotherType) {
  const Json strange = Json::parse(R"([null, true, 7, -1, 1.5, 1e308, "", "x", [], {}, [[]], [{}],
    [7], [null], {"type": 7}, {"type": null}, {"content": {}}, [{"type": "x"}], ["x"],
    [{"role": 7}], [{"role": "user"}], [{"role": "user", "content": [{"type": "text"}]}]])");
  int refusals = 0;
  for (const Reader& reader : readers()) {
    const Json whole = Json::parse(reader.body);
    std::vector<std::vector<std::string>> paths;
    std::vector<std::string> keys;
    collect_paths(whole, &keys, &paths);
    for (const auto& path : paths) {
      for (const Json& value : strange) {
        Json changed = whole;
        value_at(changed, path) = value;
        try {
          reader.read(changed.dump());
        } catch (const Refusal& refusal) {
          ++refusals;
          EXPECT_EQ(refusal.status(), 400) << reader.name << ": " << refusal.what();
          EXPECT_FALSE(refusal.field().empty()) << refusal.what();
          EXPECT_TRUE(is_about(refusal.field(), path)) << reader.name << ": " << shown_path(path)
                                                       << " = " << value << ": " << refusal.what();
        }
      }
    }
  }
  EXPECT_GT(refusals, 1000);
}

TEST(Dialects, SurviveAnyBytes) {
  std::uint32_t state = 1;
  const auto random = [&] { return state = state * 1664525 + 1013904223, state >> 8; };
  for (const Reader& reader : readers()) {
    for (int i = 0; i < 3000; ++i) {
      std::string body = reader.body;
      for (std::uint32_t j = 0; j <= random() % 4; ++j) {
        constexpr std::string_view kPieces = "{}[],:\"\\0e-\x80n";
        const std::size_t at = random() % body.size();
        if (random() % 3 == 0) {
          body.erase(at, random() % 30);
        } else {
          body[at] = kPieces[random() % kPieces.size()];
        }
        if (body.empty()) body = " ";
      }
      try {
        reader.read(body);
      } catch (const Error& error) {
        EXPECT_EQ(problem_of(error, "").status / 100, 4) << error.what();
      }
    }
  }
}

std::string refused(const std::function<void()>& call) {
  try {
    call();
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "";
}

TEST(Dialects, RefuseWhatHasNoEffect) {
  const std::string chat = R"({"model": "m", "messages": [{"role": "user", "content": "Who?"}], )";
  const auto chat_refusal = [&](const std::string& more) {
    return refused([&] { read_chat_request(chat + more + "}"); });
  };
  const std::string tools = R"("tools": [{"type": "function", "function": {"name": "weather"}}])";
  EXPECT_NE(chat_refusal(tools).find("(weather)"), std::string::npos);
  EXPECT_EQ(chat_refusal(tools + R"(, "tool_choice": "none")"), "");
  EXPECT_NE(chat_refusal(R"("n": 2)"), "");
  EXPECT_NE(chat_refusal(R"("response_format": {"type": "json_object"})"), "");
  EXPECT_EQ(chat_refusal(R"("temperature": 0.5)"), "");
  const KeptResponses kept;
  for (const char* more :
       {R"("background": true)", R"("conversation": "c")", R"("prompt": {"id": "p"})",
        R"("tools": [{"type": "web_search"}])", R"("text": {"format": {"type": "json_schema"}})",
        R"("previous_response_id": "resp_1")"}) {
    const std::string body = std::string(R"({"model": "m", "input": "Who?", )") + more + "}";
    EXPECT_NE(refused([&] { read_responses_request(body, kept); }), "") << more;
  }
  const std::string messages = R"({"model": "m", "messages": [{"role": "user", "content": "a"}]})";
  EXPECT_NE(refused([&] { read_messages_request(messages); }).find("max_tokens"),
            std::string::npos);
  EXPECT_EQ(refused([&] { read_messages_request(messages, true); }), "");
  for (const char* more : {R"("format": "json")", R"("suffix": "x")", R"("context": [1])"}) {
    const std::string body = std::string(R"({"model": "m", "prompt": "Who?", )") + more + "}";
    EXPECT_NE(refused([&] { read_ollama_generate(body); }), "") << more;
  }
}

TEST(Dialects, KnowRequestsThatOnlyLoadAModel) {
  EXPECT_TRUE(read_ollama_generate(R"({"model": "m"})").loads);
  EXPECT_TRUE(read_ollama_chat(R"({"model": "m", "messages": []})").loads);
  EXPECT_FALSE(read_ollama_generate(R"({"model": "m", "prompt": "Who?"})").loads);
}

TEST(Dialects, WriteTimesAsTheirClientsReadThem) {
  EXPECT_EQ(utc_time(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(utc_time(1'767'225'599), "2025-12-31T23:59:59Z");
  EXPECT_EQ(without_latest("a:latest"), "a");
  EXPECT_EQ(without_latest("a:7b"), "a:7b");
}

TEST(KeptResponses, ForgetTheOldest) {
  KeptResponses kept(2, 10'000);
  kept.keep("a", {{.role = "user", .text = "Who?"}, {.role = "assistant", .text = "He"}}, "{}");
  kept.keep("b", {{.role = "user", .text = "Why?"}}, "{}");
  EXPECT_EQ(kept.find("a").size(), 2u);
  kept.keep("c", {{.role = "user", .text = "When?"}}, "{}");
  EXPECT_THROW(kept.find("a"), Refusal);
  EXPECT_EQ(kept.find("b").front().text, "Why?");
  // The newest is kept however large it is.
  kept.keep("d", {{.role = "user", .text = std::string(20'000, 'x')}}, "{}");
  EXPECT_THROW(kept.find("c"), Refusal);
  EXPECT_EQ(kept.find("d").size(), 1u);
}

TEST(KeptResponses, AreReadAgainAndDeleted) {
  KeptResponses kept(2, 10'000);
  kept.keep("a", {{.role = "user", .text = "Who?"}}, R"({"id":"a"})");
  EXPECT_EQ(kept.response("a"), R"({"id":"a"})");
  kept.remove("a");
  EXPECT_THROW(kept.response("a"), Refusal);
  EXPECT_THROW(kept.find("a"), Refusal);
  EXPECT_THROW(kept.remove("a"), Refusal);
  // What was deleted no longer counts.
  kept.keep("b", {{.role = "user", .text = std::string(6'000, 'x')}}, "{}");
  kept.remove("b");
  kept.keep("c", {{.role = "user", .text = std::string(6'000, 'x')}}, "{}");
  kept.keep("d", {{.role = "user", .text = "Why?"}}, "{}");
  EXPECT_EQ(kept.response("c"), "{}");
}

TEST(KeptResponses, KeepFilesLongerThanTurns) {
  KeptResponses kept;
  std::vector<Message> messages = {{.role = "user", .text = "Who?"}};
  messages[0].files = {sent_file(kHello, {.name = "a.txt", .media_type = {}, .path = "f"})};
  for (int i = 0; i < 100; ++i) messages.push_back({.role = "user", .text = "More?"});
  kept.keep("a", messages, "{}");
  const std::vector<Message> found = kept.find("a");
  EXPECT_EQ(found.size(), 41u);
  EXPECT_EQ(found.front().files.size(), 1u);
}

TEST(SentFiles, GetNamesThatDocumentsCanHave) {
  const auto name = [](const std::string& bytes, const std::string& given,
                       const std::string& type) {
    return sent_bytes(bytes, {.name = given, .media_type = type, .path = "f"}).name;
  };
  EXPECT_EQ(name("x", "a.txt", ""), "a.txt");
  EXPECT_EQ(name("%PDF-1.7", "", ""), "document.pdf");
  EXPECT_EQ(name("%PDF-1.7", "Annual report 2023", "application/pdf"), "Annual report 2023.pdf");
  EXPECT_EQ(name("x", "../../etc/passwd", "text/plain"), "-.-..-etc-passwd.txt");
  EXPECT_EQ(name("x", "a\nb\\c", "text/plain"), "a b-c.txt");
  EXPECT_EQ(name("a,b", "", "text/csv"), "document.csv");
  EXPECT_EQ(name("x", "", "image/jpeg"), "document.jpeg");
  EXPECT_THROW(name("x", "", ""), Refusal);
  EXPECT_THROW(name("", "a.txt", ""), Refusal);
}

TEST(SentFiles, AreDecoded) {
  const SentDescription description{.name = "a.txt", .media_type = {}, .path = "f"};
  EXPECT_EQ(*sent_file(kHello, description).bytes, "Hello");
  EXPECT_EQ(*sent_file("data:text/plain;base64,SGVsbG8", description).bytes, "Hello");
  for (const char* wrong : {"", "data:", "data:text/plain,Hello", "data:text/plain;base64",
                            "data:text/plain;base64,", "?", "SGVsbG8=\n"}) {
    EXPECT_THROW(sent_file(wrong, description), Refusal) << wrong;
  }
}

TEST(SentFiles, AreAddedOnce) {
  const auto file = [](const char* name, const std::string& bytes) {
    return SentFile{.name = name, .bytes = std::make_shared<const std::string>(bytes)};
  };
  std::vector<SentFile> files;
  for (const char* bytes : {"one", "two", "one", "two", "three"}) {
    add_sent_file(file("a.txt", bytes), &files);
  }
  ASSERT_EQ(files.size(), 3u);
  EXPECT_EQ(files[1].name, "a (2).txt");
  EXPECT_EQ(files[2].name, "a (3).txt");
  EXPECT_THROW(add_sent_file(file("b", std::string(kMostSentBytes, 'x')), &files), Refusal);
  for (std::size_t i = files.size(); i < kMostSentFiles; ++i) {
    add_sent_file(file(("b" + std::to_string(i)).c_str(), "x"), &files);
  }
  EXPECT_THROW(add_sent_file(file("c", "x"), &files), Refusal);
}

}  // namespace
}  // namespace fineprint::server
