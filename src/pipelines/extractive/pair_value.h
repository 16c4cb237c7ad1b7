// Answers from a label and its value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fineprint/core/document.h"
#include "fineprint/retrieve/query.h"
#include "fineprint/text/answer_kind.h"

#include "pipelines/extractive/subject.h"
#include "pipelines/reading/snippets.h"

namespace fineprint::pipelines::extractive {

// Returns how well the label of a pair names what the question asks for, about 0..1: the share of
// the label's terms that are asked, times the share of the other asked terms that are a name or in
// the headings; those elsewhere on the page count half for a label that is all asked. "Number",
// "name" and the like change it a little. 0 if the snippet is not a pair.
double label_fit(const Page& page, const Snippet& snippet, const retrieve::Query& query);

// Returns the value of a pair if the question asks for its label: at least half of the label's
// terms are asked, the page holds almost all that is asked besides, and no other label of the page
// fits as well. If the page has several records with this label, the record that holds the other
// words of the question is meant. Returns nullopt otherwise, for lists, addresses and yes or no, if
// the value does not look like the kind (a person without letters, an amount without digits), and
// for questions that need more than one value.
std::optional<std::string> pair_value(const Page& page, const Snippet& snippet,
                                      text::AnswerKind kind, const retrieve::Query& query);

// Returns "Yes" or "No" if these words or boxes are the value of a label that is all asked for, as
// pair_value() does.
std::optional<std::string> pair_yes_no(const Page& page, const Snippet& snippet,
                                       const retrieve::Query& query);

// Returns "Yes" or "No" as the box before an item says ("[x] Coffee [] Tea"), if the question asks
// for this item and no other: all words of the item are asked, or the item has all that is asked,
// and the page holds almost all that is asked besides. Returns nullopt otherwise.
std::optional<std::string> item_yes_no(const Page& page, const Snippet& snippet,
                                       const retrieve::Query& query);

// Returns whether the snippet has boxes to tick.
bool has_boxes(const Page& page, const Snippet& snippet);

// Returns "Yes" or "No" as the boxes of the snippet say, nullopt if it has none or they say
// neither. An empty box alone says "No".
std::optional<std::string> ticked_answer(const Page& page, const Snippet& snippet);

// Returns whether a value of `words` words can be of the kind: a person has letters, an amount has
// digits and is short, a date has digits.
bool looks_like_kind(const std::string& value, std::uint32_t words, text::AnswerKind kind);

// Returns whether the words are part of the label of a pair on the page, and none is elsewhere.
bool is_all_label(const Page& page, const std::vector<std::uint32_t>& words);

}  // namespace fineprint::pipelines::extractive
