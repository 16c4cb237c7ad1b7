// Cuts a question into phrases at its function words.
#include "dialogue/phrases.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "fineprint/core/text.h"

namespace fineprint::dialogue {
namespace {

bool has_capital(const Words& question, std::size_t begin, std::size_t end) {
  for (std::size_t i = std::max<std::size_t>(begin, 1); i < end; ++i) {
    if (is_capital(question[i])) return true;
  }
  return false;
}

// Words around a time that do not say when by themselves.
constexpr std::array<std::string_view, 6> kWithTimes = {"first",  "second", "third",
                                                        "fourth", "year",   "jahr"};

bool is_all_time(const Words& question, std::size_t begin, std::size_t end,
                 const Vocabulary& words) {
  bool has_time = false;
  for (std::size_t i = begin; i < end; ++i) {
    const bool is_number = question[i].key.find_first_not_of("0123456789") == std::string::npos;
    if (is_time(words, question[i].key)) {
      has_time = true;
    } else if (!is_number && !holds(kWithTimes, question[i].key)) {
      return false;
    }
  }
  return has_time;
}

// "and" and "or" within a name: "Wren and Alder Libraries".
bool joins_names(const Words& question, std::size_t at) {
  const bool is_inside = at > 1 && at + 1 < question.size();
  return is_inside && (question[at].key == "and" || question[at].key == "und") &&
         is_capital(question[at - 1]) && is_capital(question[at + 1]);
}

// Collects phrases while it walks over the words.
class PhraseWalk {
 public:
  PhraseWalk(const Words& question, const Vocabulary& words)
      : question_(question), words_(words), asking_end_(end_of_asking(question, words)) {}

  std::vector<Phrase> phrases() {
    for (std::size_t i = 0; i < question_.size(); ++i) step(i);
    close(question_.size());
    return std::move(found_);
  }

 private:
  bool is_content(std::size_t i) const {
    if (joins_names(question_, i)) return true;
    // In names, function words are in upper case: "Old Staithe".
    const bool is_name = i > 0 && is_capital(question_[i]) && question_[i].key.size() > 1;
    if (!is_name && is_function_word(words_, question_[i].key)) return false;
    // After a determiner comes a noun: "the cost", "a fixed rate".
    return !is_verb_form(words_, question_[i]) || (!open_ && !determiner_.empty());
  }

  void step(std::size_t i) {
    if (is_content(i)) {
      // A year ends what it belongs to: "in February 2023 | carry".
      if (open_ && is_bare_year(question_[i - 1].key)) close(i);
      if (!open_) begin_ = i;
      open_ = true;
      return;
    }
    close(i);
    const std::string& key = question_[i].key;
    const bool is_preposition = holds(words_.prepositions, key);
    const bool is_determiner = holds(words_.determiners, key);
    if (is_preposition || !is_determiner || start_ == kNowhere) start_ = i;
    if (!is_determiner) preposition_ = is_preposition ? key : "";
    determiner_ = is_determiner ? key : "";
    if (!is_preposition && !is_determiner) start_ = kNowhere;
    if (holds(words_.modals, key)) after_modal_ = true;
    if (is_preposition) after_modal_ = false;
  }

  void close(std::size_t end) {
    if (!open_) return;
    open_ = false;
    if (begins_with_verb(end)) ++begin_;
    Phrase phrase{.start = start_ == kNowhere ? begin_ : start_, .begin = begin_, .end = end};
    if (phrase.start != begin_ && question_[begin_ - 1].key != determiner_ &&
        question_[begin_ - 1].key != preposition_) {
      phrase.start = begin_;  // a verb comes between
    }
    phrase.preposition = phrase.start == begin_ ? "" : preposition_;
    phrase.determiner = determiner_;
    phrase.asked = begin_ < asking_end_;
    const bool is_subject = after_modal_ && preposition_.empty() && !phrase.asked;
    if (is_subject) phrase.end = without_verb(phrase);
    if (!phrase.asked) after_modal_ = false;
    start_ = kNowhere;
    preposition_.clear();
    determiner_.clear();
    if (phrase.begin >= phrase.end || is_verb_after_who(phrase)) return;
    phrase.time = is_all_time(question_, phrase.begin, phrase.end, words_);
    phrase.named = has_capital(question_, phrase.begin, phrase.end);
    found_.push_back(std::move(phrase));
  }

