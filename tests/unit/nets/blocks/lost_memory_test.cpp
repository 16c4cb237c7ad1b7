// What becomes of calls when LibTorch gets no memory, at one place after the other.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <c10/core/CPUAllocator.h>
#include <c10/util/Exception.h>
#include <gtest/gtest.h>

#include "fineprint/core/error.h"

#include "map_shelf.h"
#include "nets/generation/generator.h"

// Stands before the heap; once armed, it refuses one allocation of all threads but the one that
// armed it: those are the engine's.
class HeapRefusal {
 public:
  static void arm(long place) {
    spared_ = true;
    place_ = place;
    asked_ = 0;
    armed_ = true;
  }
  static long disarm() {
    armed_ = false;
    return asked_;
  }
  static bool refuses() {
    if (!armed_ || spared_) return false;
    return asked_++ == place_;
  }

 private:
  static inline std::atomic<bool> armed_ = false;
  static inline std::atomic<long> asked_ = 0, place_ = -1;
  static inline thread_local bool spared_ = false;  // the test's own
};

void* operator new(std::size_t size) {
  if (HeapRefusal::refuses()) throw std::bad_alloc();
  if (void* at = std::malloc(size == 0 ? 1 : size)) return at;
  throw std::bad_alloc();
}
void operator delete(void* at) noexcept { std::free(at); }
void operator delete(void* at, std::size_t) noexcept { std::free(at); }

namespace fineprint::nets {
namespace {

enum class Way { standard, of_libtorch };

// Stands before LibTorch's allocator of main memory while it lives; fails when told to.
class FailingAllocator final : public c10::Allocator {
 public:
  FailingAllocator() : usual_(c10::GetCPUAllocator()) { c10::SetCPUAllocator(this, kAbove); }
  ~FailingAllocator() override { c10::SetCPUAllocator(usual_, kAbove); }
  FailingAllocator(const FailingAllocator&) = delete;
  FailingAllocator& operator=(const FailingAllocator&) = delete;

  // From now on: `times` allocations fail behind the first `after`.
  void refuse(int after, int times, Way way) {
    way_ = way;
    first_ = after;
    end_ = after + times;
    asked_ = 0;
  }
  int asked() const { return asked_; }

  c10::DataPtr allocate(std::size_t bytes) override {
    const int number = asked_++;
    if (number >= first_ && number < end_) {
      if (way_ == Way::standard) throw std::bad_alloc();
      TORCH_CHECK(false, "DefaultCPUAllocator: can't allocate memory: you tried to allocate ",
                  bytes, " bytes.");
    }
    return usual_->allocate(bytes);
  }
  c10::DeleterFnPtr raw_deleter() const override { return usual_->raw_deleter(); }
  void copy_data(void* to, const void* from, std::size_t bytes) const override {
    usual_->copy_data(to, from, bytes);
  }

 private:
  static constexpr std::uint8_t kAbove = 100;
  c10::Allocator* usual_;
  std::atomic<int> asked_ = 0, first_ = 0, end_ = 0;
  std::atomic<Way> way_ = Way::standard;
};

models::Request ask(int page, const std::string& question) {
  std::vector<std::uint8_t> pixels;
  for (int i = 0; i < 168 * 140 * 3; ++i) {
    pixels.push_back(static_cast<std::uint8_t>((i * (page + 2) + i / 504 * 3) % 251));
  }
  models::Request made;
  made.images = {Image{168, 140, 3, std::move(pixels)}};
  made.messages = {{models::Role::system, "Answer from the page.", {}},
                   {models::Role::user, question, {0}}};
  return made;
}

models::SamplingOptions five_tokens() {
  models::SamplingOptions options;
  options.max_new_tokens = 5;
  options.temperature = 0;
  options.repetition_penalty = 1;
  return options;
}

// As a call alone; where two tokens are about as likely, either may come.
void expect_as_alone(const models::Reply& reply, const models::Reply& alone,
                     const std::string& what) {
  for (std::size_t t = 0; t < std::min(reply.tokens.size(), alone.tokens.size()); ++t) {
    const models::TokenScore &ours = reply.tokens[t], &theirs = alone.tokens[t];
    ASSERT_NEAR(ours.log_probability, theirs.log_probability, 1e-3) << what << ", token " << t;
    if (ours.id != theirs.id) return;
  }
  EXPECT_EQ(reply.tokens.size(), alone.tokens.size()) << what;
  EXPECT_EQ(reply.text, alone.text) << what;
}

class LostMemory : public ::testing::TestWithParam<const char*> {
 protected:
  LostMemory()
      : spec_(models::read_model(std::string(FINEPRINT_TEST_DATA) + "/" + GetParam() + "/model")) {
    device_.threads = 2;
  }
  std::unique_ptr<NativeGenerator> generator() const {
    return std::make_unique<NativeGenerator>(
        spec_, device_, serving::PrefixCacheOptions{.shelf = std::make_shared<MapShelf>()});
  }
  models::Reply cold(const models::Request& asked) const {
    return NativeGenerator(spec_, device_, {.cache_bytes = 0}).generate(asked, five_tokens());
  }

