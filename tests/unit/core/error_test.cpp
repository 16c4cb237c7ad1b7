// Names and exit codes of errors.
#include "fineprint/core/error.h"

#include <gtest/gtest.h>

namespace fineprint {
namespace {

TEST(ErrorCodes, NamesComeBackAsTheirCode) {
  for (int i = 0; i <= static_cast<int>(ErrorCode::interrupted); ++i) {
    const auto code = static_cast<ErrorCode>(i);
    EXPECT_EQ(code_from_name(code_name(code)), code) << code_name(code);
  }
  EXPECT_EQ(code_name(ErrorCode::out_of_memory), "out_of_memory");
  EXPECT_EQ(code_from_name("no such code"), ErrorCode::internal);
}

TEST(ErrorCodes, ExitCodesFollowTheDesign) {
  EXPECT_EQ(exit_code(ErrorCode::usage), 2);
  EXPECT_EQ(exit_code(ErrorCode::input), 3);
  EXPECT_EQ(exit_code(ErrorCode::damaged), 3);
  EXPECT_EQ(exit_code(ErrorCode::store), 3);
  EXPECT_EQ(exit_code(ErrorCode::model), 4);
  EXPECT_EQ(exit_code(ErrorCode::no_reply), 4);
  EXPECT_EQ(exit_code(ErrorCode::internal), 5);
  EXPECT_EQ(exit_code(ErrorCode::interrupted), 130);
}

}  // namespace
}  // namespace fineprint
