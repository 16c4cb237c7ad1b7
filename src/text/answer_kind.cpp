// Recognises the kind of answer that a question asks for by its words.
#include "fineprint/text/answer_kind.h"

#include <array>

#include "fineprint/core/unicode.h"
#include "fineprint/text/language.h"
#include "fineprint/text/pattern.h"

#include "text/local_answer_kind.h"

namespace fineprint::text {
namespace {

// A rule applies if its expression occurs in the folded question. The first rule that applies
// decides.
struct Rule {
  AnswerKind kind;
  Pattern pattern;
  Rule(AnswerKind rule_kind, const std::string& expression)
      : kind(rule_kind), pattern("(?x)" + expression, Pattern::Case::sensitive) {}
};

// Nouns and verbs that make "how much" or "what is" a question about money.
constexpr const char* kMoneyWords =
    R"((?: cost s? | price s? | loss(?:es)? | pay | paid | spen[dt] | spending | dollars? | usd | eur | euros? |
       revenues? | sales | income | earnings? | earn s? | earned | profits? | expenses? | cash |
       salary | salaries | wages? | budget | debt | dividends? | assets | liabilities | equity |
       capex | capital\ expenditures? | expenditures? | ebitda? | money | worth | invest(?:ed|ment s?)? |
       fees? | fund(?:s|ing|ed)? | purchases? | payments? | proceeds | inventor(?:y|ies) |
       payables? | receivables? | goodwill | depreciation | amortization | pp&e | valuation ))";

// Excludes ratios: "what is the ratio of debt to equity" asks for a plain number.
const std::string& money_rule() {
  static const std::string kRule =
      std::string(R"(\b how \s+ much \b .* \b)") + kMoneyWords +
      R"(\b | \$ | \b in \s+ (?: usd | us \s dollars | dollars | euros? ) \b |
         \b what (?:'s)? \s+ (?: is | was | were | are )? \b (?! .* \b ratio \b) .* \b)" +
      kMoneyWords + R"(\b)";
  return kRule;
}

// The order matters. Specific kinds come first; the last rows catch questions that no earlier row
// took: for example, "who" is a name only if the question does not ask for a date or an amount.
const std::array<Rule, 13>& rules() {
  static const std::array<Rule, 13> kRules = {{
      {AnswerKind::percent,
       R"(% | \b percent(?:age s?)? \b | \b per \s cent \b | \b what \s+ (?: proportion | share |
          fraction ) \b | \b growth \s+ rate \b | \b rate \s+ of \s+ growth \b |
          \b what .* \b (?: tax | interest | unemployment | response | error | accuracy | success )
          \s+ rate \b | \b what .* \b margin s? \b )"},
      {AnswerKind::phone,
       R"(^ (?! .* \b how \s+ (?: many | much | often ) \b ) .* \b (?: phone | telephone | fax | mobile |
          cell | contact | hotline | helpline ) (?: \s+ phone )? \s+ (?: number s? | no s? \b ) (?! \s+ longer ))"},
      {AnswerKind::email,
       R"(^ (?! .* \b how \s+ (?: many | much | often ) \b ) .* \b e -? mail \s+ (?: address | id ) |
          \b what (?: 's | \s+ is ) \s+ (?: \w+ (?: 's )? \s+ ){0,6} e -? mail (?= \s+ (?: of | for | to ) \b | \s* [?] ))"},
      {AnswerKind::website,
       R"(\b what (?: 's | \s+ is ) \s+ (?! .* \b (?: most | best | top ) \b ) (?: \w+ (?: 's )? \s+ ){0,6}
          (?: web \s? site | web \s address | url | home \s? page ) (?= \s+ (?: of | for | to | where | address ) \b | \s* [?] ))"},
      {AnswerKind::count,
       R"(\b how \s+ many \b | \b (?: what | give | find | calculate ) .* \b number \s+ of \b |
          \b how \s+ often \b | \b count \s+ (?: of | the ) \b)"},
      {AnswerKind::list,
       R"(^ \s* (?: please \s+ )? (?: list | enumerate | name \s+ (?: all | the \s+ (?: two | three |
          four | five | six ) | two | three | four | five ) ) \b | [.,?!] \s+ (?: please \s+ )? list \b |
          \b (?: what | which ) \s+ (?: are | were ) \s+ (?: the | all ) \s+ (?: two | three | four | five |
          six | seven | main | key | major | names | \w+ s ) \b (?! .* \b (?: revenues? | sales |
          earnings | assets | liabilities | expenses ) \b ) |
          \b which \s+ (?! (?: year | of | business | boss ) \b ) \w+ s \s+ (?: are | were | have | do | did ) \b )"},
      {AnswerKind::date,
       R"(\b (?: when | how \s+ recently ) \b (?: \s+ (?: is | was | were | are | did | do | does | will |
          has | have | had | can | should | must ) \b ) | ^ \s* when \b |
          \b (?: what | which ) \s+ (?: \w+ \s+ ){0,2} (?: year s? | date s? | day | month | quarter | decade |
          century | time \s+ period | period ) \b |
          \b what \s+ (?: is | was ) \s+ the \s+ (?: \w+ \s+ ){0,3} (?: date | deadline | birthday ) \b |
          \b (?: at | by ) \s+ what \s+ time \b | \b what \s+ time \b )"},
      {AnswerKind::money, money_rule()},
      {AnswerKind::number,
       R"(\b how \s+ (?: much | long | far | tall | old | large | big | fast | high | wide | deep |
          heavy | hot | cold | thick | close | frequently | accurate ) \b |
          \b what (?:'s)? \s .* \b (?: ratio | score | average | mean | median | rank | size | length |
          height | age | weight | width | depth | temperature | speed | distance | population | value |
          total | sum | difference | amount | figure | quantity | volume | turnover | level | index |
          maximum | minimum | duration | eps | days ) \b | \b (?: calculate | compute ) \b)"},
      {AnswerKind::name,
       R"(\b (?: who | whom | whose | where ) \b | \b (?: what | which ) \s+ (?: \w+ \s+ ){0,2}
          (?: company | companies | person | people | country | countries | city | state | team | author s? |
          university | organi[sz]ation | institution | bank | firm | brand | segment | product | player |
          region | county | department | agency | school | model | platform | website | app | party |
          language | race | auditor | ceo | cfo | president | director ) \b |
          \b (?: the | full ) \s+ name s? \s+ of \b | \b what .* \b (?: called | named ) \b | ^ \s* name \b |
          \b (?: headquartered | located ) \b)"},
      {AnswerKind::list,
       R"(\b what \s+ (?: types | kinds | factors | steps | reasons | items | names ) \b)"},
      {AnswerKind::money, R"(\b amount \b .* \b (?: paid | spent | due | owed ) \b)"},
      {AnswerKind::number, R"(\b what \s+ (?: percentile | number ) \b | \b ratio \b)"},
  }};
  return kRules;
}

