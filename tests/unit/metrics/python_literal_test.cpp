// Lists in the fields of published data.
#include "fineprint/metrics/python_literal.h"

#include <gtest/gtest.h>

namespace fineprint::metrics {
namespace {

TEST(PythonLists, AreReadAsPythonWritesThem) {
  using List = std::vector<std::string>;
  EXPECT_EQ(parse_python_list("[]"), List());
  EXPECT_EQ(parse_python_list(" [3, 5] "), (List{"3", "5"}));
  EXPECT_EQ(parse_python_list(R"(['a', "it's", 'don\'t', ])"), (List{"a", "it's", "don't"}));
  for (const char* broken : {"", "3", "[3", "[3 4]", "['a]", "[a]", "[[1]]", "[1] 2", "[,]"}) {
    EXPECT_EQ(parse_python_list(broken), std::nullopt) << broken;
  }
}

}  // namespace
}  // namespace fineprint::metrics
