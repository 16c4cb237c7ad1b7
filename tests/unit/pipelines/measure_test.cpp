// Tests of figures with the dimension that a question asks for.
#include "pipelines/extractive/measure.h"

#include <gtest/gtest.h>

namespace fineprint::pipelines::extractive {
namespace {

bool measures(const std::string& question, const std::string& snippet) {
  const std::vector<text::Value> values = text::find_values(snippet, text::AnswerKind::number);
  return measures_what_is_asked(question, snippet, values.at(0));
}

TEST(Measure, WantsTheDimensionThatIsAskedFor) {
  EXPECT_TRUE(measures("How long is it?", "It is 320 metres long."));
  EXPECT_TRUE(measures("How long did it take?", "It took 3 years."));
  EXPECT_FALSE(measures("How long is it?", "It is the 320 of them."));
  EXPECT_FALSE(measures("How tall is it?", "It weighs 320 tonnes."));
  EXPECT_TRUE(measures("How heavy is it?", "It weighs 320 tonnes."));
  EXPECT_TRUE(measures("How old is it?", "It is 40 years old."));
  EXPECT_TRUE(measures("How large is it?", "It covers 40 square miles."));
  EXPECT_FALSE(measures("How large is it?", "It is large 18."));
  EXPECT_TRUE(measures("What is the score?", "It scored 18."));
}

}  // namespace
}  // namespace fineprint::pipelines::extractive
