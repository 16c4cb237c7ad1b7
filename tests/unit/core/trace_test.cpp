// Traces that stay valid JSON.
#include "fineprint/core/trace.h"

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

namespace fineprint {
namespace {

TEST(Trace, CollectsSteps) {
  Trace trace(true);
  EXPECT_EQ(trace.to_json(), "[]");
  trace.add("search", 1.5, R"( {"k":10} )");
  trace.add("say \"x\"", 2, "{ }");
  trace.add("end", 0);
  EXPECT_EQ(trace.to_json(), R"([{"step":"search","ms":1.5,"k":10},{"step":"say \"x\"","ms":2.0},)"
                             R"({"step":"end","ms":0.0}])");
  EXPECT_THROW(trace.add("bad", 0, "[1]"), Error);
}

TEST(Trace, DisabledItKeepsNothing) {
  Trace trace;
  trace.add("search", 1);
  EXPECT_EQ(trace.to_json(), "[]");
}

}  // namespace
}  // namespace fineprint
