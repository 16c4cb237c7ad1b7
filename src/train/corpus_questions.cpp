// Makes questions that have exactly one answer in a whole store.
#include "fineprint/train/corpus_questions.h"

#include <algorithm>
#include <array>
#include <optional>
#include <random>
#include <set>
#include <string_view>
#include <utility>

#include "fineprint/agents/agent.h"
#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"
#include "fineprint/core/progress.h"
#include "fineprint/core/text.h"
#include "fineprint/core/threads.h"
#include "fineprint/retrieve/search.h"

#include "train/continued_file.h"

namespace fineprint::train {
namespace {

// ViDoSeek reviews with the "top K recall images" and gives no K.
constexpr int kRecalled = 10;
// ViDoSeek refines unqualified queries and gives no number of times.
constexpr int kRefinements = 2;
// Tries per wanted question. A generator that needs more would not finish in any useful time.
constexpr long kTriesEach = 20;

// The types of sources of ViDoSeek, by the words that the prompt has for them.
struct Subject {
  const char* type;
  const char* words;
};
constexpr std::array<Subject, 4> kSubjects = {{{"text", "running text"},
                                               {"table", "table"},
                                               {"chart", "chart"},
                                               {"2d_layout", "flowchart or diagram"}}};

// A question on its way through the steps.
struct Candidate {
  Question question = {};
  std::vector<PageId> gold = {};
  // Empty: those of the given record.
  std::string source_type = {}, query_type = {};
  std::string refined_from = {};  // the first words, if it was written again
};

// Why a question is not kept.
enum class Flaw { general, ambiguous, no_use };
struct Problem {
  Flaw flaw = Flaw::no_use;
  std::string reason;
};

PageId page_of_gold(const session::Corpus& corpus, const Question& question, const PageRef& page) {
  const std::optional<DocumentId> document = corpus.document_named(page.doc);
  const bool exists =
      document && page.page >= 1 && page.page <= corpus.documents()[document->value].row.page_count;
  if (exists) return corpus.page_number(*document, page.page);
  throw Error(ErrorCode::input,
              format("question {}: its gold page {} of \"{}\" is not in the store; index the "
                     "document, or name it as `fineprint list` prints it",
                     question.id, page.page, page.doc));
}

// The question and its pages; its number is that of the try.
Candidate given_candidate(const session::Corpus& corpus, const Question& question) {
  if (!question.answer || !question.evidence || question.evidence->empty()) {
    throw Error(ErrorCode::input,
                format("question {}: \"answer\" or \"evidence_pages\" is missing; only a question "
                       "with both can be reviewed",
                       question.id));
  }
  Candidate candidate{.question = question};
  for (const PageRef& page : *question.evidence) {
    // Plain numbers are pages of the question's only document.
    const bool is_bare = page.doc.empty() && question.docs.size() == 1;
    const PageRef full{is_bare ? question.docs.front() : page.doc, page.page};
    candidate.gold.push_back(page_of_gold(corpus, question, full));
  }
  return candidate;
}

// What a new question is written about.
struct Draw {
  std::vector<PageId> pages;
  std::size_t subject = 0;
  auto operator<=>(const Draw&) const = default;
};

// Makes each draw from the seed and the try's number alone, so that a later run can continue.
class Draws {
 public:
  Draws(const session::Corpus& corpus, const CorpusQuestionOptions& options)
      : corpus_(corpus), seed_(options.seed) {
    for (const DocumentId document : corpus.pool(options.docs)) {
      const int pages = corpus.documents()[document.value].row.page_count;
      for (int page = 1; page <= pages; ++page) places_.emplace_back(document, page);
    }
    if (!places_.empty()) return;
    throw Error(ErrorCode::input,
                "the store has no pages to write questions about; index documents into it, or "
                "choose others with --doc");
  }

  Draw of(long number) const {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed_) << 32U ^
                           static_cast<std::uint64_t>(number));
    const auto [document, page] = places_[random() % places_.size()];
    const auto pages =
        static_cast<std::uint64_t>(corpus_.documents()[document.value].row.page_count);
    Draw draw;
    draw.subject = random() % kSubjects.size();
    draw.pages = {corpus_.page_number(document, page)};
    // Half of the questions need two pages.
    if (random() % 2 == 0 || pages == 1) return draw;
    const auto other = static_cast<int>(1 + random() % (pages - 1));
    draw.pages.push_back(corpus_.page_number(document, other < page ? other : other + 1));
    std::ranges::sort(draw.pages);
    return draw;
  }