  // Calls `body` while memory fails at one place after the other, about `places` of them, with a
  // generator of its own each time; `check` is then called with it, when memory is back. Returns at
  // how many of the places nothing failed, because the call did not ask for memory that often: none
  // where calls come one by one.
  template <class Body, class Check>
  int at_places(int places, int times, const Body& body, const Check& check) const {
    int asked = 0;
    {
      const auto fresh = generator();
      FailingAllocator allocator;
      body(*fresh, "nowhere");
      asked = allocator.asked();
    }
    EXPECT_GT(asked, 50);
    int missed = 0;
    Way way = Way::of_libtorch;
    for (int place = 0; place < asked; place += 1 + asked / places) {
      way = way == Way::standard ? Way::of_libtorch : Way::standard;
      const std::string where = "allocation " + std::to_string(place) + " of " +
                                std::to_string(asked) +
                                (way == Way::standard ? ", bad_alloc" : ", c10::Error");
      const auto fresh = generator();
      {
        FailingAllocator allocator;
        allocator.refuse(place, times, way);
        body(*fresh, where);
        if (allocator.asked() <= place) ++missed;
      }
      check(*fresh, where);
      if (HasFailure()) break;
    }
    return missed;
  }

  // The reply, or nothing when there was an error that says what it is about.
  static std::optional<models::Reply> try_to(const NativeGenerator& reader,
                                             const models::Request& asked,
                                             const std::string& where) {
    try {
      return reader.generate(asked, five_tokens());
    } catch (const Error& error) {
      // A library that does not say why it fails gives the other.
      EXPECT_TRUE(error.code() == ErrorCode::out_of_memory || error.code() == ErrorCode::model)
          << where;
      EXPECT_NE(std::string_view(error.what()).find("memory"), std::string_view::npos)
          << where << ": " << error.what();
    } catch (const std::exception& other) {
      ADD_FAILURE() << where << ": " << other.what();
    }
    return std::nullopt;
  }

