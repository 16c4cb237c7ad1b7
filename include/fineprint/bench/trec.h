// Rankings and judgements as TREC's tools read and write them: one line a page.
//
//   run:   QUESTION Q0 DOC#PAGE RANK SCORE TAG
//   qrels: QUESTION 0 DOC#PAGE GAIN
//
// Names may hold white space, which such files cannot: it and '%' are written as %XX, byte by byte,
// and read back.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/records.h"

namespace fineprint::bench {

// Lines of a run, each with its end. The tools sort by score, in float32 and with ties in an order
// of their own; a score that does not come after the one before it is lowered to the next number
// that does, so that they see the ranking as it is.
std::string to_trec_run(const std::string& id, std::span<const RetrievedPage> ranking,
                        const std::string& tag);
// Lines of qrels: every evidence page with a gain of 1. Throws Error(input) for evidence that names
// no document.
std::string to_trec_qrels(const Question& question);

// Whether the text of a file holds lines of these kinds rather than JSON, by its first line; a line
// of neither kind is taken for one of these when the file's name ends in .trec, .run or .qrels.
bool is_trec(std::string_view text, const std::string& path);

// One answer a question, with its ranking by score (equal scores by rank) and nothing else. Throws
// Error(input) naming file and line.
std::vector<Answer> parse_trec_run(std::string_view text, const std::string& path);

// Gains of judged pages above 0, by question.
using Gains = std::map<std::string, std::map<PageRef, double>>;
// Of every question that is judged, also of those without a page above 0.
Gains parse_trec_qrels(std::string_view text, const std::string& path);

}  // namespace fineprint::bench