 private:
  const session::Corpus& corpus_;
  long seed_;
  std::vector<std::pair<DocumentId, int>> places_;
};

std::optional<std::string> empty_query(std::string_view reply) {
  const Json written = parse_json(reply, "a reply");
  const bool asks = written.value("possible", true);
  const auto& query = written.at("query").get_ref<const std::string&>();
  if (!asks || !trim(query).empty()) return std::nullopt;
  return "\"query\" is empty";
}

class Maker {
 public:
  Maker(const session::Session& session, const CorpusQuestionOptions& options)
      : session_(session),
        writer_(agents::load_agent("questions.write", options.prompts)),
        general_(agents::load_agent("questions.general", options.prompts)),
        reviewer_(agents::load_agent("questions.review", options.prompts)),
        refiner_(agents::load_agent("questions.refine", options.prompts)) {}

  // [2] Returns nullopt if the pages gave no question.
  std::optional<Candidate> write(const Draw& draw) const {
    const bool several = draw.pages.size() > 1;
    const std::optional<Json> reply =
        ask(writer_, "",
            {{"subject", kSubjects[draw.subject].words, false},
             {"hops",
              several ? "The answer must need both pages: neither page alone may give it."
                      : "The page alone must give the answer.",
              false}},
            draw.pages, empty_query);
    if (!reply || !reply->at("possible").get<bool>()) return std::nullopt;
    Candidate candidate{.gold = draw.pages,
                        .source_type = kSubjects[draw.subject].type,
                        .query_type = several ? "multi_hop" : "single_hop"};
    candidate.question.text = reply->at("query").get<std::string>();
    candidate.question.answer = reply->at("answer").get<std::string>();
    candidate.question.id = question_id(candidate.question.text);
    return candidate;
  }

  // [3, 4] Returns the problem that is left, or nullopt if the question has one answer.
  std::optional<Problem> settle(Candidate* candidate) const {
    std::optional<Problem> problem = problem_of(*candidate);
    for (int i = 0; problem && problem->flaw != Flaw::no_use && i < kRefinements; ++i) {
      const std::optional<Json> reply =
          ask(refiner_, candidate->question.text,
              {{"answer", *candidate->question.answer}, {"problem", problem->reason}},
              candidate->gold, empty_query);
      if (!reply) return Problem{};
      if (candidate->refined_from.empty()) candidate->refined_from = candidate->question.text;
      candidate->question.text = reply->at("query").get<std::string>();
      problem = problem_of(*candidate);
    }
    return problem;
  }

 private:
  // Returns the object of a usable reply.
  std::optional<Json> ask(const agents::Agent& agent, const std::string& question,
                          std::vector<agents::Value> values, const std::vector<PageId>& pages,
                          agents::ReplyCheck check = {},
                          std::optional<agents::IndexBound> bound = {}) const {
    Trace trace(false);
    Budget budget(BudgetLimits{});
    session::Context context{session_, trace, budget};
    const agents::TurnReply reply = agents::call(context, agent,
                                                 {.question = question,
                                                  .values = std::move(values),
                                                  .shown = agents::one_by_one(pages),
                                                  .check = std::move(check),
                                                  .indices = std::move(bound)});
    if (!reply.usable) return std::nullopt;
    return parse_json(reply.text, "a reply");
  }

  // [3] The review.
  std::optional<Problem> problem_of(const Candidate& candidate) const {
    const std::string& text = candidate.question.text;
    const std::optional<Json> general = ask(general_, text, {}, {});
    if (!general) return Problem{};
    if (general->at("general").get<bool>()) {
      return Problem{Flaw::general,
                     "The question is general. " + general->at("reason").get<std::string>()};
    }
    const std::vector<PageId> others = recalled(candidate);
    if (others.empty()) return std::nullopt;
    const std::optional<Json> review =
        ask(reviewer_, text, {{"answer", *candidate.question.answer}}, others, {},
            agents::IndexBound{"pages", others.size()});
    if (!review) return Problem{};
    if (review->at("pages").empty()) return std::nullopt;
    return Problem{Flaw::ambiguous,
                   "Other pages answer it, too. " + review->at("reason").get<std::string>()};
  }

