// Which requests are done together, and that each gets what it alone would get.
#include "fineprint/core/together.h"

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>

#include <gtest/gtest.h>

namespace fineprint {
namespace {

struct Doubled {
  int number = 0;
  int result = 0;
};

void double_all(std::span<Doubled* const> group) {
  for (Doubled* one : group) {
    if (one->number < 0) throw std::runtime_error("no " + std::to_string(one->number));
    one->result = 2 * one->number;
  }
}

// Holds back the first group until `count` other requests wait, so that they are the next group.
class HeldBack {
 public:
  explicit HeldBack(std::size_t count) : count_(count) {}

  void operator()(std::span<Doubled* const> group) {
    while (sizes.empty() && together->waiting() < count_) std::this_thread::yield();
    sizes.push_back(group.size());
    double_all(group);
  }

  Together<Doubled>* together = nullptr;
  std::vector<std::size_t> sizes;  // of the groups, also of those that failed

 private:
  const std::size_t count_;
};

TEST(Together, DoesALoneRequestAtOnce) {
  Together<Doubled> together(double_all);
  Doubled one{21};
  together.run(one);
  EXPECT_EQ(one.result, 42);
  EXPECT_EQ(together.waiting(), 0U);
  Doubled wrong{-1};
  EXPECT_THROW(together.run(wrong), std::runtime_error);
  together.run(one);  // a failure ends nothing
}

TEST(Together, DoesWhatWaitedInOneGroup) {
  HeldBack work(5);
  Together<Doubled> together([&](std::span<Doubled* const> group) { work(group); });
  work.together = &together;
  std::vector<Doubled> all;
  for (int i = 0; i < 6; ++i) all.push_back({i});
  std::vector<std::thread> threads;
  for (Doubled& one : all) threads.emplace_back([&] { together.run(one); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(work.sizes, (std::vector<std::size_t>{1, 5}));
  for (const Doubled& one : all) EXPECT_EQ(one.result, 2 * one.number);
}

TEST(Together, FailsOnlyForTheRequestThatIsToBlame) {
  HeldBack work(3);
  Together<Doubled> together([&](std::span<Doubled* const> group) { work(group); });
  work.together = &together;
  std::vector<Doubled> all = {{1}, {2}, {-7}, {4}};
  std::vector<std::string> problems(all.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < all.size(); ++i) {
    threads.emplace_back([&, i] {
      try {
        together.run(all[i]);
      } catch (const std::exception& error) {
        problems[i] = error.what();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(problems, (std::vector<std::string>{"", "", "no -7", ""}));
  EXPECT_EQ(all[0].result + all[1].result + all[3].result, 14);
}

TEST(Together, DoesEachRequestOnceAndOneGroupAtATime) {
  std::atomic<int> working = 0, most = 0, done = 0;
  Together<Doubled> together([&](std::span<Doubled* const> group) {
    const int now = ++working;
    if (now > most) most = now;
    double_all(group);
    done += static_cast<int>(group.size());
    --working;
  });
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i) {
        Doubled one{t * 1000 + i};
        together.run(one);
        EXPECT_EQ(one.result, 2 * one.number);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(most, 1);
  EXPECT_EQ(done, 8 * 200);
}

}  // namespace
}  // namespace fineprint