// Returns true if the question, or a clause of it, begins with an auxiliary verb before any "wh"
// word.
bool asks_yes_or_no(std::string_view question) {
  static const Pattern kOpening(
      R"((?x)(?: ^ | [.?!,;:] ) \s* (?: is | are | was | were | does | do | did | has | have | had | can |
         could | will | would | should | must | may | isn't | aren't | doesn't | don't | didn't ) \s)",
      Pattern::Case::sensitive);
  static const Pattern kOtherQuestion(
      R"((?x)\b (?: what | which | who | whom | whose | when | where | why | how ) \b)",
      Pattern::Case::sensitive);
  static const Pattern kChoice(R"((?x)\s or \s (?! not \b ))", Pattern::Case::sensitive);
  const auto openings = kOpening.find_all(question);
  if (openings.empty()) return false;
  const auto others = kOtherQuestion.find_all(question);
  const std::uint32_t start = openings.front().whole().begin;
  if (!others.empty() && others.front().whole().begin < start) return false;
  // "Is it A or B?" asks for a choice, not for yes or no.
  const std::size_t end = question.find('?', start);
  return !kChoice.occurs_in(question.substr(start, end - start));
}

}  // namespace

std::string_view kind_name(AnswerKind kind) {
  switch (kind) {
    case AnswerKind::text:
      return "text";
    case AnswerKind::number:
      return "number";
    case AnswerKind::money:
      return "money";
    case AnswerKind::percent:
      return "percent";
    case AnswerKind::date:
      return "date";
    case AnswerKind::name:
      return "name";
    case AnswerKind::yes_no:
      return "yes_no";
    case AnswerKind::list:
      return "list";
    case AnswerKind::count:
      return "count";
    case AnswerKind::phone:
      return "phone";
    case AnswerKind::email:
      return "email";
    case AnswerKind::website:
      return "website";
  }
  return "text";
}

bool is_address(AnswerKind kind) {
  return kind == AnswerKind::phone || kind == AnswerKind::email || kind == AnswerKind::website;
}

AnswerKind answer_kind(std::string_view question, std::string_view language) {
  if (!is_english(language)) return local_answer_kind(question, language);
  const std::string folded = fold(question);
  if (asks_yes_or_no(folded)) return AnswerKind::yes_no;
  for (const Rule& rule : rules()) {
    if (rule.pattern.occurs_in(folded)) return rule.kind;
  }
  return AnswerKind::text;
}

}  // namespace fineprint::text
