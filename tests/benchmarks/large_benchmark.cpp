// Makes a large store of made-up pages, and times questions over it as a server would answer them.
//
//   benchmark_large make DIR [--pages 100000] [--pages-each 100] [--words 100] [--vocabulary
//   1000000]
//                   [--set page] [--rows 1] [--dim 384] [--format int8] [--pool 1]
//   benchmark_large ask DIR [--scorer bm25] [--questions 50] [--threads 2] [--k 10] [--late-first
//   0]
//                   [--late-first-by means]
//   benchmark_large compare DIR [--late-first 100] ...
//
// make: the store has documents of --pages-each pages, a chunk for each page with --words words (of
// which it keeps the first twelve as text; pages have no words with places), and one set of
// vectors: `page` (one vector a page) or `late` (--rows vectors a page, of which --pool joins so
// many into one), or `none`. Prints one line
// {"benchmark":"large","what":"make","pages","seconds","cpu_seconds","mb","anonymous_mb", ...}.
//
// ask: {"what":"open"} opens the store and numbers its pages; {"what":SCORER} has the median, the
// 95th percentile, the processor time and the memory without mapped files of --questions questions,
// each about one page of the store, after one question that is not counted ("first_ms"). The
// vectors of questions are given, so no model is loaded.
//
// compare: also asks each question exactly, or the store --against (of the same pages, not pooled),
// and prints how much of the exact ranking is kept: "same" of the pages, "ndcg" with the exact
// scores' order as relevance, and "page" and "page_exact", the share of questions whose page is the
// first.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <thread>

#include <sys/resource.h>

#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/threads.h"
#include "fineprint/retrieve/search.h"
#include "fineprint/score/token_pooling.h"

#include "benchmarks/made_pages.h"
#include "support/fake_encoders.h"

namespace fineprint {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kDocumentsAtOnce = 64;
constexpr std::size_t kWordsOfText = 12;
constexpr std::size_t kWordsOfQuestion = 5;
constexpr std::size_t kQuestionVectors = 20;
constexpr int kDocumentsBetweenFolds = 4096;

using Flags = std::map<std::string, std::string>;

Flags default_flags() {
  return {{"pages", "100000"},
          {"pages-each", "100"},
          {"words", "100"},
          {"vocabulary", "1000000"},
          {"set", "page"},
          {"rows", "1"},
          {"dim", "384"},
          {"format", "int8"},
          {"pool", "1"},
          {"scorer", "bm25"},
          {"questions", "50"},
          {"threads", "2"},
          {"k", "10"},
          {"late-first", "0"},
          {"late-first-by", "means"},
          {"against", ""}};
}

std::size_t number(const Flags& flags, const char* name) {
  return static_cast<std::size_t>(std::strtoull(flags.at(name).c_str(), nullptr, 10));
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double cpu_seconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

// The memory of this process that is no mapped file, in MB.
double anonymous_mb() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("RssAnon:")) return std::strtod(line.c_str() + 8, nullptr) / 1024;
  }
  return 0;
}

// Watches the memory of this process, every few milliseconds.
class Watch {
 public:
  Watch()
      : thread_([this] {
          while (!done_) {
            most_ = std::max(most_.load(), anonymous_mb());
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
          }
        }) {}
  ~Watch() {
    done_ = true;
    thread_.join();
  }
  double most() const { return most_; }

 private:
  std::atomic<bool> done_ = false;
  std::atomic<double> most_ = 0;
  std::thread thread_;
};

void print(const char* what, Json fields) {
  Json line = {{"benchmark", "large"}, {"what", what}};
  line.update(fields);
  std::printf("%s\n", dump_json(line).c_str());
  std::fflush(stdout);
}

// --- making ---

std::vector<std::uint32_t> ranks_of_page(std::uint64_t page, std::size_t words, double vocabulary) {
  testing::MadeNumbers numbers(page + 5);
  std::vector<std::uint32_t> ranks;
  for (std::size_t i = 0; i < words; ++i) ranks.push_back(testing::made_rank(numbers, vocabulary));
  return ranks;
}

