// Recognises the demands of a question by its words.
#include "pipelines/extractive/demands.h"

#include "fineprint/core/unicode.h"
#include "fineprint/text/pattern.h"

namespace fineprint::pipelines::extractive {
namespace {

using text::Pattern;

// "times" only before a comparison: "how many times" asks for a count.
const Pattern& arithmetic_words() {
  static const Pattern kWords(
      R"((?x)\b (?: ratio s? | average | mean | median | difference s? | sum | combined | altogether |
         calculate | compute | times (?= \s+ (?: more | less | as | larger | smaller | higher ) ) |
         (?: percentage | percent | % ) \s+ (?: points? \s+ )? (?: change | increase | decrease | difference ) |
         (?: change | increase | decrease | growth | decline | rise | drop ) \s+ (?: in | of | rate | from |
           between ) |
         (?: grow | grew | grown | increase d? | decrease d? | change d? | decline d? | improve d? ) \b
           (?= .* \b (?: from | between | compared | relative | over | since | versus ) \b ) |
         year \s+ over \s+ year | yoy | cagr | return \s+ on | days \s+ (?: payable |
         sales | inventory ) | in \s+ total | total \s+ (?: number | amount ) \s+ of | per \s+ capita |
         how \s+ (?: much | many ) \s+ (?: more | less | fewer | longer | larger | higher | lower ) | proportion |
         fraction | quick \s+ ratio | working \s+ capital ) \b)",
      Pattern::Case::sensitive);
  return kWords;
}

// Superlatives count too: "the highest" requires looking at all candidates.
const Pattern& comparison_words() {
  static const Pattern kWords(
      R"((?x)\b (?: (?: more | less | fewer | greater | higher | lower | larger | smaller | longer | shorter |
           better | worse | older | younger | bigger ) (?: \s+ \w+ ){0,3} \s+ than |
         which \b .* \b (?: more | less | fewer | greater | higher | lower | larger | smaller | most | least ) |
         exceed (?: s | ed )? | compare d? | versus | vs | rank (?: s | ed | ing )? |
         (?: in | reverse | rising | falling | ascending | descending | alphabetical ) \s+ order |
         most | least | fewest | highest | lowest | largest | smallest | biggest | longest | shortest |
         oldest | youngest | maximum | minimum | top \s+ (?: \d+ | two | three | five | ten ) |
         (?: second | third | fourth ) \s+ (?: place | to ) | (?: comes? | came | ranks? | ranked | finished ) \s+
         (?: in \s+ )? (?: second | third | fourth ) | same | both | common | between \b .* \b and |
         above | below | before | after | previous | next ) \b)",
      Pattern::Case::sensitive);
  return kWords;
}

// Words for pictures, colours and positions, and counts of parts of the document ("how many
// tables"), which text cannot answer. A plot may be of land and a bar a place to drink, so these
// count only where they are clearly drawn.
const Pattern& looking_words() {
  static const Pattern kWords(
      R"((?x)\b (?: colou? r s? | coloured | colored | red | blue | green | yellow | orange | purple | pink |
         black | white | gr[ae]y | brown | shape s? | icon s? | logo s? | pictures? | photo s? |
         photograph s? | images? | screenshots? | illustration s? | diagram s? | charts? | graphs? |
         (?: scatter | box | bar | line | violin | contour ) [\s-]* plots? |
         (?: in | from | on | by | does | do ) \s+ (?: the | this ) \s+ plots? \b (?! \s+ (?: of \s+ land | no \b | \d ) ) |
         plots? \s+ (?: shows? | in \s+ (?: the \s+ )? figure ) |
         bars? \s+ (?: represents? | shows? | indicates? | (?: is | are ) \s+ (?: drawn | shown ) ) |
         pie | axis | axes | curve s? | legend | map s? | arrow s? | figures? \s+ \d+ |
         figures? (?= \s+ (?: are | in | show | on ) ) | drawn | depicted | visible | wearing | holding |
         standing | left | right | bottom | top (?! \s+ (?: \d+ | two | three | five | ten ) ) | corner |
         (?: how \s+ many | number \s+ of ) \s+ (?: \w+ \s+ ){0,2} (?: pages? | slides? | tables? | figures? |
         charts? | sections? | chapters? | equations? | columns? | rows? | bullets? | times | people \s+ in |
         references? | footnotes? | words? ) ) \b)",
      Pattern::Case::sensitive);
  return kWords;
}

