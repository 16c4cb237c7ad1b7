// Tests that what is kept, shared or batched changes no reply: each is compared with the same call
// made alone by a generator that keeps nothing.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

#include "map_shelf.h"
#include "nets/generation/generator.h"

namespace fineprint::nets {
namespace {

struct Setting {
  const char* model;
  int threads;
};

void PrintTo(const Setting& setting, std::ostream* out) {
  *out << setting.model << " on " << setting.threads << " threads";
}

models::ModelSpec spec_of(const char* model) {
  return models::read_model(std::string(FINEPRINT_TEST_DATA) + "/" + model + "/model");
}

Image page(int seed, int width = 168, int height = 140) {
  std::vector<std::uint8_t> pixels;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (int channel = 0; channel < 3; ++channel) {
        pixels.push_back(
            static_cast<std::uint8_t>((x * (seed + 2) + y * (channel + 1) * 3 + seed * 40) % 251));
      }
    }
  }
  return {width, height, 3, std::move(pixels)};
}

models::Request request(const std::vector<int>& pages, const std::string& question) {
  models::Request made;
  models::Message message{models::Role::user, question, {}};
  for (const int seed : pages) {
    message.images.push_back(made.images.size());
    made.images.push_back(page(seed));
  }
  made.messages = {{models::Role::system, "Answer from the pages.", {}}, message};
  return made;
}

models::Request labelled(const std::vector<int>& pages, const std::string& question) {
  models::Request made = request(pages, question);
  for (std::size_t i = 0; i < pages.size(); ++i) {
    made.messages.back().image_labels.push_back("Page " + std::to_string(i) + ": ");
  }
  return made;
}

// Long enough to be worth keeping in any of the tokenizers.
models::Request with_system(models::Request made, const std::string& name = "auditor") {
  made.messages.front().text = "You are a careful " + name +
                               ". Read each page from its head to its last footnote, say only "
                               "what stands there, and name the page that says it.";
  return made;
}

// What is told before each question, of any tokenizer's kLeastKept tokens and more.
models::Request with_task(models::Request made) {
  const std::string task =
      "Task: copy from the pages what bears on the question, word by word, with its page, and say "
      "whether it is enough to answer.\n\n";
  made.messages.back().text = task + "Question: " + made.messages.back().text;
  made.messages.back().repeated = {task.size()};
  return made;
}

models::SamplingOptions greedy(int tokens = 10) {
  models::SamplingOptions options;
  options.max_new_tokens = tokens;
  options.temperature = 0;
  options.repetition_penalty = 1;
  return options;
}

// Equal tokens with log-probabilities within 1e-4; where two tokens are about as likely, either
// may come, and what follows is not compared.
void expect_same(const models::Reply& reply, const models::Reply& alone, const std::string& what) {
  const std::size_t count = std::min(reply.tokens.size(), alone.tokens.size());
  for (std::size_t t = 0; t < count; ++t) {
    const models::TokenScore &ours = reply.tokens[t], &theirs = alone.tokens[t];
    if (ours.id != theirs.id) {
      EXPECT_NEAR(ours.log_probability, theirs.log_probability, 1e-3) << what << ", token " << t;
      return;
    }
    EXPECT_NEAR(ours.log_probability, theirs.log_probability, 1e-4) << what << ", token " << t;
  }
  EXPECT_EQ(reply.tokens.size(), alone.tokens.size()) << what;
  EXPECT_EQ(reply.text, alone.text) << what;
}

const std::vector<std::string> kQuestions = {"Who signs?", "What is the total of the table?",
                                             "Is there a footnote, and what does it say?"};

class PrefixCacheTest : public ::testing::TestWithParam<Setting> {
 protected:
  PrefixCacheTest() : spec_(spec_of(GetParam().model)) { device_.threads = GetParam().threads; }