  // Returns the pages that the search finds in the whole store, without the gold ones.
  std::vector<PageId> recalled(const Candidate& candidate) const {
    Trace trace(false);
    Budget budget(BudgetLimits{});
    session::Context context{session_, trace, budget};
    retrieve::SearchOptions options;
    options.k = kRecalled + static_cast<int>(candidate.gold.size());
    options.substitute = true;
    options.query = {.named_pages = false, .glossary = false};
    std::vector<PageId> pages =
        retrieve::page_numbers(retrieve::search(context, candidate.question.text, options));
    std::erase_if(pages, [&](PageId page) {
      return std::ranges::find(candidate.gold, page) != candidate.gold.end();
    });
    pages.resize(std::min<std::size_t>(pages.size(), kRecalled));
    return pages;
  }

  const session::Session& session_;
  const agents::Agent writer_, general_, reviewer_, refiner_;
};

std::string line_of(const session::Session& session, const Candidate& candidate, long seed,
                    long number) {
  Json line = parse_json(
      candidate.question.extra_json.empty() ? "{}" : candidate.question.extra_json, "a question");
  line["id"] = candidate.question.id;
  line["question"] = candidate.question.text;
  line["answer"] = *candidate.question.answer;
  if (!candidate.question.answer_format.empty()) {
    line["answer_format"] = candidate.question.answer_format;
  }
  Json pages = Json::array();
  for (const PageId page : candidate.gold) {
    const PageRef ref = session.corpus().ref(page);
    pages.push_back({{"doc", ref.doc}, {"page", ref.page}});
  }
  line["evidence_pages"] = std::move(pages);
  if (!candidate.source_type.empty()) line["source_type"] = candidate.source_type;
  if (!candidate.query_type.empty()) line["query_type"] = candidate.query_type;
  if (!candidate.refined_from.empty()) line["refined_from"] = candidate.refined_from;
  line["source"] = {{"generator", session.generator().name()}, {"seed", seed}, {"try", number}};
  return dump_json(line);
}

void count(Flaw flaw, CorpusQuestions* made) {
  if (flaw == Flaw::general) ++made->general;
  if (flaw == Flaw::ambiguous) ++made->ambiguous;
  if (flaw == Flaw::no_use) ++made->no_use;
}

}  // namespace

CorpusQuestions make_corpus_questions(const session::Session& session,
                                      const CorpusQuestionOptions& options,
                                      const std::string& file) {
  const session::Corpus& corpus = session.corpus();
  std::vector<Candidate> given;
  for (const Question& question : options.given) {
    given.push_back(given_candidate(corpus, question));
  }
  const bool writes = given.empty();
  std::optional<Draws> draws;
  if (writes) draws.emplace(corpus, options);
  const Maker maker(session, options);
  LineAppender lines(file);  // takes the lock before the file is read
  const MadeBefore before = made_before(file, session.generator().name(), options.seed);
  if (before.kept > 0) log::note("{}: continuing after {} questions", file, before.kept);
  const long tries = writes ? kTriesEach * options.wanted : std::ssize(given);
  Progress progress("writing", "questions",
                    writes ? options.wanted - before.kept : tries - before.tries);
  CorpusQuestions made{.kept = before.kept};
  std::set<Draw> seen;
  for (long number = 1; number <= tries && !(writes && made.kept >= options.wanted); ++number) {
    throw_if_interrupted();
    std::optional<Candidate> candidate;
    if (writes) {
      const Draw draw = draws->of(number);
      if (!seen.insert(draw).second || number <= before.tries) continue;
      candidate = maker.write(draw);
    } else {
      if (number <= before.tries) continue;
      candidate = given[static_cast<std::size_t>(number - 1)];
    }
    if (!writes) progress.advance();
    const std::optional<Problem> problem = candidate ? maker.settle(&*candidate) : Problem{};
    if (problem) {
      count(problem->flaw, &made);
      continue;
    }
    ++made.kept;
    if (!candidate->refined_from.empty()) ++made.refined;
    lines.append(line_of(session, *candidate, options.seed, number));
    if (writes) progress.advance();
  }
  progress.finish();
  return made;
}

}  // namespace fineprint::train
