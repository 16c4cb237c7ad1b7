// Events told once reach all who listen, each as it wants them.
#include "fineprint/core/events.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fineprint/core/log.h"
#include "fineprint/core/trace.h"

namespace fineprint {
namespace {

// Keeps what it is told; `progress` too, if so.
class Notes : public EventListener {
 public:
  explicit Notes(bool progress) : progress_(progress) {}
  bool wants_progress() const override { return progress_; }
  void take(const Event& event) override { steps.emplace_back(event.step); }

  std::vector<std::string> steps;

 private:
  bool progress_;
};

struct Verbose {
  Verbose() { log::set_level(log::Level::verbose); }
  ~Verbose() { log::set_level(log::Level::normal); }
};

TEST(Events, ATraceKeepsStepsAndNothingElse) {
  Trace trace(true);
  const Events events({&trace});
  EXPECT_TRUE(events.wants_fields());
  EXPECT_FALSE(events.wants_lines());
  EXPECT_FALSE(events.wants_progress());
  events.tell({.step = "call", .ms = 2, .fields = R"({"agent":"a"})", .line = "a: 3 tokens"});
  events.tell({.line = "found nothing"});
  events.tell({.kind = Event::Kind::began, .step = "call"});
  EXPECT_EQ(trace.to_json(), R"([{"step":"call","ms":2.0,"agent":"a"}])");
}

TEST(Events, NobodyWantsFieldsOfATraceThatIsOff) {
  Trace trace;
  const Events events({&trace, &event_log()});
  EXPECT_FALSE(events.wants_fields());
  events.tell({.step = "call"});
  EXPECT_EQ(trace.to_json(), "[]");
}

TEST(Events, LinesGoToTheLogWhereItIsVerbose) {
  const Events events({&event_log()});
  EXPECT_FALSE(events.wants_lines());
  ::testing::internal::CaptureStderr();
  events.tell({.step = "call", .line = "not shown"});
  {
    const Verbose verbose;
    EXPECT_TRUE(events.wants_lines());
    events.tell({.step = "call", .line = "judge: 3 tokens read"});
    events.tell({.step = "silent"});
  }
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_TRUE(said.ends_with(" judge: 3 tokens read\n")) << said;
  EXPECT_EQ(said.find("not shown"), std::string::npos);
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1);
}

TEST(Events, ProgressIsForThoseWhoWantIt) {
  Notes steps(false), all(true);
  Events events({&steps});
  events.add(all);
  EXPECT_TRUE(events.wants_progress());
  events.tell({.kind = Event::Kind::began, .step = "call"});
  events.tell({.kind = Event::Kind::text, .step = "call"});
  events.tell({.step = "budget"});
  EXPECT_EQ(steps.steps, std::vector<std::string>{"budget"});
  EXPECT_EQ(all.steps, (std::vector<std::string>{"call", "call", "budget"}));
}

}  // namespace
}  // namespace fineprint