  std::unique_ptr<NativeGenerator> generator(serving::PrefixCacheOptions keep = {}) const {
    return std::make_unique<NativeGenerator>(spec_, device_, keep);
  }
  const NativeGenerator& alone() {
    if (!alone_) alone_ = generator({.cache_bytes = 0});
    return *alone_;
  }
  models::Reply cold(const models::Request& asked) { return alone().generate(asked, greedy()); }
  bool keeps() const { return !std::get<models::Decoder>(spec_.trunk).prompt_bidirectional; }
  // Long prompts may have other positions than short ones from their beginning on: then a prompt
  // with pages and one without share nothing.
  bool turns_long_prompts() const {
    return !std::get<models::Decoder>(spec_.trunk).rope.long_factors.empty();
  }
  // A family may show one image a prompt only.
  std::vector<int> pages(int first) const {
    return keeps() ? std::vector<int>{first, first + 1} : std::vector<int>{first};
  }

  models::ModelSpec spec_;
  Device device_;
  std::unique_ptr<NativeGenerator> alone_;
};

TEST_P(PrefixCacheTest, AFurtherQuestionStartsBehindThePages) {
  const auto kept = generator();
  for (std::size_t q = 0; q < kQuestions.size(); ++q) {
    const models::Request asked = request(pages(0), kQuestions[q]);
    const models::Reply reply = kept->generate(asked, greedy());
    expect_same(reply, cold(asked), kQuestions[q]);
    const bool warm = q > 0 && keeps();
    EXPECT_GE(reply.cached_tokens, warm ? reply.image_tokens : 0);
    EXPECT_EQ(reply.cached_tokens > 0, warm);
  }
  if (!keeps()) return;
  // The first page alone is the beginning of both.
  const models::Request first = request({0}, kQuestions[1]);
  const models::Reply reply = kept->generate(first, greedy());
  expect_same(reply, cold(first), "the first page");
  EXPECT_GE(reply.cached_tokens, reply.image_tokens);
  // The second one is not: what stands before it counts.
  const models::Reply second = kept->generate(request({1}, kQuestions[1]), greedy());
  EXPECT_LT(second.cached_tokens, reply.cached_tokens - reply.image_tokens + 1);
}

TEST_P(PrefixCacheTest, ASystemMessageIsReadOnce) {
  const auto kept = generator();
  EXPECT_EQ(kept->generate(with_system(request({0}, kQuestions[0])), greedy(1)).cached_tokens, 0);
  const auto expect_warm = [&](const models::Request& asked, const char* what) {
    const models::Reply reply = kept->generate(asked, greedy());
    expect_same(reply, cold(asked), what);
    EXPECT_EQ(reply.cached_tokens > 0, keeps()) << what;
    return reply.cached_tokens;
  };
  const std::int64_t system =
      expect_warm(with_system(request({1}, kQuestions[1])), "another first page");
  if (!turns_long_prompts()) {
    EXPECT_EQ(expect_warm(with_system(request({}, kQuestions[1])), "no page at all"), system);
  }
  if (keeps()) {
    EXPECT_GE(system, kLeastKept);
    EXPECT_LT(system, 128);
  }
  // The page that was read behind it is found as before.
  const models::Reply page = kept->generate(with_system(request({1}, kQuestions[2])), greedy(1));
  EXPECT_GE(page.cached_tokens, keeps() ? system + page.image_tokens : 0);
  const models::Request other = with_system(request({2}, kQuestions[1]), "lawyer");
  EXPECT_EQ(kept->generate(other, greedy(1)).cached_tokens, 0);
}

TEST_P(PrefixCacheTest, ASystemMessageBeforeTextAloneIsReadOnce) {
  const auto kept = generator();
  const models::Reply first = kept->generate(with_system(request({}, kQuestions[0])), greedy());
  EXPECT_EQ(first.cached_tokens, 0);
  for (const std::vector<int>& shown : {std::vector<int>{}, {3}}) {
    if (!shown.empty() && turns_long_prompts()) continue;
    const models::Request asked = with_system(request(shown, kQuestions[1]));
    const models::Reply reply = kept->generate(asked, greedy());
    expect_same(reply, cold(asked), std::to_string(shown.size()) + " pages after a text");
    EXPECT_EQ(reply.cached_tokens > 0, keeps());
  }
  models::Request none = request({}, kQuestions[1]);
  none.messages.erase(none.messages.begin());
  expect_same(kept->generate(none, greedy()), cold(none), "no system message");
}

