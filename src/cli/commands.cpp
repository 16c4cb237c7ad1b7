// The table of subcommands.
#include "cli/commands.h"

#include "fineprint/core/format.h"

#include "build_info.h"
#include "cli/options.h"

namespace fineprint::cli {

const std::vector<Command>& commands() {
  static const std::vector<Command> table = {
      {"index", kIndex, "PATH...", "read documents into a store",
       "fineprint index ~/papers --store ~/papers.store", run_index},
      {"search", kSearch, "[QUERY]", "find the pages that a question is about",
       "fineprint search \"net sales by segment\" --store ~/papers.store -k 5", run_search},
      {"ask", kAsk, "QUESTION [PATH...]", "answer one question, with the pages that prove it",
       "fineprint ask \"When was the ferry built?\" ~/papers", run_ask},
      {"batch", kBatch, "QUESTIONS.jsonl", "answer many questions; can be stopped and resumed",
       "fineprint batch questions.jsonl --store ~/papers.store --out answers.jsonl",
       run_batch_command},
      {"merge", kMerge, "OUT.jsonl IN.jsonl...", "join the answer files of several shards",
       "fineprint merge all.jsonl part1.jsonl part2.jsonl", run_merge},
      {"eval", kEval, "FILE", "score answers or rankings against gold pages and answers",
       "fineprint eval answers.jsonl --gold questions.jsonl", run_eval},
      {"pipelines", kPipelines, "", "the ways to answer, and what each one needs",
       "fineprint pipelines", run_pipelines},
      {"doctor", kDoctor, "", "what works on this machine, and what to do where it does not",
       "fineprint doctor", run_doctor},
  };
  return table;
}

std::string program_version() { return format("fineprint {}", kVersion); }

}  // namespace fineprint::cli
