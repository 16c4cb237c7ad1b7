// A small grammar of English sentences that abstain.
//
// A grammar and not a list of phrases, because what counts is the subject: "I cannot determine"
// means no answer, but "the company cannot determine" is one.
#include "agents/declining_clause.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <string>

#include "fineprint/core/option.h"

namespace fineprint::agents {
namespace {

using WordList = std::span<const std::string_view>;

constexpr std::string_view kOpeners[] = {
    "sorry",      "unfortunately", "regrettably", "apologies",   "i'm sorry",
    "i am sorry", "i'm afraid",    "i am afraid", "i apologise", "i apologize",
    "but",        "that",          "it seems",    "it appears"};
constexpr std::string_view kBases[] = {"based on", "according to", "from", "given",
                                       "in",       "within",       "with", "using"};
// Words for what was shown, and the words around them.
constexpr std::string_view kBeforeSources[] = {
    "the",       "these",     "this",     "those", "any",   "any of",    "all",
    "of",        "your",      "my",       "our",   "given", "provided",  "supplied",
    "available", "retrieved", "attached", "above", "shown", "following", "text"};
constexpr std::string_view kSources[] = {
    "documents", "document",    "pages",     "page",   "passages", "passage",  "texts",   "text",
    "context",   "material",    "materials", "files",  "file",     "excerpts", "excerpt", "sources",
    "source",    "information", "content",   "images", "image",    "snippets", "snippet"};
constexpr std::string_view kAfterSources[] = {"provided", "given",       "above",     "supplied",
                                              "shown",    "here",        "available", "you gave",
                                              "i have",   "you provided"};
constexpr std::string_view kWriters[] = {"i"};  // not "we", which may be whoever wrote the pages
constexpr std::string_view kCannot[] = {
    "cannot",          "can't",           "can not",       "could not",      "couldn't",
    "am unable to",    "was unable to",   "are unable to", "were unable to", "am not able to",
    "was not able to", "are not able to", "do not",        "don't",          "did not",
    "didn't",          "have not",        "haven't",       "do not seem to", "don't seem to"};
constexpr std::string_view kAdverbs[] = {"actually",   "currently", "reliably",    "definitively",
                                         "directly",   "really",    "seem to",     "appear to",
                                         "explicitly", "clearly",   "been able to"};
constexpr std::string_view kFinding[] = {
    "find",     "found",   "locate",    "see",    "identify", "determine",   "answer",
    "tell",     "say",     "provide",   "give",   "extract",  "derive",      "infer",
    "confirm",  "know",    "establish", "verify", "retrieve", "have enough", "have information",
    "have any", "have the"};
constexpr std::string_view kDoNot[] = {"do not", "don't",   "does not", "doesn't", "did not",
                                       "didn't", "fail to", "fails to", "cannot",  "can't"};
constexpr std::string_view kHolding[] = {"contain",
                                         "include",
                                         "mention",
                                         "specify",
                                         "state",
                                         "say",
                                         "provide",
                                         "give",
                                         "hold",
                                         "show",
                                         "list",
                                         "have",
                                         "tell",
                                         "answer",
                                         "indicate",
                                         "disclose",
                                         "address",
                                         "reveal",
                                         "cover",
                                         "discuss",
                                         "describe",
                                         "identify",
                                         "seem to contain",
                                         "appear to contain"};
constexpr std::string_view kHave[] = {"contain no", "contains no", "have no",    "has no",
                                      "give no",    "gives no",    "provide no", "provides no",
                                      "make no",    "makes no",    "offer no",   "offers no",
                                      "hold no",    "holds no",    "lack",       "lacks"};
constexpr std::string_view kThereIsNo[] = {
    "there is no",   "there's no",       "there are no",    "there was no",
    "there were no", "there is not any", "there isn't any", "no",
    "i see no",      "i find no",        "i found no",      "i have no"};
constexpr std::string_view kKinds[] = {"such",     "relevant", "specific", "further",
                                       "explicit", "direct",   "clear",    "the"};
constexpr std::string_view kToAnswerWith[] = {"information", "mention", "answer", "details",
                                              "detail"};
constexpr std::string_view kAboutIt[] = {
    "is",        "was", "are", "were",       "about", "on",    "of",   "that",     "to",       "in",
    "regarding", "for", "can", "concerning", "given", "found", "here", "provided", "available"};
constexpr std::string_view kNoneOf[] = {"none of", "neither of"};
constexpr std::string_view kHolds[] = {"contains", "includes", "mentions", "specifies", "states",
                                       "says",     "provides", "gives",    "shows",     "answers"};
constexpr std::string_view kPronouns[] = {"it", "this", "that"};
constexpr std::string_view kAnswers[] = {"the answer",
                                         "an answer",
                                         "answer",
                                         "this information",
                                         "that information",
                                         "the information",
                                         "the requested information",
                                         "the question",
                                         "this question",
                                         "such information"};
constexpr std::string_view kIsNot[] = {"is not",       "isn't",       "was not",  "wasn't",
                                       "are not",      "cannot be",   "can't be", "can not be",
                                       "could not be", "couldn't be", "not"};
constexpr std::string_view kFound[] = {"found",     "stated",   "mentioned",
                                       "specified", "answered", "determined",
                                       "disclosed", "derived",  "inferred"};
constexpr std::string_view kGiven[] = {"given",    "provided", "available", "contained",
                                       "included", "present",  "listed",    "shown"};
constexpr std::string_view kWhere[] = {"in", "on", "by", "within", "from", "anywhere in"};
constexpr std::string_view kTurns[] = {"but",          "however", "though",     "although",
                                       "nevertheless", "instead", "nonetheless"};

// Walks over the words of a reply. Each step takes the phrase that it finds, or stays where it is.
class Walk {
 public:
  explicit Walk(std::string_view words) : rest_(words) {}