// A page on the shelf goes on from nothing, also where the system message is in memory.
TEST_P(PrefixCacheTest, ASystemMessageBeforePagesStaysInMemory) {
  if (!keeps()) GTEST_SKIP() << "this family keeps no states";
  const auto shelf = std::make_shared<MapShelf>();
  const auto first = generator({.shelf = shelf});
  first->generate(with_system(request({}, kQuestions[0])), greedy(1));
  EXPECT_EQ(shelf->items.size(), 1U);  // of the prompt without pages
  first->generate(with_system(request(pages(0), kQuestions[0])), greedy(1));
  EXPECT_EQ(shelf->items.size(), 5U);  // and states and features of two pages
  const auto later = generator({.shelf = shelf});
  later->generate(with_system(request({}, kQuestions[0])), greedy(1));
  const models::Request asked = with_system(request(pages(0), kQuestions[1]));
  const models::Reply reply = later->generate(asked, greedy());
  expect_same(reply, cold(asked), "from the shelf");
  EXPECT_GT(reply.cached_tokens, reply.image_tokens);
}

TEST_P(PrefixCacheTest, LabelledPagesAreFoundAgain) {
  const auto kept = generator();
  models::Request asked = labelled(pages(0), kQuestions[0]);
  const models::Reply first = kept->generate(asked, greedy());
  expect_same(first, cold(asked), "labelled pages");
  asked = labelled(pages(0), kQuestions[1]);
  const models::Reply second = kept->generate(asked, greedy());
  expect_same(second, cold(asked), "another question");
  if (!keeps()) return;
  EXPECT_GE(second.cached_tokens, second.image_tokens);
  // A page that follows the first one starts behind it, whatever its own label.
  asked = labelled({0, 5}, kQuestions[1]);
  asked.messages.back().image_labels[1] = "The appendix: ";
  const models::Reply other = kept->generate(asked, greedy());
  expect_same(other, cold(asked), "another second page");
  EXPECT_GE(other.cached_tokens, other.image_tokens / 2);
  EXPECT_LT(other.cached_tokens, second.cached_tokens - other.image_tokens / 2);
  // Another label makes other pages.
  asked = labelled(pages(0), kQuestions[1]);
  asked.messages.back().image_labels[0] = "Page 7: ";
  const models::Reply renamed = kept->generate(asked, greedy());
  expect_same(renamed, cold(asked), "another label");
  EXPECT_LT(renamed.cached_tokens, other.cached_tokens - other.image_tokens / 2);
}

TEST_P(PrefixCacheTest, ATaskIsReadOnceBehindItsPages) {
  const auto shelf = std::make_shared<MapShelf>();
  const auto kept = generator(), shelved = generator({.shelf = shelf});
  for (const NativeGenerator* reader : {kept.get(), shelved.get()}) {
    std::int64_t cached = 0;
    for (const std::string& question : kQuestions) {
      const models::Request asked = with_task(labelled(pages(0), question));
      const models::Reply reply = reader->generate(asked, greedy());
      expect_same(reply, cold(asked), question);
      if (keeps() && cached > 0) {
        EXPECT_LT(reply.prompt_tokens - reply.cached_tokens, 64) << question;
      }
      cached = reply.cached_tokens;
    }
    const models::Request other = with_task(labelled(pages(1), kQuestions[0]));
    expect_same(reader->generate(other, greedy()), cold(other), "the task behind other pages");
    const models::Request wordless = labelled(pages(0), kQuestions[0]);
    const models::Reply pages_alone = reader->generate(wordless, greedy());
    expect_same(pages_alone, cold(wordless), "the pages without the task");
    if (keeps()) {
      EXPECT_LT(pages_alone.cached_tokens, cached - kLeastKept);
    }
  }
  // The shelf has pages alone: of three the features, of two pairs the states, if they are kept.
  EXPECT_EQ(shelf->items.size(), keeps() ? 4U + 3U : 2U);
}

