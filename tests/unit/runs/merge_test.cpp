// Shard outputs joined: order, repeats, failures that give way, contradictions.
#include "fineprint/runs/merge.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"

#include "support/temp_dir.h"

namespace fineprint::runs {
namespace {

std::string answered(const std::string& id, const std::string& text = "yes") {
  return R"({"id":")" + id + R"(","answer":")" + text + "\"}\n";
}

std::string failed(const std::string& id) {
  return R"({"id":")" + id +
         R"(","answer":"","error":{"code":"timed_out","message":"slow"}})"
         "\n";
}

class Merge : public ::testing::Test {
 protected:
  // Writes one file a text and joins them.
  std::int64_t join(const std::vector<std::string>& texts) {
    std::vector<ShardText> inputs;
    for (const std::string& text : texts) {
      inputs.push_back({"in" + std::to_string(inputs.size()), text});
    }
    return merge(out_, inputs);
  }

  // The message of the Error(input) that joining must throw; nothing may be written.
  std::string refusal(const std::vector<std::string>& texts) {
    try {
      join(texts);
      ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::input);
      EXPECT_FALSE(std::filesystem::exists(out_));
      return error.what();
    }
    return {};
  }

  testing::TempDir folder_;
  std::string out_ = folder_.file("out");
};

TEST_F(Merge, KeepsTheOrderOfFirstAppearanceAndTheBytes) {
  const std::string odd = "{ \"answer\": \"\\u00e9 \\\" \", \"id\" : \"z\", \"more\": [1.50] }\n";
  EXPECT_EQ(join({answered("b") + odd, answered("a"), answered("c") + answered("b")}), 4);
  EXPECT_EQ(read_file(out_), answered("b") + odd + answered("a") + answered("c"));
}

TEST_F(Merge, EqualLinesAreOne) {
  EXPECT_EQ(join({answered("a") + answered("a"), answered("a")}), 1);
  EXPECT_EQ(read_file(out_), answered("a"));
}

TEST_F(Merge, AFailureGivesWayWhereverItStands) {
  join({failed("a") + answered("b"), answered("a") + failed("b")});
  EXPECT_EQ(read_file(out_), answered("a") + answered("b"));
  join({failed("a") + failed("a")});
  EXPECT_EQ(read_file(out_), failed("a"));
}

TEST_F(Merge, DifferentAnswersOfOneIdAreRefused) {
  const std::string message =
      refusal({answered("a") + answered("b"), answered("c") + answered("b", "no")});
  EXPECT_NE(message.find("id b "), std::string::npos) << message;
  EXPECT_NE(message.find("in0"), std::string::npos) << message;
  EXPECT_NE(message.find("in1"), std::string::npos) << message;
}

TEST_F(Merge, ATornOrForeignLineIsNamed) {
  const std::string whole = answered("a") + answered("b");
  EXPECT_NE(refusal({whole.substr(0, whole.size() - 5)}).find("in0:2"), std::string::npos);
  EXPECT_NE(refusal({answered("a"), "\n[1]\n"}).find("in1:2"), std::string::npos);
  EXPECT_NE(refusal({"{\"answer\":\"x\"}\n"}).find("'id'"), std::string::npos);
}

TEST_F(Merge, TheOutputMayBeAnInput) {
  folder_.write("out", answered("a"));
  EXPECT_EQ(merge(out_, {{out_, answered("a")}, {"more", answered("b")}}), 2);
  EXPECT_EQ(read_file(out_), answered("a") + answered("b"));
}

TEST_F(Merge, EmptyInputsMakeAnEmptyFile) {
  EXPECT_EQ(join({"", ""}), 0);
  EXPECT_EQ(read_file(out_), "");
}

}  // namespace
}  // namespace fineprint::runs
