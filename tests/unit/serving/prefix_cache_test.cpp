// The cache in memory: order of use, bytes, what is still held, many threads.
#include "fineprint/serving/prefix_cache.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace fineprint::serving {
namespace {

class Thing : public CachedContent {
 public:
  explicit Thing(std::size_t bytes, std::function<void()> at_end = {})
      : bytes_(bytes), at_end_(std::move(at_end)) {}
  ~Thing() override {
    if (at_end_) at_end_();
  }
  std::size_t bytes() const override { return bytes_; }

 private:
  std::size_t bytes_;
  std::function<void()> at_end_;
};

std::shared_ptr<const CachedContent> thing(std::size_t bytes) {
  return std::make_shared<Thing>(bytes);
}

TEST(ContentCache, TheLeastRecentlyUsedGoesFirst) {
  ContentCache cache(30);
  for (const char* key : {"a", "b", "c"}) cache.put(key, thing(10));
  EXPECT_NE(cache.find("a"), nullptr);
  cache.put("d", thing(10));
  EXPECT_EQ(cache.find("b"), nullptr);
  for (const char* key : {"a", "c", "d"}) EXPECT_NE(cache.find(key), nullptr) << key;
  cache.put("e", thing(15));  // two must go
  EXPECT_EQ(cache.find("a"), nullptr);
  EXPECT_EQ(cache.find("c"), nullptr);
  EXPECT_EQ(cache.bytes(), 25u);
  EXPECT_EQ(cache.count(), 2u);
}

TEST(ContentCache, ReplacesUnderTheSameKey) {
  ContentCache cache(30);
  cache.put("a", thing(10));
  cache.put("b", thing(10));
  const auto other = thing(20);
  cache.put("a", other);
  EXPECT_EQ(cache.find("a"), other);
  EXPECT_NE(cache.find("b"), nullptr);
  EXPECT_EQ(cache.bytes(), 30u);
  EXPECT_EQ(cache.count(), 2u);
}

TEST(ContentCache, TooLargeThingsChangeNothing) {
  ContentCache cache(30);
  cache.put("a", thing(30));
  cache.put("b", thing(31));
  EXPECT_NE(cache.find("a"), nullptr);
  EXPECT_EQ(cache.find("b"), nullptr);
  ContentCache none(0);
  none.put("a", thing(1));
  EXPECT_EQ(none.count(), 0u);
  EXPECT_FALSE(none.drop_oldest());
}

TEST(ContentCache, WhatIsHeldLivesOn) {
  int ended = 0;
  ContentCache cache(10);
  cache.put("a", std::make_shared<Thing>(10, [&] { ++ended; }));
  auto held = cache.find("a");
  EXPECT_TRUE(cache.drop_oldest());
  EXPECT_FALSE(cache.drop_oldest());
  EXPECT_EQ(cache.bytes(), 0u);
  EXPECT_EQ(ended, 0);
  held.reset();
  EXPECT_EQ(ended, 1);
}

TEST(ContentCache, ThingsMayCallBackWhenTheyEnd) {
  ContentCache cache(10);
  std::size_t left = 99;
  cache.put("a", std::make_shared<Thing>(10, [&] { left = cache.count(); }));
  cache.put("b", thing(10));
  EXPECT_EQ(left, 1u);
  cache.put("b", std::make_shared<Thing>(10, [&] { left = cache.count(); }));
  EXPECT_TRUE(cache.drop_oldest());
  EXPECT_EQ(left, 0u);
}

TEST(ContentCache, BelievesTheFirstWordAboutBytes) {
  class Growing : public CachedContent {
   public:
    std::size_t bytes() const override { return next_ += 10; }

   private:
    mutable std::size_t next_ = 0;
  };
  ContentCache cache(30);
  cache.put("a", std::make_shared<Growing>());
  cache.put("b", thing(5));
  EXPECT_TRUE(cache.drop_oldest());
  EXPECT_EQ(cache.bytes(), 5u);
}

// Against the plainest thing that keeps the same promise.
TEST(ContentCache, KeepsWhatASlowModelKeeps) {
  std::mt19937 draw(7);
  ContentCache cache(100);
  std::vector<std::pair<std::string, std::size_t>> model;  // the least recently used first
  const auto place = [&](const std::string& key) {
    return std::find_if(model.begin(), model.end(),
                        [&](const auto& one) { return one.first == key; });
  };
  const auto sum = [&] {
    std::size_t bytes = 0;
    for (const auto& one : model) bytes += one.second;
    return bytes;
  };
  for (int round = 0; round < 20'000; ++round) {
    const std::string key = std::to_string(draw() % 40);
    const auto known = place(key);
    if (draw() % 2 == 0) {
      ASSERT_EQ(cache.find(key) != nullptr, known != model.end());
      if (known != model.end()) std::rotate(known, known + 1, model.end());
    } else if (const std::size_t bytes = draw() % 110; bytes <= 100) {
      cache.put(key, thing(bytes));
      if (known != model.end()) model.erase(known);
      while (sum() + bytes > 100) model.erase(model.begin());
      model.emplace_back(key, bytes);
    }
    ASSERT_EQ(cache.bytes(), sum());
    ASSERT_EQ(cache.count(), model.size());
  }
}

TEST(ContentCache, ServesManyThreads) {
  std::atomic<int> alive{0};
  {
    ContentCache cache(500);
    std::vector<std::thread> threads;
    for (unsigned id = 0; id < 8; ++id) {
      threads.emplace_back([&cache, &alive, id] {
        std::mt19937 draw(id);
        for (int round = 0; round < 5'000; ++round) {
          const std::string key = std::to_string(draw() % 50);
          const auto found = cache.find(key);
          if (found != nullptr) {
            EXPECT_EQ(found->bytes(), 10 + std::stoul(key));
          } else {
            ++alive;
            cache.put(key, std::make_shared<Thing>(10 + std::stoul(key), [&alive] { --alive; }));
          }
          if (draw() % 100 == 0) cache.drop_oldest();
          EXPECT_LE(cache.bytes(), 500u);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(static_cast<std::size_t>(alive), cache.count());
  }
  EXPECT_EQ(alive, 0);
}

}  // namespace
}  // namespace fineprint::serving