TEST_P(PrefixCacheTest, ATaskWithoutPagesIsReadOnceToo) {
  const auto kept = generator();
  models::Reply reply;
  for (const std::string& question : kQuestions) {
    const models::Request asked = with_task(with_system(request({}, question)));
    reply = kept->generate(asked, greedy());
    expect_same(reply, cold(asked), question);
  }
  if (keeps()) {
    EXPECT_LT(reply.prompt_tokens - reply.cached_tokens, 64);
  }
}

// A prompt without a gap: nothing is left to read behind what repeats.
TEST_P(PrefixCacheTest, ATaskMayBeTheWholePrompt) {
  const auto kept = generator();
  models::Request asked = with_task(labelled(pages(0), kQuestions[0]));
  asked.messages.back().repeated = {asked.messages.back().text.size()};
  const models::Reply alone = cold(asked);
  for (const char* time : {"first", "second", "third"}) {
    expect_same(kept->generate(asked, greedy()), alone, time);
  }
}

TEST_P(PrefixCacheTest, VerdictsGoOnFromAPage) {
  const auto kept = generator();
  const std::vector<std::string> verdicts = {"1", "2", "3", "4", "5", "not at all"};
  kept->generate(request(pages(0), kQuestions[0]), greedy());
  const models::Choice warm = kept->choose(request(pages(0), kQuestions[1]), verdicts);
  const models::Choice fresh = alone().choose(request(pages(0), kQuestions[1]), verdicts);
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    EXPECT_NEAR(warm.log_probabilities[i], fresh.log_probabilities[i], 1e-4) << verdicts[i];
  }
  EXPECT_EQ(warm.cached_tokens > 0, keeps());
}

TEST_P(PrefixCacheTest, EvictionChangesNothing) {
  const std::int64_t per_token = [&] {
    const auto& decoder = std::get<models::Decoder>(spec_.trunk);
    return KvShape{decoder.layers, decoder.kv_heads, decoder.head_dim, 0, device_.options()}
        .bytes_per_token();
  }();
  const auto kept = generator({.cache_bytes = static_cast<std::size_t>(per_token * 150)});
  for (int round = 0; round < 2; ++round) {
    for (int first = 0; first < 4; ++first) {
      const models::Request asked = request(pages(first), kQuestions[1]);
      expect_same(kept->generate(asked, greedy()), cold(asked),
                  "pages from " + std::to_string(first));
    }
  }
}

TEST_P(PrefixCacheTest, StatesOutliveTheGenerator) {
  const auto shelf = std::make_shared<MapShelf>();
  generator({.shelf = shelf})->generate(request(pages(0), kQuestions[0]), greedy());
  EXPECT_EQ(shelf->items.size(), keeps() ? 4U : 1U);  // states and features of the pages
  const auto later = generator({.shelf = shelf});
  const models::Request asked = request(pages(0), kQuestions[1]);
  const models::Reply reply = later->generate(asked, greedy());
  expect_same(reply, cold(asked), "from the shelf");
  EXPECT_GE(reply.cached_tokens, keeps() ? reply.image_tokens : 0);
}

TEST_P(PrefixCacheTest, ApproximateStatesAreKeptApart) {
  if (!keeps()) GTEST_SKIP() << "this family keeps no states";
  const auto shelf = std::make_shared<MapShelf>();
  for (const char* dtype : {"float16", "bfloat16", "int8"}) {
    const serving::PrefixCacheOptions keep{.shelf = shelf, .shelf_dtype = dtype};
    const std::size_t before = shelf->items.size();
    generator(keep)->generate(request(pages(0), kQuestions[0]), greedy());
    EXPECT_EQ(shelf->items.size(), before + 4) << dtype;
    const models::Reply reply =
        generator(keep)->generate(request(pages(0), kQuestions[1]), greedy(1));
    EXPECT_GE(reply.cached_tokens, reply.image_tokens) << dtype;
    const models::Reply exact = alone().generate(request(pages(0), kQuestions[1]), greedy(1));
    EXPECT_NEAR(reply.tokens.at(0).entropy, exact.tokens.at(0).entropy, 0.1) << dtype;
  }
  EXPECT_EQ(generator({.shelf = shelf})
                ->generate(request(pages(0), kQuestions[1]), greedy(1))
                .cached_tokens,
            0);
}