  // After "does" and "can", the last word of the phrase is the verb: "the Gannet carry".
  std::size_t without_verb(const Phrase& phrase) const {
    if (is_capital(question_[phrase.end - 1])) return phrase.end;
    const bool is_alone = phrase.end - phrase.begin == 1;
    if (is_alone && !phrase.determiner.empty()) return phrase.end;
    return phrase.end - 1;
  }

  // "to" after an auxiliary or a verb, and "I", come before a verb: "have to return goods".
  bool begins_with_verb(std::size_t end) const {
    if (end - begin_ < 2 || begin_ == 0 || !determiner_.empty()) return false;
    if (is_capital(question_[begin_])) return false;
    const std::string& before = question_[begin_ - 1].key;
    if (before == "i" || before == "we" || before == "you") return true;
    if (before != "to" || begin_ < 2) return false;
    const Word& governing = question_[begin_ - 2];
    return holds(words_.auxiliaries, governing.key) || is_verb_form(words_, governing);
  }

  // In "Who chairs the committee?", the word after "who" is the verb.
  bool is_verb_after_who(const Phrase& phrase) const {
    if (phrase.begin == 0 || phrase.end - phrase.begin != 1) return false;
    const std::string& before = question_[phrase.begin - 1].key;
    return (before == "who" || before == "wer") && !is_capital(question_[phrase.begin]);
  }

  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
  const Words& question_;
  const Vocabulary& words_;
  const std::size_t asking_end_;
  std::vector<Phrase> found_;
  std::size_t begin_ = 0, start_ = kNowhere;
  bool open_ = false, after_modal_ = false;
  std::string preposition_, determiner_;
};

// Returns the auxiliary from `at` on, or the word before it that belongs to no noun, as "if".
std::size_t end_of_noun(const Words& question, std::size_t at, const Vocabulary& words) {
  while (at < question.size()) {
    const std::string& key = question[at].key;
    const bool is_in_noun = holds(words.determiners, key) || holds(words.prepositions, key) ||
                            holds(words.quantities, key) || !is_function_word(words, key);
    if (!is_in_noun) break;
    ++at;
  }
  return at;
}

}  // namespace

std::vector<Phrase> phrases_of(const Words& question, const Vocabulary& words) {
  return PhraseWalk(question, words).phrases();
}

// The noun that is asked for ends at the auxiliary; without one, it is one word: "Which reef lost".
std::size_t end_of_asking(const Words& question, const Vocabulary& words) {
  std::size_t at = 0;
  if (at < question.size() && holds(words.prepositions, question[at].key)) ++at;
  if (at >= question.size() || !holds(words.asking, question[at].key)) return 0;
  const bool chooses = holds(words.choosing, question[at].key);
  ++at;
  if (at >= question.size()) return at;
  const bool counts = holds(words.quantities, question[at].key);
  const auto is_auxiliary = [&](const Word& word) { return holds(words.auxiliaries, word.key); };
  const std::size_t auxiliary = end_of_noun(question, at, words);
  if (!chooses && !counts) {
    const bool has_adjective = at + 1 < question.size() && is_auxiliary(question[at + 1]);
    return has_adjective ? at + 1 : at;
  }
  if (auxiliary < question.size() && is_auxiliary(question[auxiliary])) return auxiliary;
  const std::size_t noun = counts ? at + 2 : at + 1;
  return std::min(noun, question.size());
}

std::size_t end_with_attached(const Words& question, const std::vector<Phrase>& phrases,
                              std::size_t index, const Vocabulary& words) {
  std::size_t end = phrases[index].end;
  for (std::size_t i = index + 1; i < phrases.size(); ++i) {
    const Phrase& next = phrases[i];
    if (next.start != end || next.preposition.empty() || next.time) break;
    // "in total" says how it is asked, not of what.
    if (next.determiner.empty() && holds(words.attributes, question[next.begin].key)) break;
    end = next.end;
  }
  return end;
}

}  // namespace fineprint::dialogue
