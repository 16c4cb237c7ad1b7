// Measures constrained replies over a vocabulary of 152,000 tokens, and checks every one of them.
//
//   benchmark_constraint [--seeds N]
//
// Also over the three small vocabularies of tests/data. For each schema of schemas.json: N replies
// (default 40) with ample tokens and N with scarce ones, drawn in troublesome ways; the mean and
// the worst processor time of `allowed` and `accept` together, per token. A reply that does not fit
// ends the program with 1.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"

#include "grammar/token_trie.h"
#include "support/constrained_replies.h"
#include "support/listed_tokenizer.h"

namespace fineprint {
namespace {

constexpr std::size_t kVocabulary = 152'064;

// Words of letters like those of a byte-level vocabulary: with and without a blank before them, in
// several scripts, with digits, cut within characters, and with the marks that JSON is made of.
std::vector<std::string> made_vocabulary() {
  std::mt19937_64 random(1);
  const std::vector<std::string> marks = {"\"",     "\\",  "{", "}", "[", "]", ":",   ",", ".",
                                          " ",      "\n",  "'", "(", ")", "/", "-",   "=", ";",
                                          "\": \"", "\",", "_", "#", "<", ">", "\\n", "0", "1"};
  const std::vector<std::string> letters = {"e", "t", "a", "o",  "i",  "n",        "s",
                                            "r", "h", "l", "d",  "u",  "c",        "m",
                                            "é", "и", "о", "の", "三", "\xE4\xB8", "\xF0\x9F"};
  std::vector<std::string> tokens = testing::byte_tokens();
  while (tokens.size() < kVocabulary) {
    const auto kind = random() % 100;
    std::string token = kind < 45 ? " " : "";
    const std::size_t parts = 1 + random() % (kind < 92 ? 9 : 4);
    for (std::size_t i = 0; i < parts; ++i) {
      const auto& from = kind < 92 ? letters : marks;
      const std::size_t few = kind < 80 ? 14 : from.size();
      token += from[random() % std::min(few, from.size())];
    }
    if (kind == 91) token += "\"";
    tokens.push_back(token);
  }
  return tokens;
}

struct Totals {
  std::int64_t time = 0, slowest = 0;
  std::size_t steps = 0, replies = 0;

  void add(const testing::DrawnReply& reply) {
    time += reply.total_ns;
    slowest = std::max(slowest, reply.slowest_ns);
    steps += reply.steps;
    ++replies;
  }
  void add(const Totals& other) {
    time += other.time;
    slowest = std::max(slowest, other.slowest);
    steps += other.steps;
    replies += other.replies;
  }
  void print(const char* name) const {
    const double mean = static_cast<double>(time) / 1e3 / static_cast<double>(steps);
    std::printf("%-28s %8zu replies %9zu tokens %8.2f us a token, worst %8.1f us\n", name, replies,
                steps, mean, static_cast<double>(slowest) / 1e3);
  }
};

class Benchmark {
 public:
  Benchmark(const tokenizer::Tokenizer& tokenizer, std::size_t vocabulary)
      : tokenizer_(&tokenizer),
        drawer_(tokenizer, vocabulary),
        ends_({static_cast<std::int64_t>(vocabulary) - 1}) {
    const std::int64_t start = testing::thread_time_ns();
    trie_ = grammar::make_token_trie(tokenizer, vocabulary, ends_);
    const std::int64_t taken = testing::thread_time_ns() - start;
    std::printf("prepared %zu tokens in %.0f ms, %.1f MB\n", vocabulary,
                static_cast<double>(taken) / 1e6, static_cast<double>(trie_->memory()) / 1e6);
  }

  Totals measure(const grammar::JsonSchema& schema, std::uint64_t seeds) const {
    Totals totals;
    for (std::uint64_t seed = 0; seed < 2 * seeds; ++seed) {
      std::mt19937_64 random(seed);
      grammar::JsonConstraint constraint(trie_, schema);
      const std::size_t limit = constraint.shortest() + (seed < seeds ? 300 : random() % 4);
      const testing::Draw how = testing::kDraws[seed % std::size(testing::kDraws)];
      const auto reply = drawer_.draw(std::move(constraint), limit, how, ends_, random);
      const std::string decoded = tokenizer_->decode(reply.ids, true);
      if (const auto problem = schema.problem(decoded)) {
        std::fprintf(stderr, "seed %llu: %s\n%s\n", static_cast<unsigned long long>(seed),
                     problem->c_str(), decoded.c_str());
        std::exit(1);
      }
      totals.add(reply);
    }
    return totals;
  }

 private:
  const tokenizer::Tokenizer* tokenizer_;
  testing::ReplyDrawer drawer_;
  std::vector<std::int64_t> ends_;
  std::shared_ptr<const grammar::TokenTrie> trie_;
};

void measure_agents(const Benchmark& benchmark, std::uint64_t seeds, bool with_each) {
  const std::string path = FINEPRINT_TEST_DATA "/schemas.json";
  Totals all;
  const Json schemas = parse_json(read_file(path), path);
  for (const auto& [agent, schema] : schemas.items()) {
    const Totals totals = benchmark.measure(grammar::JsonSchema::parse(dump_json(schema)), seeds);
    if (with_each) totals.print(agent.c_str());
    all.add(totals);
  }
  all.print("all agents");
}

// The most that a schema may ask for side by side.
void measure_hard_schemas(const Benchmark& benchmark) {
  std::string names, alternatives;
  for (int i = 0; i < 128; ++i) names += format("{}\"name-{}\"", i == 0 ? "" : ",", i);
  for (int i = 0; i < 16; ++i) {
    alternatives += format(
        R"({}{{"type":"object","additionalProperties":false,"required":["a","b"],"properties":)"
        R"({{"a":{{"type":"string","maxLength":{}}},"b":{{"const":{}}}}}}})",
        i == 0 ? "" : ",", 100 + i, i * i * i);
  }
  const auto print = [&](const char* name, const std::string& schema) {
    benchmark.measure(grammar::JsonSchema::parse(schema), 20).print(name);
  };
  print("128 constants", R"({"enum":[)" + names + "]}");
  print("16 strings side by side", R"({"oneOf":[)" + alternatives + "]}");
}

int run(std::uint64_t seeds) {
  const testing::ListedTokenizer made(made_vocabulary());
  const Benchmark large(made, kVocabulary);
  measure_agents(large, seeds, true);
  measure_hard_schemas(large);
  for (const char* name : {"tok_qwen", "tok_phi3", "tok_gemma"}) {
    std::printf("%s: ", name);
    const auto tokenizer =
        tokenizer::Tokenizer::load(format("{}/{}/model/tokenizer.json", FINEPRINT_TEST_DATA, name));
    measure_agents(Benchmark(*tokenizer, tokenizer->vocab_size() + 1), seeds, false);
  }
  return 0;
}

}  // namespace
}  // namespace fineprint

int main(int argc, char** argv) {
  std::uint64_t seeds = 40;
  if (argc == 3 && std::strcmp(argv[1], "--seeds") == 0)
    seeds = std::strtoull(argv[2], nullptr, 10);
  return fineprint::run(seeds);
}
