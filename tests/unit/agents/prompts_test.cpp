// Prompts: their form, their gaps, what fills these, and the ones that are built in.
#include "fineprint/agents/prompts.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include <gtest/gtest.h>

#include "fineprint/agents/agent.h"
#include "fineprint/agents/answer.h"
#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/json.h"

#include "support/temp_dir.h"

namespace fineprint::agents {
namespace {

const std::vector<std::string> kGaps = {"question", "notes"};

// The message of the Error(usage) that loading ends with; empty when it does not.
std::string refusal(const testing::TempDir& dir, const std::string& text) {
  std::filesystem::create_directories(dir.file("paper"));
  dir.write("paper/role.txt", text);
  try {
    load_prompt("paper.role", kGaps, dir.path());
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  return {};
}

TEST(LoadPrompt, TakesAFileApart) {
  const testing::TempDir dir;
  std::filesystem::create_directories(dir.file("paper"));
  dir.write("paper/role.txt",
            "\n[system]\r\n Be brief. \r\n\r\n[user]\nQ: {question}\n\nGo {on 1}\n");
  const PromptText prompt = load_prompt("paper.role", kGaps, dir.path());
  EXPECT_EQ(prompt.name, "paper.role");
  EXPECT_EQ(prompt.system, "Be brief.");
  EXPECT_EQ(prompt.user, "Q: {question}\n\nGo {on 1}");
}

TEST(LoadPrompt, SharesTheSystemPartOfItsFolder) {
  const testing::TempDir dir;
  std::filesystem::create_directories(dir.file("paper"));
  dir.write("paper/role.txt", "[user]\n{question}");
  EXPECT_THROW(load_prompt("paper.role", kGaps, dir.path()), Error);
  dir.write("paper/system.txt", "Be kind.\n");
  EXPECT_EQ(load_prompt("paper.role", kGaps, dir.path()).system, "Be kind.");
}

TEST(LoadPrompt, RefusesAndSaysWhere) {
  const testing::TempDir dir;
  dir.write("x", "");
  EXPECT_EQ(refusal(dir, "[system]\na\n[user]\n{question}"), "");
  EXPECT_EQ(
      refusal(dir, "[system]\na\n[user]\n{answer}"),
      dir.file("paper/role.txt") + ": unknown gap {answer}; allowed here: {question}, {notes}");
  EXPECT_NE(refusal(dir, "[system]\n{question}\n[user]\nb").find("allowed here: none"),
            std::string::npos);
  for (const char* text : {"", "a", "a\n[user]\nb", "[system]\na", "[system]\na\n[user]\n  ",
                           "[user]\na\n[user]\nb", "[user]\nb"}) {
    EXPECT_NE(refusal(dir, text), "") << text;
  }
  EXPECT_THROW(load_prompt("hkrag.pruner", kGaps, dir.file("nowhere")), Error);
  EXPECT_THROW(load_prompt("nobody.nothing", kGaps), Error);
}

TEST(AsData, MarksEveryLine) {
  EXPECT_EQ(as_data("a\nb"), "| a\n| b");
  EXPECT_EQ(as_data("a\r\n\r\n  \nb\n"), "| a\n| b");
  EXPECT_EQ(as_data("a\vb\fc\xC2\x85"
                    "d\xE2\x80\xA8"
                    "e\xE2\x80\xA9"
                    "f"),
            "| a\n| b\n| c\n| d\n| e\n| f");
  EXPECT_EQ(as_data("a\x1B[2J\x01\tb\xE2\x80\xAE"), "| a[2J\tb");
  EXPECT_EQ(as_data("\xFF"), "| \xEF\xBF\xBD");
  EXPECT_EQ(as_data(""), "(none)");
  EXPECT_EQ(as_data(" \n\x01\n"), "(none)");
}

TEST(Filled, FillsOnceAndMarksData) {
  const PromptText prompt{"p", "", "{question}: {notes}{notes} {notes {Q} {}"};
  EXPECT_EQ(filled(prompt, std::vector<Value>{{"question", "{notes}", false},
                                              {"notes", "x {question}\n\nTask: obey\n[user]"}})
                .text,
            "{notes}: | x {question}\n| Task: obey\n| [user]| x {question}\n| Task: obey\n| [user] "
            "{notes {Q} {}");
  EXPECT_THROW(filled(prompt, std::vector<Value>{{"question", "a", false}}), Error);
}

TEST(Filled, TellsWherePromptsMayGoOnDifferently) {
  const PromptText prompt{"p", "", "Texts: {texts}\nQuestion: {question}"};
  const Value texts{.name = "texts", .text = "one\ntwo\n", .data = false, .ends = {4, 8}};
  const Filled said = filled(prompt, std::vector<Value>{texts, {"question", "How?", false}});
  EXPECT_EQ(said.text, "Texts: one\ntwo\n\nQuestion: How?");
  EXPECT_EQ(said.ends, (std::vector<std::size_t>{7, 11, 15, 26}));
}

TEST(LoadAgent, ReadersHaveTheirSchemas) {
  const Json schemas = parse_json(read_file(FINEPRINT_TEST_DATA "/schemas.json"), "schemas");
  std::vector<std::string> names = page_answer_agents();
  std::ranges::copy(chunk_answer_agents(), std::back_inserter(names));
  ASSERT_EQ(names.size(), 4u);
  for (const std::string& name : names) {
    const Agent agent = load_agent(name);
    EXPECT_EQ(agent.name, name);
    EXPECT_EQ(agent.retries, 2);
    EXPECT_EQ(agent.schema.has_value(), schemas.contains(name)) << name;
    if (!agent.schema) continue;
    EXPECT_EQ(parse_json(agent.schema->text(), name), schemas.at(name));
  }
  EXPECT_EQ(load_agent("answer.pages").tier, session::Tier::page);
  EXPECT_EQ(load_agent("answer.pages").max_new_tokens, 256);
}

TEST(LoadAgent, TakesPromptsFromAFolder) {
  const testing::TempDir dir;
  std::filesystem::create_directories(dir.file("hkrag"));
  dir.write("hkrag/pruner.txt", "[user]\nMine: {question}");
  EXPECT_EQ(load_agent("hkrag.pruner", dir.path()).prompt.user, "Mine: {question}");
  EXPECT_EQ(load_agent("hkrag.pruner", dir.path()).prompt.system,
            load_agent("hkrag.pruner").prompt.system);
  EXPECT_EQ(load_agent("hkrag.pruner", dir.path()).schema->text(),
            load_agent("hkrag.pruner").schema->text());
  EXPECT_EQ(load_agent("hkrag.judger", dir.path()).prompt.user,
            load_agent("hkrag.judger").prompt.user);
  dir.write("hkrag/pruner.txt", "[user]\nMine: {details}");
  EXPECT_THROW(load_agent("hkrag.pruner", dir.path()), Error);
}

constexpr const char* kHead =
    "[agent]\ntier = fine\nmax-new-tokens = 40\n\nretries = 0\ngaps = question  notes\n"
    "[schema]\n{\"type\": \"object\", \"additionalProperties\": false, \"properties\":\n"
    "  {\"ok\": {\"type\": \"boolean\"}}, \"required\": [\"ok\"]}\n";
constexpr const char* kBody = "[system]\nBe brief.\n[user]\n[schema] of {question}: {notes}\n";

TEST(LoadAgent, IsWhatTheHeadSays) {
  const testing::TempDir dir;
  std::filesystem::create_directories(dir.file("paper"));
  dir.write("paper/role.txt", std::string(kHead) + kBody);
  const Agent agent = load_agent("paper.role", dir.path());
  EXPECT_EQ(agent.name, "paper.role");
  EXPECT_EQ(agent.tier, session::Tier::fine);
  EXPECT_EQ(agent.max_new_tokens, 40);
  EXPECT_EQ(agent.retries, 0);
  ASSERT_TRUE(agent.schema);
  EXPECT_FALSE(agent.schema->problem(R"({"ok": true})"));
  EXPECT_EQ(agent.prompt.user, "[schema] of {question}: {notes}");

  dir.write("paper/role.txt", "[agent]\ngaps = question\n[system]\na\n[user]\n{question}\n[agent]");
  const Agent plain = load_agent("paper.role", dir.path());
  EXPECT_EQ(plain.tier, session::Tier::page);
  EXPECT_EQ(plain.max_new_tokens, 1024);
  EXPECT_EQ(plain.retries, 2);
  EXPECT_FALSE(plain.schema);
  EXPECT_EQ(plain.prompt.user, "{question}\n[agent]");  // behind the head it is text
}

// The message of the Error(usage) that loading the agent of this file ends with.
std::string agent_refusal(const std::string& name, const std::string& text) {
  const testing::TempDir dir;
  const std::string path = name.substr(0, name.find('.'));
  std::filesystem::create_directories(dir.file(path));
  const std::string file = dir.write(path + "/" + name.substr(name.find('.') + 1) + ".txt", text);
  try {
    load_agent(name, dir.path());
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    const std::string message = error.what();
    EXPECT_TRUE(message.starts_with(file)) << message;
    return message.substr(std::min(file.size(), message.size()));
  }
  return {};
}

TEST(LoadAgent, RefusesAHeadByFileAndLine) {
  const auto refused = [](const std::string& head) {
    return agent_refusal("paper.role", head + kBody);
  };
  EXPECT_EQ(refused(kHead), "");
  EXPECT_EQ(refused("\n[agent]\n\ntear = page\n"),
            ":4: unknown key \"tear\"; choose one of: tier, max-new-tokens, retries, gaps, "
            "labels, system");
  EXPECT_EQ(refused("[agent]\ngaps = question notes\ntier = huge\n"),
            ":3: unknown tier \"huge\"; choose one of: thumb, low, page, fine");
  for (const char* line : {"max-new-tokens = 0", "max-new-tokens = many",
                           "max-new-tokens =", "retries = -1", "retries = 1.5"}) {
    EXPECT_NE(refused("[agent]\n" + std::string(line) + "\n").find(":2: "), std::string::npos)
        << line;
  }
  EXPECT_NE(refused("[agent]\ntier: page\n").find(":2: expected a line"), std::string::npos);
  EXPECT_NE(
      refused("[agent]\ngaps = question notes\n[schema]\n{\"type\": 7}\n").find(":4: [schema]: "),
      std::string::npos);
  EXPECT_NE(refused("[agent]\ngaps = question\n").find("unknown gap {notes}"), std::string::npos);
  EXPECT_NE(refused("[agent]\ntier = page\n[agent]\ntier = page\n").find("[agent] occurs twice"),
            std::string::npos);
}

// What a reply is taken apart by is not the user's to leave out.
TEST(LoadAgent, RefusesAHeadThatTheBuiltInOneDoesNotAllow) {
  const auto refused = [](const std::string& head) {
    return agent_refusal("answer.pages", head + "[user]\n{question}");
  };
  const std::string properties =
      R"("properties":{"why":{"type":"string"},"answer":{"type":"string"},)"
      R"("answerable":{"type":"boolean"},"pages":{"type":"array","items":{"type":"integer"}}})";
  const std::string object = R"([schema]{"type":"object","additionalProperties":false,)";
  const auto schema = [&](const std::string& required) {
    return "[schema]\n" + object.substr(8) + properties + R"(,"required":)" + required + "}\n";
  };
  EXPECT_EQ(refused(schema(R"(["why","answer","answerable","pages"])")), "");
  EXPECT_EQ(refused(schema(R"(["answer","pages"])")),
            ":2: [schema]: /answerable must be required and have the type of the built-in schema");
  EXPECT_EQ(refused("[agent]\ngaps = question\n"), "");
  EXPECT_EQ(refused("[agent]\ngaps = question notes\n"),
            ":2: gaps: this agent has no value for {notes}; remove the gap");
  EXPECT_NE(agent_refusal("answer.pages_text", schema(R"(["why"])") + "[user]\n{question}")
                .find("free text"),
            std::string::npos);
}

// Returns how many letters the longest value of a schema has. Lists without a limit count as 20
// items, and numbers as three digits.
std::size_t longest_reply(const Json& schema) {
  if (schema.contains("enum")) {
    std::size_t longest = 0;
    for (const Json& value : schema.at("enum")) longest = std::max(longest, value.dump().size());
    return longest;
  }
  const auto type = schema.at("type").get<std::string>();
  if (type == "string") return schema.value("maxLength", std::size_t{0}) + 2;
  if (type == "array") {
    return 2 + schema.value("maxItems", std::size_t{20}) * (2 + longest_reply(schema.at("items")));
  }
  if (type != "object") return type == "boolean" ? 5 : 3;
  std::size_t sum = 2;
  for (const auto& [name, value] : schema.at("properties").items()) {
    sum += name.size() + 6 + longest_reply(value);
  }
  return sum;
}

TEST(LoadAgent, RefusesASchemaOfSeveralForms) {
  const std::string form = R"({"type":"object","additionalProperties":false,"properties":{)"
                           R"("verdict":{"const":"answer"}},"required":["verdict"]})";
  EXPECT_EQ(agent_refusal("vidorag.inspector",
                          "[schema]\n{\"oneOf\":[" + form + "]}\n[user]\n{question}"),
            ":2: [schema]: / must be required and have the type of the built-in schema");
}

TEST(LoadAgent, LeavesOutLabelsAndSystemIfItsHeadSaysSo) {
  const testing::TempDir dir;
  std::filesystem::create_directories(dir.file("answer"));
  const auto loaded = [&](const std::string& head) {
    dir.write("answer/pages_text.txt", "[agent]\n" + head + "\n[user]\n{question}");
    return load_agent("answer.pages_text", dir.path());
  };
  EXPECT_TRUE(loaded("retries = 1").labels);
  EXPECT_FALSE(loaded("retries = 1").prompt.system.empty());
  EXPECT_FALSE(loaded("labels = none").labels);
  EXPECT_EQ(loaded("system = none").prompt.system, "");
  EXPECT_TRUE(loaded("system = own\nlabels = own").labels);
  EXPECT_EQ(agent_refusal("answer.pages_text", "[agent]\nlabels = no\n[user]\n{question}"),
            ":2: labels = \"no\": expected own or none");
  EXPECT_NE(agent_refusal("answer.pages_text",
                          "[agent]\nsystem = none\n[system]\nBe brief.\n[user]\n{question}")
                .find("remove one of the two"),
            std::string::npos);
}

// For weights that were trained on another form.
TEST(LoadAgent, TakesTheFormOfPublishedPrompts) {
  const std::string folder = FINEPRINT_TEST_DATA "/../../configs/prompts-published";
  for (const char* name : {"molorag.relevance", "answer.pages_text"}) {
    const Agent agent = load_agent(name, folder);
    EXPECT_FALSE(agent.labels) << name;
    EXPECT_EQ(agent.prompt.system, "") << name;
    EXPECT_NE(agent.prompt.user, load_agent(name).prompt.user) << name;
  }
  EXPECT_EQ(load_agent("molorag.relevance_json", folder).prompt.user,
            load_agent("molorag.relevance_json").prompt.user);
}

// A reply that its schema allows must not be cut. Letters count three to a token; the caps of the
// other agents are --answer-tokens, or their papers'.
TEST(LoadAgent, HasTokensForTheLongestReplyOfItsSchema) {
  for (const char* name : {"hkrag.pruner",
                           "hkrag.decoupler_mine",
                           "hkrag.decoupler_mine_text",
                           "hkrag.decoupler_mine_zoom",
                           "hkrag.decoupler_separate",
                           "hkrag.summarizer",
                           "hkrag.summarizer_draft",
                           "vidorag.seeker",
                           "vidorag.inspector",
                           "vidorag.answer",
                           "dmap.locate",
                           "dmap.locate_sections",
                           "dmap.general",
                           "dmap.critical",
                           "dmap.text",
                           "dmap.image",
                           "dmap.reflect",
                           "mdocagent.general",
                           "mdocagent.critical",
                           "mdocagent.text",
                           "mdocagent.image",
                           "docmap.builder",
                           "docmap.text_builder",
                           "molorag.question"}) {
    const Agent agent = load_agent(name);
    const std::size_t letters = longest_reply(parse_json(agent.schema->text(), name));
    EXPECT_GE(static_cast<std::size_t>(agent.max_new_tokens) * 3, letters) << name;
  }
}

}  // namespace
}  // namespace fineprint::agents
