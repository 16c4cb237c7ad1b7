// A transcript test of a pipeline, as it stands in tests/pipelines/NAME.case: what is in the store,
// what the model replies, what must have been asked and what must come out. The form is described
// in tests/pipelines/README.md.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fineprint/core/budget.h"
#include "fineprint/core/error.h"
#include "fineprint/core/records.h"
#include "fineprint/docmap/document_map.h"

namespace fineprint::testing {

// A page of the store. `lines` are as typed; an empty one parts two paragraphs.
struct CasePage {
  PageRef ref;
  std::vector<double> scores;  // of the page and its first paragraph, of the next, ...; none: "-"
  std::vector<std::string> lines;
};

// What the generator replies to one call.
struct CaseReply {
  std::string agent;
  std::vector<std::string> pages;  // of the call that this may answer; empty: of any
  std::vector<double> entropies, log_probabilities, top_entropies;
  std::optional<ErrorCode> error;  // the call fails, `text` says how
  bool cut = false;  // the question is called off meanwhile, `text` is what was written by then
  std::string text;
  int line = 0;
};

// A call that must have been made.
struct CaseCall {
  std::string agent;
  std::string tier;                // empty: without images
  std::vector<std::string> pages;  // "report.pdf:1", "report.pdf:1@300x100", "a.pdf:1+a.pdf:2"
  std::vector<std::string> says, hides;  // texts in the prompt, in order; and not in it
  std::optional<int> tokens;             // the most that the reply may have
  bool at_once = false;                  // with the call before it: either may come first
  int line = 0;
};

// A document's map as a case writes it down: `map.pages` are those with a summary, and the rest of
// it follows from the document.
struct CaseMap {
  docmap::DocumentMap map;
  std::optional<int> made;  // so many pages are in it; absent: all
  // Of each element, by image and by text; empty: it has no vectors.
  std::vector<std::vector<double>> scores;
};

enum class CaseMark { marked, unmarked, whole };

// A citation that must be there: with boxes, with a quote but no box, or with neither.
struct CaseCitation {
  PageRef page;
  CaseMark mark = CaseMark::whole;
  std::string quote;
};

// A step of the trace, and what some of its fields are.
struct CaseStep {
  std::string step;
  std::map<std::string, std::string> fields;
  int line = 0;
};

// The page graph of the store, over each set of page vectors: of each page those that it is linked
// with, from both ends; documents that are not named have a graph without links.
struct CaseGraph {
  int links = 5;  // what it was made with
  double threshold = 0.8;
  std::string similarity = "meanpool_cosine";
  std::vector<std::pair<PageRef, std::vector<PageRef>>> linked;
};

struct PipelineCase {
  std::string where;  // of the file, for messages
  std::string pipeline;
  Question question;
  std::map<std::string, std::string> settings;
  std::map<std::string, std::string> files;  // by name, for settings that name "{dir}/NAME"
  BudgetLimits limits;
  // Of vectors, that the store has.
  std::vector<std::string> sets = {"page", "late", "text"};
  bool strict = false;  // what the store lacks is an error
  std::vector<CasePage> pages;
  std::map<std::string, std::vector<std::string>> labels;  // printed ones, by document
  std::vector<CaseMap> maps;
  std::optional<CaseGraph> graph;  // absent: the store has none
  std::vector<CaseReply> script;
  // What the model says that each call cost, and of itself: "image-tokens", "vocabulary", ...
  std::map<std::string, std::int64_t> tells;

  // What must come out; what is absent may be anything.
  std::vector<CaseCall> calls;
  std::string answer;
  std::optional<double> confidence;
  std::optional<std::vector<CaseCitation>> citations;
  std::optional<std::vector<std::pair<PageRef, double>>> retrieved;
  std::optional<std::vector<PageRef>> ranked;  // after these, not shown
  std::map<std::string, std::int64_t> usage;
  std::vector<CaseStep> trace;     // in this order, others between them
  std::vector<std::string> never;  // steps that the trace must not hold
  std::string fallback;            // a part of Answer::fallback; empty: there is none
  std::string limit;               // a part of Answer::limit; empty: no limit was met
  std::string warns;               // a part of what is logged; empty: nothing is
  std::optional<std::pair<ErrorCode, std::string>> fails;
};

// Throws Error(input) naming file and line.
PipelineCase parse_case(const std::string& text, const std::string& where);

}  // namespace fineprint::testing