TEST_P(PrefixCacheTest, DamagedAndForeignStatesAreNotUsed) {
  if (!keeps()) GTEST_SKIP() << "this family keeps no states";
  const auto shelf = std::make_shared<MapShelf>();
  generator({.shelf = shelf})->generate(request(pages(0), kQuestions[0]), greedy());
  const auto good = shelf->items;
  const models::Request asked = request(pages(0), kQuestions[1]);
  const auto expect_unused = [&](const char* what) {
    const models::Reply reply = generator({.shelf = shelf})->generate(asked, greedy());
    expect_same(reply, cold(asked), what);
    EXPECT_EQ(reply.cached_tokens, 0) << what;
    shelf->items = good;
  };
  for (auto& [key, bytes] : shelf->items) bytes.resize(bytes.size() / 2);
  expect_unused("cut off");
  for (auto& [key, bytes] : shelf->items) bytes[8] ^= 1;  // how many parts it has
  expect_unused("of another shape");
  const auto [smallest, largest] = std::ranges::minmax_element(
      shelf->items, {}, [](const auto& item) { return item.second.size(); });
  std::swap(smallest->second, largest->second);
  expect_unused("of something else");
  // Another picture of the page, or the same page at another size, is another page.
  models::Request larger = asked;
  larger.images[0] = page(0, 196, 168);
  EXPECT_EQ(generator({.shelf = shelf})->generate(larger, greedy(1)).cached_tokens, 0);
  // So it is for the same model with its matrices in another format.
  Device narrower = device_;
  narrower.matrices = MatrixFormat::bfloat16;
  const NativeGenerator half(spec_, narrower, {.shelf = shelf});
  EXPECT_EQ(half.generate(asked, greedy(1)).cached_tokens, 0);
}

TEST_P(PrefixCacheTest, StatesOfAnotherBuildAreNotUsed) {
  const auto shelf = std::make_shared<MapShelf>();
  const models::Request asked = request(pages(0), kQuestions[0]);
  generator({.shelf = shelf})->generate(asked, greedy(1));
  const Multimodal model(spec_, device_);
  for (const bool same : {true, false}) {
    PrefixCache states(model, {.shelf = shelf},
                       same ? PrefixCache::this_build() : std::string_view("LibTorch 1.0.0"));
    const auto prompt = prompt_tokens(model, states, asked);
    EXPECT_EQ(states.find(prompt->fork_points).fork_points, same ? prompt->fork_points.size() : 0)
        << same;
    EXPECT_EQ(states.features(prompt->image_hashes[0]).defined(), same);
  }
}

TEST_P(PrefixCacheTest, CallsAtOnceReplyAsIfAlone) {
  const auto kept = generator();
  constexpr std::size_t kCalls = 8;
  std::vector<models::Request> asked;
  for (std::size_t i = 0; i < kCalls; ++i) {
    asked.push_back(request(pages(static_cast<int>(i % 3)), kQuestions[i % kQuestions.size()]));
  }
  std::vector<models::Reply> replies(kCalls);
  const StopSource source;
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < kCalls; ++i) {
      threads.emplace_back([&, i] { replies[i] = kept->generate(asked[i], greedy()); });
    }
    // One more, which is called off at its second token.
    threads.emplace_back([&] {
      models::SamplingOptions options = greedy(500);
      options.stop_token = source.token();
      options.on_text = [&](std::string_view) { source.request_stop(); };
      kept->generate(request(pages(1), kQuestions[0]), options);
    });
  }
  for (std::size_t i = 0; i < kCalls; ++i) {
    expect_same(replies[i], cold(asked[i]), "call " + std::to_string(i));
  }
}

