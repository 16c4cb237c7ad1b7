// Replies that are said bit by bit.
#include "server/http/event_stream.h"

#include <chrono>
#include <string>
#include <thread>

#include <gtest/gtest.h>

namespace fineprint::server {
namespace {

TEST(EventStream, SendsAllEventsInTheirOrder) {
  const HttpReply reply = event_stream({}, [](const SendEvent& send, const StopToken&) {
    for (int i = 0; i < 100; ++i) send("step", std::to_string(i));
    send("", "last");
  });
  EXPECT_EQ(reply.type, "text/event-stream");
  std::string expected;
  for (int i = 0; i < 100; ++i) expected += event_text("step", std::to_string(i));
  std::string sent;
  reply.stream([&](std::string_view piece) {
    sent += piece;
    return true;
  });
  EXPECT_EQ(sent, expected + "data: last\n\n");
}

TEST(EventStream, CanBeLines) {
  const HttpReply reply = event_stream({},
                                       [](const SendEvent& send, const StopToken&) {
                                         send("ignored", "1");
                                         send("", "2");
                                       },
                                       {.lines = true, .filler = "\n"});
  EXPECT_EQ(reply.type, "application/x-ndjson");
  std::string sent;
  reply.stream([&](std::string_view piece) {
    sent += piece;
    return true;
  });
  EXPECT_EQ(sent, "1\n2\n");
}

TEST(EventStream, StopsTheWorkWhenTheClientIsGone) {
  bool was_stopped = false;
  const HttpReply reply = event_stream({}, [&](const SendEvent& send, const StopToken& stop) {
    send("step", "1");
    while (!stop.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    was_stopped = true;
  });
  reply.stream([](std::string_view) { return false; });
  EXPECT_TRUE(was_stopped);
}

}  // namespace
}  // namespace fineprint::server