  models::ModelSpec spec_;
  Device device_;
};

constexpr int kForGood = 1 << 30;
constexpr int kMany = 40, kSome = 10;

TEST_P(LostMemory, OnceAtAnyPlace) {
  const models::Request first = ask(0, "Who signs?"), second = ask(0, "What is the total?");
  const models::Reply alone = cold(first), next = cold(second);
  const int missed = at_places(
      kMany, 1,
      [&](const NativeGenerator& reader, const std::string& where) {
        if (const auto reply = try_to(reader, first, where)) expect_as_alone(*reply, alone, where);
      },
      [&](const NativeGenerator& reader, const std::string& where) {
        expect_as_alone(reader.generate(second, five_tokens()), next, where + ", next question");
        expect_as_alone(reader.generate(first, five_tokens()), alone, where + ", asked again");
      });
  EXPECT_EQ(missed, 0);
}

// A call alone cannot wait for anybody.
TEST_P(LostMemory, ForGoodFromAnyPlaceOn) {
  const models::Request first = ask(0, "Who signs?"), second = ask(0, "What is the total?");
  const models::Reply alone = cold(first), next = cold(second);
  const int missed = at_places(
      kSome, kForGood,
      [&](const NativeGenerator& reader, const std::string& where) {
        const auto reply = try_to(reader, first, where);
        EXPECT_EQ(reply.has_value(), where == "nowhere") << where;
      },
      [&](const NativeGenerator& reader, const std::string& where) {
        expect_as_alone(reader.generate(second, five_tokens()), next, where + ", next question");
        expect_as_alone(reader.generate(first, five_tokens()), alone, where + ", asked again");
      });
  EXPECT_EQ(missed, 0);
}

TEST_P(LostMemory, AmongCallsAtOnce) {
  std::vector<models::Request> asked;
  std::vector<models::Reply> alone;
  for (int i = 0; i < 3; ++i) {
    asked.push_back(ask(i % 2, i == 0 ? "Who signs?" : "What is the total?"));
    alone.push_back(cold(asked.back()));
  }
  // How often memory is asked for depends on which calls are read together.
  const int missed = at_places(
      kSome, 2,
      [&](const NativeGenerator& reader, const std::string& where) {
        std::vector<std::optional<models::Reply>> replies(asked.size());
        {
          std::vector<std::jthread> threads;
          for (std::size_t i = 0; i < asked.size(); ++i) {
            threads.emplace_back([&, i] { replies[i] = try_to(reader, asked[i], where); });
          }
        }
        for (std::size_t i = 0; i < asked.size(); ++i) {
          if (replies[i]) expect_as_alone(*replies[i], alone[i], where);
        }
      },
      [&](const NativeGenerator& reader, const std::string& where) {
        for (std::size_t i = 0; i < asked.size(); ++i) {
          expect_as_alone(reader.generate(asked[i], five_tokens()), alone[i],
                          where + ", asked again");
        }
      });
  EXPECT_LE(missed, kSome - 2);
}

TEST_P(LostMemory, BetweenVerdicts) {
  const models::Request asked = ask(0, "Does the page bear on it?");
  const std::vector<std::string> verdicts = {"1", "2", "not at all"};
  const models::Choice alone =
      NativeGenerator(spec_, device_, {.cache_bytes = 0}).choose(asked, verdicts);
  const auto expect_alike = [&](const models::Choice& choice, const std::string& where) {
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
      EXPECT_NEAR(choice.log_probabilities[i], alone.log_probabilities[i], 1e-3) << where;
    }
  };
  const int missed = at_places(
      kSome, 1,
      [&](const NativeGenerator& reader, const std::string& where) {
        try {
          expect_alike(reader.choose(asked, verdicts), where);
        } catch (const Error& error) {
          EXPECT_NE(std::string_view(error.what()).find("memory"), std::string_view::npos)
              << where << ": " << error.what();
        } catch (const std::exception& other) {
          ADD_FAILURE() << where << ": " << other.what();
        }
      },
      [&](const NativeGenerator& reader, const std::string& where) {
        expect_alike(reader.choose(asked, verdicts), where + ", asked again");
      });
  EXPECT_EQ(missed, 0);
}

// Of the heap, on the engine's thread.
TEST_P(LostMemory, OnTheHeap) {
  const models::Request first = ask(0, "Who signs?"), second = ask(0, "What is the total?");
  const models::Reply alone = cold(first), next = cold(second);
  HeapRefusal::arm(-1);
  try_to(*generator(), first, "nowhere");
  const long asked = HeapRefusal::disarm();
  ASSERT_GT(asked, 1000);
  for (long place = 0; place < asked; place += 1 + asked / kMany) {
    const std::string where = "new number " + std::to_string(place);
    const auto reader = generator();
    HeapRefusal::arm(place);
    const auto reply = try_to(*reader, first, where);
    HeapRefusal::disarm();
    if (reply) expect_as_alone(*reply, alone, where);
    expect_as_alone(reader->generate(second, five_tokens()), next, where + ", next question");
    expect_as_alone(reader->generate(first, five_tokens()), alone, where + ", asked again");
    if (HasFailure()) return;
  }
}

// Texts alone; windows and matrices that a lost step must not have touched.
class LostMemoryOfLayers : public LostMemory {};

models::Request ask_without_page() {
  models::Request made;
  made.messages = {{models::Role::system,
                    "You are a careful auditor. Read each page from its head to its last footnote, "
                    "and say only what stands there.",
                    {}},
                   {models::Role::user, "Who signs, and where is the total?", {}}};
  return made;
}

TEST_P(LostMemoryOfLayers, OnceAtAnyPlace) {
  const models::Request asked = ask_without_page();
  const models::Reply alone = cold(asked);
  const int missed = at_places(
      kMany, 1,
      [&](const NativeGenerator& reader, const std::string& where) {
        if (const auto reply = try_to(reader, asked, where)) expect_as_alone(*reply, alone, where);
      },
      [&](const NativeGenerator& reader, const std::string& where) {
        expect_as_alone(reader.generate(asked, five_tokens()), alone, where + ", asked again");
      });
  EXPECT_EQ(missed, 0);
}

INSTANTIATE_TEST_SUITE_P(Fixtures, LostMemoryOfLayers, ::testing::Values("gemma3_a", "qwen35_a"));

INSTANTIATE_TEST_SUITE_P(Fixtures, LostMemory,
                         ::testing::Values("qwen25vl_a", "phi3v_a", "paligemma_gen",
                                           "gemma3_seeing"));

}  // namespace
}  // namespace fineprint::nets