  // Takes the longest of the phrases that the rest begins with. Returns false if there is none.
  bool take(WordList phrases) {
    std::size_t longest = 0;
    for (const std::string_view phrase : phrases) {
      if (starts_with(phrase)) longest = std::max(longest, phrase.size());
    }
    if (longest == 0) return false;
    rest_.remove_prefix(std::min(longest + 1, rest_.size()));
    return true;
  }
  void take_all(WordList phrases) {
    while (take(phrases)) {
    }
  }
  bool ended() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }

 private:
  bool starts_with(std::string_view phrase) const {
    return rest_.starts_with(phrase) &&
           (rest_.size() == phrase.size() || rest_[phrase.size()] == ' ');
  }

  std::string_view rest_;
};

// Takes "the given pages", "any of the documents you provided".
bool take_sources(Walk* walk) {
  Walk before = *walk;
  // "text" may precede another noun and be one itself; the noun is the last word that fits.
  for (Walk there = *walk; there.take(kBeforeSources);) {
    if (Walk noun = there; noun.take(kSources)) before = there;
  }
  if (!before.take(kSources)) return false;
  before.take_all(kAfterSources);
  *walk = before;
  return true;
}

// Takes "i cannot find", "i was not able to determine".
bool writer_cannot(Walk* walk) {
  if (!walk->take(kWriters) || !walk->take(kCannot)) return false;
  walk->take_all(kAdverbs);
  return walk->take(kFinding);
}

// Takes "the pages do not mention", "the documents contain no".
bool sources_lack(Walk* walk) {
  if (!take_sources(walk)) return false;
  if (walk->take(kHave)) return true;
  if (!walk->take(kDoNot)) return false;
  walk->take_all(kAdverbs);
  return walk->take(kHolding);
}

// Takes "none of the passages mentions it".
bool none_of_the_sources(Walk* walk) {
  return walk->take(kNoneOf) && take_sources(walk) && (walk->take(kHolding) || walk->take(kHolds));
}

// Takes "there is no information about", "no answer is given".
bool there_is_nothing(Walk* walk) {
  if (!walk->take(kThereIsNo)) return false;
  walk->take_all(kKinds);
  return walk->take(kToAnswerWith) && (walk->ended() || walk->take(kAboutIt));
}

// Takes "the answer is not given", "it could not be found", "not mentioned in the text".
bool it_is_not_there(Walk* walk) {
  const bool of_the_answer = walk->take(kAnswers);
  const bool of_it = !of_the_answer && walk->take(kPronouns);
  if (!walk->take(kIsNot)) return false;
  walk->take_all(kAdverbs);
  const bool found = walk->take(kFound);
  if (!found && !walk->take(kGiven)) return false;
  // "It is not given" may mean any subject: it counts only with the pages as the place.
  if (of_the_answer || (of_it && found && walk->ended())) return true;
  return walk->take(kWhere) && take_sources(walk);
}

// Returns whether the words after the clause turn to an answer: "but note 4 gives 12".
bool turns_to_an_answer(std::string_view words) {
  return std::ranges::any_of(split_texts(words, ' '), [](const std::string& word) {
    return std::ranges::find(kTurns, word) != std::end(kTurns);
  });
}

}  // namespace

bool begins_by_declining(std::string_view sentence, std::string_view reply) {
  Walk start(sentence);
  start.take_all(kOpeners);
  if (Walk based = start; based.take(kBases) && take_sources(&based)) start = based;
  for (const auto clause :
       {writer_cannot, sources_lack, none_of_the_sources, there_is_nothing, it_is_not_there}) {
    Walk walk = start;
    if (!clause(&walk)) continue;
    const std::size_t read = sentence.size() - walk.rest().size();
    return !turns_to_an_answer(reply.substr(std::min(read, reply.size())));
  }
  return false;
}

}  // namespace fineprint::agents
