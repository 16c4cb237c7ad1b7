// Decides whether a number on a page is an amount, and which units it has.
#pragma once

#include <string>
#include <string_view>

#include "fineprint/core/document.h"
#include "fineprint/text/answer_kind.h"
#include "fineprint/text/units.h"

#include "pipelines/reading/snippets.h"

namespace fineprint::pipelines::extractive {

bool has_digit(std::string_view text);

// Returns the index, within the snippet, of the word that contains byte `offset` of its text.
std::uint32_t word_at(const Page& page, const Snippet& snippet, std::uint32_t offset);

// Returns whether the value is a quantity of the kind, judged by the text alone: false for a year,
// for a percentage of a kind that is not a share, and for a label's number. Always true for values
// of other kinds than number, money and count.
bool looks_like_amount(const std::string& snippet, const text::Value& value, text::AnswerKind kind);

// Returns whether the words before the value make it a change ("increased by", "a decrease of").
bool is_change(const Snippet& snippet, const text::Value& value);

// Returns whether a number counts or measures something. It does not if it is
// - a year or part of a date,
// - the number of a thing ("Figure 1", "Note 12", "No. 5"),
// - the number of an item at the start of the snippet ("10.33 Agreement"),
// - a footnote mark (set smaller than its neighbours),
// - a page number in a table of contents (after dot leaders),
// - the end of a range ("27-30%") or a margin of error ("± 0.4").
bool is_amount(const Page& page, const Snippet& snippet, const text::Value& value);

// Returns the units stated for the row's figures ("in millions of dollars"): in the row itself,
// otherwise in its headings, otherwise in the nearest line above it on the page. Returns no units
// for a row of amounts per share and the like, because such statements except these.
text::Units units_of_row(const Page& page, const Snippet& row);

}  // namespace fineprint::pipelines::extractive
