// A store's states through the interface that generators know.
#include "fineprint/session/prefix_shelf.h"

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

#include "support/temp_dir.h"

namespace fineprint::session {
namespace {

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::string found_in(const serving::PrefixShelf& shelf, const std::string& key) {
  const auto found = shelf.find(key);
  return found ? std::string(found->bytes.begin(), found->bytes.end()) : "absent";
}

void put(serving::PrefixShelf& shelf, const std::string& key, const std::string& text) {
  const std::span<const std::uint8_t> parts[] = {bytes_of(text)};
  shelf.put(key, parts);
}

TEST(PrefixShelf, WhatIsPutIsFoundAtOnceAndByOthersLater) {
  const testing::TempDir dir;
  const std::span<const std::uint8_t> parts[] = {bytes_of("one "), bytes_of(""), bytes_of("two")};
  auto shelf = open_prefix_shelf(dir.path(), {.model = "tiny"});
  shelf->put("ab12", parts);
  const auto early = shelf->find("ab12");
  shelf.reset();
  shelf = open_prefix_shelf(dir.path(), {});
  const auto found = shelf->find("ab12");
  EXPECT_EQ(found_in(*shelf, "ab13"), "absent");
  shelf.reset();
  ASSERT_TRUE(found && early);
  EXPECT_EQ(std::string(found->bytes.begin(), found->bytes.end()), "one two");
  EXPECT_EQ(std::string(early->bytes.begin(), early->bytes.end()), "one two");
  EXPECT_EQ(store::PrefixFolder(dir.path()).summary().by_model.at("tiny").states, 1);
}

TEST(PrefixShelf, TheEndWaitsForAllThatWasPut) {
  const testing::TempDir dir;
  {
    const auto shelf = open_prefix_shelf(dir.path(), {}, 3'000);  // room for two, or one too large
    for (int i = 10; i < 40; ++i) put(*shelf, std::to_string(i), std::string(1'200, 'x'));
    put(*shelf, "aa", std::string(9'000, 'y'));
  }
  const store::PrefixSummary summary = store::PrefixFolder(dir.path()).summary();
  EXPECT_EQ(summary.by_model.at("").states, 31);
}

TEST(PrefixShelf, AWrongKeyIsAMistakeOfWhoeverPutsIt) {
  const testing::TempDir dir;
  const auto shelf = open_prefix_shelf(dir.path(), {});
  EXPECT_THROW(put(*shelf, "no key", "x"), Error);
}

TEST(PrefixShelf, WhatCannotBeWrittenIsForgotten) {
  const testing::TempDir dir;
  dir.write("states", "a file where the folder should be");
  ::testing::internal::CaptureStderr();
  for (int run = 0; run < 2; ++run) {
    const auto shelf = open_prefix_shelf(dir.path(), {});
    for (int i = 10; i < 20; ++i) put(*shelf, std::to_string(i), "x");
  }
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::ranges::count(said, '\n'), 2) << said;  // once a shelf
}

TEST(PrefixShelf, ServesManyThreads) {
  const testing::TempDir dir;
  const auto shelf = open_prefix_shelf(dir.path(), {.limit_bytes = 200'000}, 30'000);
  std::vector<std::thread> threads;
  for (unsigned id = 0; id < 6; ++id) {
    threads.emplace_back([&shelf, id] {
      std::mt19937 draw(id);
      for (int round = 0; round < 60; ++round) {
        const std::string key = std::to_string(10 + draw() % 40);
        const std::string text(10'000, key.back());
        const std::string found = found_in(*shelf, key);
        if (found == "absent") {
          put(*shelf, key, text);
        } else {
          EXPECT_EQ(found, text);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace fineprint::session
