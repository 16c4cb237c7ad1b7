// Makes examples for the training of MoLoRAG's judge.
#include "pipelines/molorag/examples.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <random>
#include <set>
#include <tuple>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/text.h"
#include "fineprint/core/threads.h"

#include "pipelines/molorag/judge.h"

namespace fineprint::pipelines::molorag {
namespace {

constexpr int kMarkCount = 5;
// A verdict one off the requested mark is noise of the judge; the example keeps the verdict.
constexpr int kMostOff = 1;
// Tries per wanted example. A generator that needs more would not finish in any useful time.
constexpr long kTriesEach = 20;

constexpr std::array<std::string_view, 7> kSubjects = {
    "text",           "layout", "figures", "tables", "text and layout", "text and figures",
    "text and tables"};

// Describes the mark for the prompt, in three steps, because a generator cannot aim at five.
std::string meaning_of(int mark) {
  if (mark >= 4) {
    return "So ask, clearly and plainly, for something that the page states in so many words.";
  }
  if (mark == 3) {
    return "So ask for something that the page only hints at: the answer wants a conclusion drawn "
           "from it.";
  }
  return "So ask for something that cannot be answered from the page.";
}

std::optional<std::string> question_problem(std::string_view reply) {
  const Json written = parse_json(reply, "a reply");
  const auto& query = written.at("query").get_ref<const std::string&>();
  if (!trim(query).empty()) return std::nullopt;
  return "\"query\" is empty";
}

// One random choice of page, mark and subject.
struct Draw {
  PageId page;
  int mark = 1;
  std::size_t subject = 0;
  auto operator<=>(const Draw&) const = default;
};

// Makes each draw from the seed and the try's number alone, so that a later run can continue an
// earlier one.
class Draws {
 public:
  Draws(const session::Corpus& corpus, const ExampleOptions& options) : seed_(options.seed) {
    for (const DocumentId document : corpus.pool(options.docs)) {
      const session::CorpusDocument& one = corpus.documents()[document.value];
      for (int page = 1; page <= one.row.page_count; ++page) {
        pages_.push_back(corpus.page_number(document, page));
      }
    }
    if (pages_.empty()) {
      throw Error(
          ErrorCode::input,
          "the store has no pages to write questions about; index documents into it, or choose "
          "others with --doc");
    }
  }

  Draw of(long number) const {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed_) << 32U ^
                           static_cast<std::uint64_t>(number));
    Draw draw;
    draw.page = pages_[random() % pages_.size()];
    draw.mark = 1 + static_cast<int>(random() % kMarkCount);
    draw.subject = random() % kSubjects.size();
    return draw;
  }

  // The number of different draws; after that many, every further try repeats an earlier one.
  std::size_t different() const { return pages_.size() * kMarkCount * kSubjects.size(); }

 private:
  long seed_;
  std::vector<PageId> pages_;
};

// Writes questions with the generator, and judges them.
class Maker {
 public:
  Maker(const session::Session& session, const ExampleOptions& options)
      : session_(session),
        options_(options),
        writer_(agents::load_agent("molorag.question", options.prompts)) {}

  // Returns the example's line, or nullopt if the try gave none; counts the reason in `made`.
  std::optional<std::string> make(const Draw& draw, long number, MadeExamples* made) const {
    Trace trace(false);
    Budget budget(BudgetLimits{});
    session::Context context{session_, trace, budget};
    const agents::TurnReply reply =
        agents::call(context, writer_,
                     {.question = "",
                      .values = {{"mark", std::to_string(draw.mark), false},
                                 {"meaning", meaning_of(draw.mark), false},
                                 {"subject", std::string(kSubjects[draw.subject]), false}},
                      .shown = {{.pages = {draw.page}}},
                      .check = question_problem});
    if (!reply.usable) {
      ++made->no_use;
      return std::nullopt;
    }
    const Json written = parse_json(reply.text, "a reply");
    const auto query = written.at("query").get<std::string>();
    Judge judge(context, query, {.prompts = options_.prompts});
    const std::optional<double> verdict = judge.relevance(draw.page);
    if (!verdict) {
      ++made->no_use;
      return std::nullopt;
    }
    const int mark = static_cast<int>(std::lround(*verdict));
    if (std::abs(mark - draw.mark) > kMostOff) {
      ++made->misjudged;
      return std::nullopt;
    }
    return line_of(draw, written, mark, number);
  }

 private:
  std::string line_of(const Draw& draw, const Json& written, int mark, long number) const {
    const session::Corpus& corpus = session_.corpus();
    const session::CorpusDocument& document =
        corpus.documents()[corpus.document_of(draw.page).value];
    const PageRef ref = corpus.ref(draw.page);
    return dump_json({{"query", written.at("query")},
                      {"image", format("{}#{}", document.row.path, ref.page)},
                      {"label", mark},
                      {"target", draw.mark},
                      {"focus", kSubjects[draw.subject]},
                      {"answer", written.at("answer")},
                      {"source",
                       {{"doc", ref.doc},
                        {"page", ref.page},
                        {"generator", session_.generator(writer_.name).name()},
                        {"seed", options_.seed},
                        {"try", number}}}});
  }

  const session::Session& session_;
  const ExampleOptions& options_;
  const agents::Agent writer_;
};

}  // namespace

MadeExamples make_examples(const session::Session& session, const ExampleOptions& options,
                           const std::function<void(const std::string& line)>& use) {
  const Draws draws(session.corpus(), options);
  const Maker maker(session, options);
  MadeExamples made{.kept = options.known};
  std::set<Draw> seen;
  for (long number = 1; made.kept < options.wanted; ++number) {
    if (number > kTriesEach * options.wanted || seen.size() == draws.different()) break;
    throw_if_interrupted();
    const Draw draw = draws.of(number);
    if (!seen.insert(draw).second || number <= options.tries_before) continue;
    if (const std::optional<std::string> line = maker.make(draw, number, &made)) {
      ++made.kept;
      use(*line);
    }
  }
  return made;
}

}  // namespace fineprint::pipelines::molorag
