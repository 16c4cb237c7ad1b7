// Tests of finding pipelines by name.
#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/pipelines/pipeline.h"

namespace fineprint::pipelines {
namespace {

TEST(Registry, FindsEachPipelineByItsName) {
  ASSERT_FALSE(all().empty());
  for (const Pipeline& pipeline : all()) {
    EXPECT_EQ(&find(pipeline.info.name), &pipeline);
    EXPECT_NE(pipeline.run, nullptr) << pipeline.info.name;
  }
}

TEST(Registry, NamesThoseThatExist) {
  try {
    find("oracle");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_NE(std::string(error.what()).find("extractive"), std::string::npos);
  }
}

}  // namespace
}  // namespace fineprint::pipelines
