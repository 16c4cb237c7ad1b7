// Reads and writes rankings and judgements in the formats of TREC's tools, one line for each page.
//
//   run:   QUESTION Q0 DOC#PAGE RANK SCORE TAG
//   qrels: QUESTION 0 DOC#PAGE GAIN
//
// These files cannot contain names with white space. So white space and '%' are written as %XX,
// byte by byte, and decoded again by the readers. For example, "a b.pdf" is written as "a%20b.pdf".
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/records.h"

namespace fineprint::runs {

// Returns the lines of a run, each with its line end. The tools sort by score, in float32 and with
// ties in their own order. So a score that is not less than the score before it is lowered to the
// next smaller number, which keeps the ranking.
std::string to_trec_run(const std::string& id, std::span<const RetrievedPage> ranking,
                        const std::string& tag);
// Returns the lines of qrels: every evidence page with a gain of 1. Throws Error(input) if evidence
// names no document.
std::string to_trec_qrels(const Question& question);

// Returns whether the text of a file has lines of these kinds and not JSON. The first line decides;
// if it is of neither kind, the file's name does: .trec, .run or .qrels.
bool is_trec(std::string_view text, const std::string& path);

// Returns one answer for each question, with only its ranking by score (equal scores by rank).
// Throws Error(input) with file and line if a line is wrong.
std::vector<Answer> parse_trec_run(std::string_view text, const std::string& path);

// Gains of judged pages above 0, by question.
using Gains = std::map<std::string, std::map<PageRef, double>>;
// Returns the gains of every judged question, also of those without a page above 0. Throws
// Error(input) with file and line if a line is wrong.
Gains parse_trec_qrels(std::string_view text, const std::string& path);

}  // namespace fineprint::runs