// Occurrences are sorted by rank and page, so that the lists need no table.
store::FieldIndex made_field(const std::vector<std::vector<std::uint32_t>>& ranks) {
  std::vector<std::uint64_t> occurrences;
  store::FieldIndex field{"chunk", {}, {}, {}};
  for (std::uint32_t unit = 0; unit < ranks.size(); ++unit) {
    field.lengths.push_back(static_cast<std::uint32_t>(ranks[unit].size()));
    for (const std::uint32_t rank : ranks[unit]) {
      occurrences.push_back(std::uint64_t{rank} << 32 | unit);
    }
  }
  std::ranges::sort(occurrences);
  for (std::size_t i = 0; i < occurrences.size(); ++i) {
    const auto rank = static_cast<std::uint32_t>(occurrences[i] >> 32);
    const auto unit = static_cast<std::uint32_t>(occurrences[i]);
    if (i == 0 || occurrences[i - 1] >> 32 != rank) {
      field.terms.push_back(testing::word_of_rank(rank));
      field.postings.emplace_back();
    }
    std::vector<score::Posting>& list = field.postings.back();
    if (!list.empty() && list.back().unit == unit) {
      ++list.back().frequency;
    } else {
      list.push_back({unit, 1});
    }
  }
  return field;
}

store::NewDocument made_document(std::uint64_t first_page, const Flags& flags) {
  const std::size_t pages = number(flags, "pages-each");
  const auto vocabulary = static_cast<double>(number(flags, "vocabulary"));
  store::NewDocument out;
  out.row.doc = format("folder{:04}/document_{:08}.pdf", first_page / 100'000, first_page);
  out.row.path = "/documents/" + out.row.doc;
  out.row.title = format("Document {}", first_page);
  out.row.hash = out.row.settings = format("{:032}", first_page);
  out.row.page_count = out.info.page_count = static_cast<int>(pages);
  std::vector<std::vector<std::uint32_t>> ranks;
  for (std::size_t p = 0; p < pages; ++p) {
    ranks.push_back(ranks_of_page(first_page + p, number(flags, "words"), vocabulary));
    out.pages.emplace_back();
    out.pages.back().number = static_cast<int>(p) + 1;
    Chunk chunk;
    chunk.page = static_cast<int>(p) + 1;
    for (std::size_t w = 0; w < std::min(kWordsOfText, ranks.back().size()); ++w) {
      chunk.text += (w == 0 ? "" : " ") + testing::word_of_rank(ranks.back()[w]);
    }
    out.chunks.push_back(std::move(chunk));
  }
  out.fields = {made_field(ranks)};
  return out;
}

// Vectors of a document, pooled page by page.
store::NewVectors made_vectors(const testing::MadeVectors& maker, std::uint64_t first_page,
                               const Flags& flags) {
  const std::size_t dim = number(flags, "dim");
  const auto pool = static_cast<int>(number(flags, "pool"));
  store::NewVectors out;
  out.units = static_cast<std::uint32_t>(number(flags, "pages-each"));
  out.rows.cols = dim;
  for (std::uint32_t p = 0; p < out.units; ++p) {
    if (pool <= 1) {
      maker.append(first_page + p, &out.rows.values);
      out.rows_of_unit.push_back(static_cast<std::uint32_t>(maker.rows()));
      continue;
    }
    Matrix page{maker.rows(), dim, {}};
    maker.append(first_page + p, &page.values);
    const Matrix pooled = score::pool_tokens(page, pool);
    out.rows_of_unit.push_back(static_cast<std::uint32_t>(pooled.rows));
    out.rows.values.insert(out.rows.values.end(), pooled.values.begin(), pooled.values.end());
  }
  out.rows.rows = out.rows.values.size() / dim;
  return out;
}

store::VectorSet described_set(const Flags& flags) {
  store::VectorSet set;
  set.name = set.kind = set.hash = set.model = flags.at("set");
  set.unit = store::VectorUnit::page;
  set.many_vectors = flags.at("set") == "late";
  set.dim = number(flags, "dim");
  set.pool_factor = static_cast<int>(number(flags, "pool"));
  const auto format_of_rows = store::parse_vector_format(flags.at("format"));
  if (!format_of_rows) {
    std::fprintf(stderr, "--format %s is unknown\n", flags.at("format").c_str());
    std::exit(2);
  }
  set.format = *format_of_rows;
  return set;
}

// The shape of the made pages, which questions need; it lies next to the catalogue.
std::string shape_file(const std::string& dir) { return dir + "/made.json"; }

void make(const std::string& dir, const Flags& flags) {
  const auto start = Clock::now();
  const Watch watch;
  const std::size_t each = number(flags, "pages-each"), documents = number(flags, "pages") / each;
  const bool with_vectors = flags.at("set") != "none";
  const testing::MadeVectors maker(number(flags, "dim"), number(flags, "rows"));
  double last_fold = 0, folds = 0;
  {
    store::Store store(dir, store::Mode::write);
    if (with_vectors) store.register_set(described_set(flags));
    for (std::size_t first = 0; first < documents; first += kDocumentsAtOnce) {
      const std::size_t count = std::min(kDocumentsAtOnce, documents - first);
      std::vector<store::NewDocument> made(count);
      std::vector<store::NewVectors> vectors(with_vectors ? count : 0);
      parallel_for(count, usable_cores(), [&](std::size_t i) {
        made[i] = made_document((first + i) * each, flags);
        if (with_vectors) vectors[i] = made_vectors(maker, (first + i) * each, flags);
      });
      for (std::size_t i = 0; i < count; ++i) {
        const std::int64_t id = store.put(made[i]);
        if (with_vectors) vectors[i].document = id;
      }
      if (with_vectors) store.put_vectors(flags.at("set"), vectors);
      if ((first + count) % kDocumentsBetweenFolds == 0 || first + count == documents) {
        const auto begun = Clock::now();
        store.compact();
        folds += last_fold = seconds_since(begun);
        std::fprintf(stderr, "%zu pages, %.0f s, fold %.1f s\n", (first + count) * each,
                     seconds_since(start), last_fold);
      }
    }
  }
  std::ofstream(shape_file(dir)) << Json(flags).dump() << "\n";
  const store::Store store(dir, store::Mode::read);
  const store::Totals totals = store.totals();
  print("make", {{"pages", totals.pages},
                 {"documents", totals.documents},
                 {"seconds", seconds_since(start)},
                 {"cpu_seconds", cpu_seconds()},
                 {"folds_seconds", folds},
                 {"last_fold_seconds", last_fold},
                 {"mb", static_cast<double>(totals.bytes) / (1 << 20)},
                 {"anonymous_mb", watch.most()}});
}

// --- asking ---

struct Question {
  std::string text;
  std::uint64_t page = 0;
  Matrix vectors = {};
};

// Each question is about a page far from the others: its words, and vectors near to its own.
std::vector<Question> made_questions(const Flags& shape, std::size_t count) {
  const std::size_t pages = number(shape, "pages");
  const auto vocabulary = static_cast<double>(number(shape, "vocabulary"));
  const testing::MadeVectors maker(number(shape, "dim"), number(shape, "rows"));
  const std::size_t rows = shape.at("set") == "late" ? kQuestionVectors : 1;
  std::vector<Question> out;
  testing::MadeNumbers numbers(99);
  for (std::size_t i = 0; i < count; ++i) {
    Question question;
    question.page = numbers.below(pages);
    const auto ranks = ranks_of_page(question.page, number(shape, "words"), vocabulary);
    for (std::size_t w = 0; w < kWordsOfQuestion && !ranks.empty(); ++w) {
      question.text +=
          (w == 0 ? "" : " ") + testing::word_of_rank(ranks[numbers.below(ranks.size())]);
    }
    question.vectors = maker.question(question.page, rows);
    out.push_back(std::move(question));
  }
  return out;
}

std::unique_ptr<testing::FakeEncoders> encoders_of(const std::vector<Question>& questions,
                                                   const std::string& set) {
  testing::FakeModel model{set};
  for (const Question& question : questions) {
    testing::Rows rows;
    for (std::size_t r = 0; r < question.vectors.rows; ++r) {
      const auto row = question.vectors.row(r);
      rows.emplace_back(row.begin(), row.end());
    }
    model.vectors[question.text] = std::move(rows);
  }
  return std::make_unique<testing::FakeEncoders>(
      std::map<std::string, testing::FakeModel>{{"", std::move(model)}});
}

retrieve::SearchOptions asked_with(const Flags& flags) {
  retrieve::SearchOptions options;
  options.scorers = {flags.at("scorer")};
  options.k = static_cast<int>(number(flags, "k"));
  options.late_first = static_cast<int>(number(flags, "late-first"));
  if (flags.at("late-first-by") == "signs") options.late_first_by = retrieve::LateFirst::signs;
  return options;
}

std::vector<retrieve::FoundPage> found_by(const session::Session& session, const Question& question,
                                          const retrieve::SearchOptions& options) {
  Trace trace(false);
  Budget budget;
  session::Context context{session, trace, budget};
  return retrieve::search(context, question.text, options);
}

double at_share(std::vector<double> values, double share) {
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

void ask(const session::Session& session, const std::vector<Question>& questions,
         const Flags& flags) {
  const retrieve::SearchOptions options = asked_with(flags);
  const Watch watch;
  auto start = Clock::now();
  found_by(session, questions.front(), options);
  const double first = seconds_since(start);
  std::vector<double> times;
  const double before = cpu_seconds();
  std::size_t right = 0;
  for (const Question& question : questions) {
    start = Clock::now();
    const auto found = found_by(session, question, options);
    times.push_back(1000 * seconds_since(start));
    right += !found.empty() && found.front().page.value == question.page ? 1 : 0;
  }
  const auto count = static_cast<double>(questions.size());
  print(flags.at("scorer").c_str(), {{"threads", number(flags, "threads")},
                                     {"late_first_by", flags.at("late-first-by")},
                                     {"late_first", options.late_first},
                                     {"first_ms", 1000 * first},
                                     {"p50_ms", at_share(times, 0.5)},
                                     {"p95_ms", at_share(times, 0.95)},
                                     {"cpu_ms", 1000 * (cpu_seconds() - before) / count},
                                     {"page", static_cast<double>(right) / count},
                                     {"anonymous_mb", watch.most()}});
}

// nDCG of `found` if the i-th of `exact` has the relevance 1 / i.
double ndcg(const std::vector<retrieve::FoundPage>& found,
            const std::vector<retrieve::FoundPage>& exact) {
  double sum = 0, most = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const double discount = std::log2(static_cast<double>(i) + 2);
    most += 1 / static_cast<double>(i + 1) / discount;
    if (i >= found.size()) continue;
    const auto place = std::ranges::find(exact, found[i].page, &retrieve::FoundPage::page);
    if (place == exact.end()) continue;
    sum += 1 / static_cast<double>(place - exact.begin() + 1) / discount;
  }
  return most > 0 ? sum / most : 1;
}

void compare(const session::Session& session, const session::Session& exact_session,
             const std::vector<Question>& questions, const Flags& flags) {
  const retrieve::SearchOptions options = asked_with(flags);
  retrieve::SearchOptions exactly = options;
  exactly.late_first = 0;
  double same = 0, all = 0, ndcgs = 0, page = 0, page_exact = 0;
  for (const Question& question : questions) {
    const auto found = found_by(session, question, options);
    const auto exact = found_by(exact_session, question, exactly);
    for (const auto& one : exact) {
      all += 1;
      same += std::ranges::find(found, one.page, &retrieve::FoundPage::page) != found.end() ? 1 : 0;
    }
    ndcgs += ndcg(found, exact);
    page += !found.empty() && found.front().page.value == question.page ? 1 : 0;
    page_exact += !exact.empty() && exact.front().page.value == question.page ? 1 : 0;
  }
  const auto count = static_cast<double>(questions.size());
  print("compare", {{"late_first", options.late_first},
                    {"late_first_by", flags.at("late-first-by")},
                    {"same", same / all},
                    {"ndcg", ndcgs / count},
                    {"page", page / count},
                    {"page_exact", page_exact / count}});
}

// A store with a session that knows the questions' vectors.
struct Opened {
  Opened(const std::string& dir, const std::vector<Question>& questions, const Flags& shape,
         const Flags& flags)
      : store(dir, store::Mode::read),
        session(store,
                {.model = {.device = {"cpu", "auto", static_cast<int>(number(flags, "threads"))}}},
                encoders_of(questions, shape.at("set"))) {}

  store::Store store;
  session::Session session;
};

void question_all(const std::string& command, const std::string& dir, const Flags& flags) {
  Flags shape;
  std::ifstream file(shape_file(dir));
  const Json stored = Json::parse(file);
  for (const auto& [key, value] : stored.items()) shape[key] = value;
  const std::vector<Question> questions = made_questions(shape, number(flags, "questions"));
  const auto start = Clock::now();
  const Opened opened(dir, questions, shape, flags);
  print("open", {{"pages", opened.session.corpus().page_count()},
                 {"ms", 1000 * seconds_since(start)},
                 {"anonymous_mb", anonymous_mb()}});
  if (command == "ask") return ask(opened.session, questions, flags);
  if (flags.at("against").empty()) return compare(opened.session, opened.session, questions, flags);
  const Opened other(flags.at("against"), questions, shape, flags);
  compare(opened.session, other.session, questions, flags);
}

[[noreturn]] void fail(const char* message) {
  std::fprintf(stderr, "%s; see the head of large_benchmark.cpp\n", message);
  std::exit(2);
}

}  // namespace
}  // namespace fineprint

int main(int count, char** arguments) {
  using namespace fineprint;
  if (count < 3) fail("benchmark_large make|ask|compare DIR");
  const std::string command = arguments[1], dir = arguments[2];
  Flags flags = default_flags();
  for (int i = 3; i + 1 < count; i += 2) {
    const auto flag =
        flags.find(std::string_view(arguments[i]).starts_with("--") ? arguments[i] + 2 : "");
    if (flag == flags.end()) fail("unknown option");
    flag->second = arguments[i + 1];
  }
  if (command == "make") {
    make(dir, flags);
  } else if (command == "ask" || command == "compare") {
    question_all(command, dir, flags);
  } else {
    fail("unknown command");
  }
  return 0;
}
