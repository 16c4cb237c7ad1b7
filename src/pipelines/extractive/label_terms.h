// Compares the words of labels with a question.
#pragma once

#include <string>
#include <vector>

#include "fineprint/core/document.h"
#include "fineprint/retrieve/query.h"
#include "fineprint/text/answer_kind.h"
#include "fineprint/text/page_parts.h"

namespace fineprint::pipelines::extractive {

using Terms = std::vector<std::string>;

// The terms of a label. What follows "in" or a parenthesis is a unit or a note, as in "Length in
// metres"; words such as "number" are in the rest too.
struct LabelTerms {
  Terms core, rest;
};

// Returns whether the term does not tell one label from another: "number", "value".
bool is_generic(const std::string& term);

// Returns whether the terms have this one, or the agent of this verb: "owner" and "owns".
bool holds_term(const Terms& terms, const std::string& term);

LabelTerms label_terms_of(const Page& page, const text::WordRun& label);

// Returns the share of the label's core that is asked, 0..1.
double asked_share(const LabelTerms& label, const retrieve::Query& query);

// Returns a value by which labels compare: asked_share(), and a little for each other word of the
// label that is asked or not, so that "Invoice number" is not "Invoice date".
double rank_of(const LabelTerms& label, const retrieve::Query& query);

// Returns the question's terms that the label does not have and that tell something. If the value
// is boxes to tick, "chosen" and the like tell nothing.
Terms other_terms(const LabelTerms& label, const retrieve::Query& query, bool has_boxes = false);

// Returns whether almost all of the question is a name, which the document is about, or on the page
// or in `context`, the headings. `others` are its terms without those of the label.
bool is_about(const Page& page, const std::string& context, const Terms& others,
              const retrieve::Query& query);

// Returns whether the question asks for a label of the page in which nothing was entered: most of
// the label's terms are asked, and of no label with a value as many.
bool asks_empty_field(const Page& page, const std::string& context, text::AnswerKind kind,
                      const retrieve::Query& query);

}  // namespace fineprint::pipelines::extractive