// Room for one prompt only: the calls take turns, and what is kept makes way.
TEST_P(PrefixCacheTest, CallsWaitForMemory) {
  const models::Request asked = request(pages(0), kQuestions[1]);
  const std::int64_t length = cold(asked).prompt_tokens;
  models::ModelSpec tight = spec_;
  std::get<models::Decoder>(tight.trunk).max_positions = static_cast<int>(length) + 40;
  const NativeGenerator small(tight, device_, {.cache_bytes = 0});
  std::vector<models::Reply> replies(4);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < replies.size(); ++i) {
      threads.emplace_back([&, i] {
        replies[i] = small.generate(request(pages(static_cast<int>(i)), kQuestions[1]), greedy());
      });
    }
  }
  for (std::size_t i = 0; i < replies.size(); ++i) {
    expect_same(replies[i], cold(request(pages(static_cast<int>(i)), kQuestions[1])),
                "call " + std::to_string(i));
  }
}

// Room for the prompt's own blocks only: verdicts beside each other make way, and are read again
// from the prompt's beginning.
TEST_P(PrefixCacheTest, VerdictsWaitForMemory) {
  const std::vector<std::string> verdicts = {"yes", "not at all", "in part"};
  models::Request asked = request(pages(0), kQuestions[1]);
  const Multimodal model(spec_, device_);
  PrefixCache states(model, {.cache_bytes = 0}, PrefixCache::this_build());
  const auto length = [&] { return std::ssize(prompt_tokens(model, states, asked)->tokens.ids); };
  constexpr std::int64_t kBlock = KvMemory::kBlockTokens;
  while (length() % kBlock == 0 || length() % kBlock > kBlock / 2) {
    asked.messages.back().text += " Why?";
  }
  models::ModelSpec tight = spec_;
  std::get<models::Decoder>(tight.trunk).max_positions = static_cast<int>(length());
  const models::Choice close =
      NativeGenerator(tight, device_, {.cache_bytes = 0}).choose(asked, verdicts);
  const models::Choice roomy = alone().choose(asked, verdicts);
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    EXPECT_NEAR(close.log_probabilities[i], roomy.log_probabilities[i], 1e-4) << verdicts[i];
  }
}

// Models that see no images keep states of texts, whatever their layers remember.
class RepeatedTextsTest : public PrefixCacheTest {};

TEST_P(RepeatedTextsTest, ASystemMessageAndATaskAreReadOnce) {
  const auto kept = generator();
  std::int64_t system = 0, task = 0;
  for (const std::string& question : kQuestions) {
    const models::Request asked = with_task(with_system(request({}, question)));
    const models::Reply reply = kept->generate(asked, greedy());
    expect_same(reply, cold(asked), question);
    EXPECT_TRUE(task == 0 || reply.cached_tokens == task);
    task = reply.cached_tokens;
    const models::Request other = with_system(request({}, question));
    const models::Reply without = kept->generate(other, greedy());
    expect_same(without, cold(other), question + " without the task");
    system = without.cached_tokens;
    EXPECT_GE(system, kLeastKept);
  }
  EXPECT_GT(task, system + kLeastKept);
}

// Passages of text before the question, each with a fork point at its end.
models::Request with_passages(const std::vector<int>& passages, const std::string& question) {
  models::Request made = with_system(request({}, ""));
  models::Message& message = made.messages.back();
  message.text =
      "Answer the question from the passages that follow, as briefly as possible, and name the "
      "passage that proves the answer.\n";
  message.repeated.push_back(message.text.size());
  for (const int number : passages) {
    message.text += "Passage " + std::to_string(number) +
                    ": the licence says on page five that the total of the year is not known, and "
                    "that the auditor signs it before the end of the month.\n";
    message.repeated.push_back(message.text.size());
  }
  message.text += "Question: " + question;
  return made;
}

