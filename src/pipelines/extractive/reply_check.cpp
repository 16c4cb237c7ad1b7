// Looks for what proves a reply, compares it with the extractive pipeline's answer, and chooses.
#include "pipelines/extractive/reply_check.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "fineprint/core/json.h"

#include "pipelines/extractive/drafts.h"
#include "pipelines/extractive/reply_signs.h"
#include "pipelines/extractive/same_answer.h"

namespace fineprint::pipelines::extractive {
namespace {

// A sentence or row, and how much of the reply's answer is in it.
struct Proof {
  SnippetCandidate candidate;
  double held = 0;
};

std::vector<PageId> cited_pages(const session::Corpus& corpus, const Answer& reply) {
  std::vector<PageId> pages;
  for (const Citation& citation : reply.citations) {
    const std::optional<DocumentId> document = corpus.document_named(citation.page.doc);
    if (!document) continue;
    const PageId page = corpus.page_number(*document, citation.page.page);
    if (std::ranges::find(pages, page) == pages.end()) pages.push_back(page);
  }
  return pages;
}

// Returns the pages that the search did not give to read.
std::vector<PageId> not_read(const AskedPages& asked, std::vector<PageId> pages) {
  const auto read = std::span(asked.found).first(asked.pages.size());
  std::erase_if(pages, [&](PageId page) {
    return std::ranges::find(read, page, &retrieve::FoundPage::page) != read.end();
  });
  return pages;
}

// Returns whether the answer comes from pictures alone, about which words say nothing.
bool is_from_pictures(const session::Corpus& corpus, const std::vector<PageId>& cited) {
  return !cited.empty() &&
         std::ranges::all_of(cited, [&](PageId page) { return corpus.page(page).words.empty(); });
}

// Returns the candidate that holds most of the answer, of equal ones the one that fits the question
// best, or nullopt if none holds any of it.
std::optional<Proof> best_proof(const AskedPages& asked, const std::string& answer,
                                const std::vector<SnippetCandidate>& compared) {
  std::optional<Proof> best;
  for (std::size_t place = 0; place < asked.pages.size(); ++place) {
    for (SnippetCandidate& one : candidates_on(asked, place)) {
      const double held = share_held(one.snippet.text, answer);
      if (held == 0 || (best && held < best->held)) continue;
      if (best && held == best->held && one.score <= best->candidate.score) continue;
      best = Proof{.candidate = std::move(one), .held = held};
    }
  }
  if (!best) return best;
  const auto known = std::ranges::find_if(compared, [&](const SnippetCandidate& candidate) {
    return candidate.page == best->candidate.page &&
           candidate.snippet.first_word == best->candidate.snippet.first_word;
  });
  // The known candidate has the encoder's score.
  if (known != compared.end()) best->candidate = *known;
  return best;
}

// Returns whether a reply gives the value, alone or in a sentence.
bool gives(const std::string& reply, const std::string& value) {
  return is_same_answer(value, reply) || share_held(reply, value) == 1;
}

// Returns the probability that the QA model gives to answers that say the same.
std::optional<double> weight_of(const Drafts& drafts, const std::string& said) {
  if (!drafts.read) return std::nullopt;
  double sum = 0;
  for (const evidence::WeighedText& one : drafts.read->execution.answers) {
    if (gives(said, one.text)) sum += one.probability;
  }
  return std::min(sum, 1.0);
}

ReplySigns signs_of_reply(const AskedPages& asked, const Drafts& drafts, const session::Pool& pool,
                          const Answer& reply, const std::string& said,
                          const std::optional<Proof>& proof) {
  const Draft& best = drafts.best();
  ReplySigns signs{.answers = reply.answerable,
                   .says = !said.empty(),
                   .kind_fits = !lacks_kind(asked, said, asked.query.language),
                   .quotes_sentence = !best.value,
                   .quote_read = weight_of(drafts, best.text()),
                   .quote_confidence = confidence(best.signs),
                   .answerability = lenient_answerability(best.signs)};
  if (reply.weighed) signs.certainty = reply.answerable ? reply.confidence : 1 - reply.confidence;
  if (!signs.says) return signs;
  signs.same_as_quote = best.value ? gives(said, *best.value) : share_held(best.text(), said) == 1;
  signs.same_as_reading = drafts.pointed_at && gives(said, drafts.pointed_at->text());
  signs.repeats_question = !best.signs.demands.comparison && repeats(asked.query.core, said);
  signs.read = weight_of(drafts, said);
  signs.proved = proof || asked.kind == text::AnswerKind::yes_no || best.signs.demands.arithmetic;
  if (!proof) return signs;
  const Signs of_proof = signs_of(asked, {proof->candidate}, pool, /*has_value=*/true);
  signs.held = proof->held;
  signs.quoted = of_proof.quoted;
  signs.names = of_proof.names;
  signs.years = of_proof.years;
  signs.cosine = of_proof.quote_cosine;
  return signs;
}

void tell_check(const session::Context& context, const ReplySigns& signs, const ReplyOdds& odds,
                const std::string& said, const std::string& quote, std::string_view given) {
  if (!context.events.wants_fields()) return;
  Json fields = {
      {"reply", said},
      {"quote", quote},
      {"given", given},
      {"answers", signs.answers},
      {"says", signs.says},
      {"proved", signs.proved},
      {"held", signs.held},
      {"quoted", signs.quoted},
      {"names", signs.names},
      {"years", signs.years},
      {"cosine", signs.cosine},
      {"kind_fits", signs.kind_fits},
      {"same_as_quote", signs.same_as_quote},
      {"same_as_reading", signs.same_as_reading},
      {"quotes_sentence", signs.quotes_sentence},
      {"repeats_question", signs.repeats_question},
      {"quote_confidence", signs.quote_confidence},
      {"answerability", signs.answerability},
      {"odds", {{"reply", odds.reply}, {"quote", odds.quote}, {"answerable", odds.answerable}}}};
  if (signs.certainty) fields["certainty"] = *signs.certainty;
  if (signs.read) fields["read"] = *signs.read;
  if (signs.quote_read) fields["quote_read"] = *signs.quote_read;
  context.events.tell({.step = "check", .fields = dump_json(fields)});
}

// Puts the proof first, and the reply's own citations after it.
std::vector<Citation> with_proof_first(const session::Context& context,
                                       const std::optional<Proof>& proof,
                                       const std::vector<Citation>& own) {
  // Half of the words may be anywhere.
  constexpr double kMostly = 0.6;
  std::vector<Citation> citations;
  if (proof && proof->held > kMostly) citations.push_back(citation_of(context, proof->candidate));
  for (const Citation& one : own) {
    const bool known = std::ranges::any_of(citations, [&](const Citation& earlier) {
      return earlier.page == one.page && (one.quote.empty() || earlier.quote == one.quote);
    });
    if (!known) citations.push_back(one);
  }
  return citations;
}

}  // namespace

std::optional<Answer> checked_reply(session::Context& context, const Question& question,
                                    const Answer& reply, const PipelineOptions& options) {
  const session::Models& models = context.session.models();
  const session::Corpus& corpus = context.session.corpus();
  const std::vector<PageId> cited = cited_pages(corpus, reply);
  if (is_from_pictures(corpus, cited)) return std::nullopt;
  const models::QaModel* model = qa_model(models, options);
  AskedPages asked(context, question.text, before_reading(models, options), model != nullptr);
  asked.add(context, not_read(asked, cited));
  std::vector<SnippetCandidate> candidates = ranked_candidates(context, asked);
  if (candidates.empty()) return std::nullopt;
  const session::Pool pool = corpus.pool(options.search.docs);
  const Drafts drafts = drafts_of(context, model, asked, pool, std::move(candidates));
  const Draft& quote = drafts.best();
  // Small models often answer and then say that there is no answer.
  const std::string& said = reply.answerable ? reply.answer : reply.withdrawn;
  const std::optional<Proof> proof = best_proof(asked, said, quote.candidates);
  const ReplySigns signs = signs_of_reply(asked, drafts, pool, reply, said, proof);
  const ReplyOdds odds = odds_of(signs);

  Answer answer = reply;
  answer.weighed = true;
  answer.answerability = odds.answerable;
  const bool gives_reply = prefers_reply(signs, odds);
  const double right = gives_reply ? odds.reply : odds.quote;
  answer.answerable =
      odds.answerable >= options.answer.min_answerability && right >= options.answer.min_confidence;
  answer.confidence = answer.answerable ? right : 1 - odds.answerable;
  if (!answer.answerable) {
    answer.answer = kNotAnswerable;
  } else if (gives_reply) {
    answer.answer = said;
    answer.citations = with_proof_first(context, proof, reply.citations);
  } else {
    answer.answer = quote.text();
    answer.citations = citations_of(context, quote);
  }
  tell_check(context, signs, odds, said, quote.text(),
             !answer.answerable ? "nothing"
             : gives_reply      ? "reply"
                                : "quote");
  return answer;
}

}  // namespace fineprint::pipelines::extractive
