// Prepares pictures of a question for the scorers.
#include "retrieve/picture_query.h"

#include <algorithm>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/unicode.h"

namespace fineprint::retrieve {
namespace {

// Bytes of a picture's text that are searched for. A page of text has fewer; the terms beyond say
// little more about which page it is.
constexpr std::size_t kMostPictureText = 5000;

}  // namespace

bool PictureQuery::is_query_of(const ChosenScorer& scorer) const {
  return scorer.sight == Sight::image || !query.asked_terms.empty();
}

bool PictureQuery::try_to_rank(const ChosenScorer& scorer,
                               const std::function<void()>& rank) const {
  PictureRecord& record = context->pictures[number].record;
  try {
    rank();
  } catch (const Error& error) {
    const bool is_of_model = error.code() == ErrorCode::model || error.code() == ErrorCode::usage;
    if (scorer.sight != Sight::image || !is_of_model) throw;
    record.note(format("the vectors \"{}\" were not compared with it: {}", scorer.set,
                       std::string_view(error.what())));
    return false;
  }
  record.note_use(scorer.sight == Sight::image ? scorer.set : "words");
  return true;
}

// The words of a picture are a part of a page and no question: nothing is added to them, and a
// printed page number is not meant.
std::vector<PictureQuery> pictures_of(session::Context& context, const SearchOptions& options) {
  QueryOptions words = options.query;
  words.named_pages = false;
  words.glossary = false;
  std::vector<PictureQuery> queries;
  for (std::size_t i = 0; i < context.pictures.size(); ++i) {
    const std::string text =
        valid_utf8(context.pictures[i].record.text.substr(0, kMostPictureText));
    queries.push_back({.context = &context,
                       .number = i,
                       .query = prepare_query(text, context.session.corpus().languages(), words)});
  }
  return queries;
}

std::vector<ChosenScorer> sets_for_pictures(const session::Session& session,
                                            const std::vector<PictureQuery>& pictures,
                                            const std::vector<ChosenScorer>& chosen) {
  const bool sees = std::ranges::any_of(
      chosen, [](const ChosenScorer& scorer) { return scorer.sight == Sight::image; });
  if (pictures.empty() || sees) return {};
  for (const char* set : {"late", "page"}) {
    if (!session.has_vectors(set)) continue;
    SearchOptions only;
    only.scorers = {set};
    return choose_scorers(only);
  }
  return {};
}

}  // namespace fineprint::retrieve