TEST_P(RepeatedTextsTest, PassagesOutliveTheGenerator) {
  const auto shelf = std::make_shared<MapShelf>();
  generator({.shelf = shelf})->generate(with_passages({1, 2, 3}, kQuestions[0]), greedy());
  EXPECT_EQ(shelf->items.size(), 5U);  // the system message, the task, three passages
  std::int64_t all = 0;
  for (const std::vector<int>& passages : {std::vector<int>{1, 2, 3}, {1, 2}, {1, 4, 3}, {2, 1}}) {
    const auto later = generator({.shelf = shelf});
    const models::Request asked = with_passages(passages, kQuestions[1]);
    const models::Reply reply = later->generate(asked, greedy());
    expect_same(reply, cold(asked), "passages of a length of " + std::to_string(passages.size()));
    if (all == 0) {
      all = reply.cached_tokens;
      EXPECT_LT(reply.prompt_tokens - reply.cached_tokens, 64);
    } else {
      EXPECT_LT(reply.cached_tokens, all);
      EXPECT_GE(reply.cached_tokens, kLeastKept);
    }
  }
}

// An entry of the shelf begins where the fork point before it is. Where the same text has others,
// the entry is not used.
TEST_P(RepeatedTextsTest, PassagesDividedOtherwiseAreReadAgain) {
  const auto shelf = std::make_shared<MapShelf>();
  generator({.shelf = shelf})->generate(with_passages({1, 2, 3}, kQuestions[0]), greedy());
  models::Request asked = with_passages({1, 2, 3}, kQuestions[1]);
  asked.messages.back().repeated.erase(asked.messages.back().repeated.begin() + 1);
  const models::Reply reply = generator({.shelf = shelf})->generate(asked, greedy());
  expect_same(reply, cold(asked), "fewer fork points");
  EXPECT_GE(reply.cached_tokens, kLeastKept);
  const models::Reply again = generator({.shelf = shelf})->generate(asked, greedy());
  expect_same(again, cold(asked), "fewer fork points, again");
  EXPECT_GT(again.cached_tokens, reply.cached_tokens);
}

TEST_P(RepeatedTextsTest, CallsAtOnceReplyAsIfAlone) {
  const auto kept = generator();
  std::vector<models::Request> asked;
  for (std::size_t i = 0; i < 9; ++i) {
    models::Request made = request({}, kQuestions[i % kQuestions.size()]);
    asked.push_back(i % 3 == 0 ? made : with_task(with_system(made)));
  }
  std::vector<models::Reply> replies(asked.size());
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      threads.emplace_back([&, i] { replies[i] = kept->generate(asked[i], greedy()); });
    }
  }
  for (std::size_t i = 0; i < asked.size(); ++i) {
    expect_same(replies[i], cold(asked[i]), "call " + std::to_string(i));
  }
}

TEST_P(RepeatedTextsTest, VerdictsGoOnFromATask) {
  const auto kept = generator();
  const std::vector<std::string> verdicts = {"1", "2", "5", "not at all"};
  const models::Request asked = with_task(with_system(request({}, kQuestions[0])));
  for (int round = 0; round < 2; ++round) {
    const models::Choice warm = kept->choose(asked, verdicts);
    const models::Choice fresh = alone().choose(asked, verdicts);
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
      EXPECT_NEAR(warm.log_probabilities[i], fresh.log_probabilities[i], 1e-4) << verdicts[i];
    }
    EXPECT_EQ(warm.cached_tokens > 0, round > 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Fixtures, RepeatedTextsTest,
                         ::testing::Values(Setting{"gemma3_a", 1}, Setting{"gemma3_a", 16},
                                           Setting{"qwen35_a", 2}, Setting{"llama_a", 2}));

// How work is divided among threads does not depend on the family: one family tries all numbers.
INSTANTIATE_TEST_SUITE_P(Fixtures, PrefixCacheTest,
                         ::testing::Values(Setting{"qwen25vl_a", 1}, Setting{"qwen25vl_a", 2},
                                           Setting{"qwen25vl_a", 16},
                                           Setting{"qwen25vl_b_tied_v5layout", 2},
                                           Setting{"qwen2vl_gen", 2}, Setting{"phi3v_a", 2},
                                           Setting{"paligemma_gen", 2}, Setting{"qwen3vl_a", 2},
                                           Setting{"gemma3_seeing", 2}, Setting{"qwen35_seeing", 2},
                                           Setting{"smolvlm_a", 2}, Setting{"lfm2vl_a", 2}));

}  // namespace
}  // namespace fineprint::nets
