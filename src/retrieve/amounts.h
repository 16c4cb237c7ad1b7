// What a number on a page may stand for, besides an amount.
#pragma once

#include <string>

#include "fineprint/core/document.h"
#include "fineprint/retrieve/passages.h"
#include "fineprint/text/answer_kind.h"
#include "fineprint/text/units.h"

namespace fineprint::retrieve {

// The word of the passage, counted from its first, in which byte `offset` of its text lies.
std::uint32_t word_at(const Page& page, const Passage& passage, std::uint32_t offset);

// By the text alone: a quantity of the kind, and not a year, a percentage or a label's number that
// looks like one. Values of other kinds are.
bool looks_like_amount(const std::string& passage, const text::Value& value, text::AnswerKind kind);

// Whether the words before it make the value a change ("increased by", "a decrease of").
bool is_change(const Passage& passage, const text::Value& value);

// Whether a number counts or measures something. None are: years and parts of dates, what numbers a
// thing ("Figure 1", "Note 12", "No. 5"), what begins a passage as the number of an item ("10.33
// Agreement"), footnote marks (set smaller than their neighbours), and the page numbers of a table
// of contents (behind leaders), the ends of ranges ("27-30%") and margins of error ("± 0.4").
bool is_amount(const Page& page, const Passage& passage, const text::Value& value);

// What is said of the row's figures ("in millions of dollars"): in the row itself, else in what
// heads it, else in the nearest line above it on the page. Nothing for a row of amounts per share
// and the like, which such a line leaves out.
text::Units units_of_row(const Page& page, const Passage& row);

}  // namespace fineprint::retrieve