const Pattern& several_words() {
  static const Pattern kWords(
      R"((?x)\b (?: respectively | (?: which | what ) \s+ years | each \s+ of | list | enumerate | all \s+ (?: the | of ) | and \s+ (?: what |
         which | who | when | where | how | why ) | both ) \b |
         \? .* \b (?: what | which | who | when | where | how | why ) \b)",
      Pattern::Case::sensitive);
  return kWords;
}

const Pattern& reason_words() {
  static const Pattern kWords(
      R"((?x)\b (?: why | reasons? | how \s+ (?: do | does | did | is | are | was | were | can | should ) | explain |
         describe | purpose | cause s? | caused | driver s? | affect s? | mean s? \s+ by | definition )
         \b)",
      Pattern::Case::sensitive);
  return kWords;
}

const Pattern& change_words() {
  static const Pattern kWords(
      R"((?x)\b (?: increase[ds]? | decrease[ds]? | change[ds]? | grow s? | grew | growth | grown | rise s? | rose |
         risen | fall s? | fell | fallen | decline[ds]? | drop s? | dropped | up | down | more | less ) \b)",
      Pattern::Case::sensitive);
  return kWords;
}

}  // namespace

Demands demands(std::string_view question) {
  // The expressions are written in lower case, so the question is folded once for all of them.
  const std::string folded = fold(question);
  return {.arithmetic = arithmetic_words().occurs_in(folded),
          .comparison = comparison_words().occurs_in(folded),
          .looking = looking_words().occurs_in(folded),
          .several = several_words().occurs_in(folded),
          .reasons = reason_words().occurs_in(folded),
          .change = change_words().occurs_in(folded)};
}

bool asks_amount(std::string_view question) {
  // "What was the total revenue of ..." asks for an amount; other words in between show that it
  // asks for something else ("what was the reason for the loss").
  static const Pattern kAsked(
      R"((?x)\b how \s+ much \b | \b in \s+ (?: us \s+ )? (?: dollars | euros | pounds | usd | thousands | millions |
         billions ) \b | \b (?: what (?:'s)? | which ) \s+ (?: is | was | were | are | amount | sum )?
         \s* (?: (?! (?: of | for | in | on | at | to | by | that | which | related | reasons? | name | date | duration |
         period | year s? | purpose | impact | effect | method | definition | type s? ) \b ) [\p{L}\d'’&,-]+ \s+ ){0,6}?
         (?: cost s? | price s? | revenues? | sales | income | earnings? | profits? | loss(?:es)? | expenses? | cash |
         salary | salaries | wages? | budget | debt | dividends? | assets | liabilities | equity | capex |
         expenditures? | ebitda? | fees? | funding | purchases? | payments? | proceeds | inventor(?:y|ies) |
         payables? | receivables? | goodwill | depreciation | amortization | valuation | amount | total |
         estimate | fare | grant s? | loan s? | rent | value ) \b |
         \b what \s+ (?: does | did | do | will ) \b .* \b (?: cost | pay | spend | charge | earn | owe ) \b)",
      Pattern::Case::sensitive);
  static const Pattern kQuestionWord(
      R"(\b(?:what|which|who|whom|whose|when|where|why|how|over|does|did|is|are|was|were)\b)",
      Pattern::Case::sensitive);
  const std::string folded = fold(question);
  // Keywords such as "net sales 2022" ask for the amount.
  return kAsked.occurs_in(folded) || !kQuestionWord.occurs_in(folded);
}

bool asks_share(std::string_view question) {
  static const Pattern kAsked(
      R"((?x)\b (?: how \s+ (?: much | many | large | big | high ) | (?: what (?:'s)? | which ) \s+ (?: is | was | were |
         are | percent(?:age)? s? | per \s cent | share | proportion | part | fraction | rate ) | in \s+ per \s* cent ) \b |
         % )",
      Pattern::Case::sensitive);
  static const Pattern kQuestionWord(R"(\b(?:what|which|who|whom|when|where|why|how)\b)",
                                     Pattern::Case::sensitive);
  const std::string folded = fold(question);
  return kAsked.occurs_in(folded) || !kQuestionWord.occurs_in(folded);
}

}  // namespace fineprint::pipelines::extractive
