// Tests of separating a reply from the thoughts before it.
#include "fineprint/serving/thoughts.h"

#include <vector>

#include <gtest/gtest.h>

namespace fineprint::serving {
namespace {

struct Filtered {
  std::string text;  // without what was taken back
  bool thought = false, took_back = false;
  std::size_t bytes_after = 0;
};

Filtered filtered(const std::vector<std::string>& pieces) {
  ThoughtFilter filter;
  Filtered out;
  for (const std::string& piece : pieces) {
    const std::string text = filter.push(piece);
    if (filter.took_back()) out.text.clear();
    out.took_back = out.took_back || filter.took_back();
    out.text += text;
  }
  out.text += filter.finish();
  out.thought = filter.thought();
  out.bytes_after = filter.bytes_after();
  return out;
}

std::vector<std::string> letters_of(const std::string& text) {
  std::vector<std::string> letters;
  for (const char c : text) letters.emplace_back(1, c);
  return letters;
}

TEST(ThoughtFilter, LeavesRepliesWithoutThoughtsAsTheyAre) {
  for (const std::string text : {"", "Ten.", " \n Ten <b>pages</b>. ", "{\"a\": \"</think>\"}", "<",
                                 "<thin", "[THE END]", "a < b", "  ", "[1]"}) {
    for (const Filtered& out : {filtered({text}), filtered(letters_of(text))}) {
      EXPECT_EQ(out.text, text);
      EXPECT_FALSE(out.thought) << text;
    }
  }
}

TEST(ThoughtFilter, RemovesEveryKnownForm) {
  for (const std::string text :
       {"<think>\nSo 7?\n</think>\n\nTen.", "\n<thinking>x</thinking>Ten.",
        "<thought>\n</thought>Ten.", "<reasoning>{\"a\": 1}</reasoning>\nTen.",
        "<seed:think>x</seed:think>Ten.", "[THINK]x[/THINK]Ten.",
        "<|channel>thought\nx<channel|>Ten.",
        "<|channel|>analysis<|message|>We "
        "look.<|end|><|start|>assistant<|channel|>final<|message|>Ten.",
        "<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>Ten.<|"
        "return|>",
        "<think>one</think>\n<think>two</think>\nTen."}) {
    for (const Filtered& out : {filtered({text}), filtered(letters_of(text))}) {
      EXPECT_EQ(out.text, "Ten.") << text;
      EXPECT_TRUE(out.thought) << text;
      EXPECT_FALSE(out.took_back) << text;
    }
  }
}

TEST(ThoughtFilter, AFinalChannelAloneIsAReplyWithoutThoughts) {
  const Filtered out = filtered(letters_of("<|channel|>final<|message|>Ten.<|return|>"));
  EXPECT_EQ(out.text, "Ten.");
  EXPECT_FALSE(out.thought);
}

TEST(ThoughtFilter, ThoughtsThatDoNotEndLeaveNoReply) {
  for (const std::string text : {"<think>Denver Hall had 9,137 vis", "<think>",
                                 "<think>a</think>\n ", "<|channel|>analysis<|message|>We look."}) {
    for (const Filtered& out : {filtered({text}), filtered(letters_of(text))}) {
      EXPECT_EQ(out.text, "") << text;
      EXPECT_TRUE(out.thought) << text;
    }
  }
}

// Some chat templates write "<think>" at the end of the prompt.
TEST(ThoughtFilter, TakesBackThoughtsThatThePromptOpened) {
  const std::string text = "The pages say ten.\n</think>\n\nTen.";
  const Filtered whole = filtered({text}), streamed = filtered(letters_of(text));
  EXPECT_EQ(whole.text, "Ten.");
  EXPECT_FALSE(whole.took_back);  // nothing had been returned
  EXPECT_EQ(streamed.text, "Ten.");
  EXPECT_TRUE(streamed.took_back);
}

TEST(ThoughtFilter, CountsTheBytesAfterTheThoughts) {
  EXPECT_EQ(filtered(letters_of("<think>abc</think>\nTen.")).bytes_after, 5u);
  EXPECT_EQ(filtered({"<think>abc</think>", "\nTen."}).bytes_after, 5u);
  EXPECT_EQ(filtered({"Ten."}).bytes_after, 4u);
}

}  // namespace
}  // namespace fineprint::serving
