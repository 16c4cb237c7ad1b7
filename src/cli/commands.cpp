// The table of commands.
#include "cli/commands.h"

#include "fineprint/core/format.h"

#include "build_info.h"
#include "cli/options.h"

namespace fineprint::cli {

const std::vector<Command>& commands() {
  static const std::vector<Command> table = {
      {"index", kIndex, "PATH...", "read documents into a store",
       "fineprint index ~/papers --store ~/papers.store", run_index},
      {"watch", kWatch, "FOLDER...", "keep a store up to date while folders change",
       "fineprint watch ~/papers --store ~/papers.store", run_watch},
      {"search", kSearch, "[QUERY] [PATH...]", "find the pages that a question is about",
       "fineprint search \"net sales by segment\" --store ~/papers.store --scorer bm25,hybrid-mask "
       "--fusion rrf -k 5",
       run_search},
      {"list", kList, "[DOC...]",
       "list the documents of a store: pages, sizes, dates, vectors, failures",
       "fineprint list \"2026/*\" --kind pdf --store ~/papers.store", run_list},
      {"remove", kRemove, "DOC...", "remove documents from a store, by names or globs",
       "fineprint remove \"drafts/*\" old.pdf --store ~/papers.store", run_remove},
      {"map", kMap, "DOC", "show the sections, pages, figures and tables of a document",
       "fineprint map report.pdf --store ~/papers.store", run_map},
      {"ask", kAsk, "QUESTION [PATH...]", "answer one question and cite the pages that support it",
       "fineprint ask \"When was the ferry built?\" ~/papers", run_ask},
      {"chat", kChat, "[PATH...]",
       "hold a conversation over documents: follow-ups, citations, pages",
       "fineprint chat ~/papers", run_chat},
      {"batch", kBatch, "QUESTIONS", "answer many questions; can be stopped and resumed",
       "fineprint batch questions.jsonl --store ~/papers.store --out answers.jsonl",
       run_batch_command},
      {"table", kTable, "COLUMNS [PATH...]",
       "ask every document the same questions: one table with a row for each document",
       "fineprint table columns.toml ~/invoices --out invoices.xlsx", run_table},
      {"merge", kMerge, "OUT IN...", "join the answer files, or the stores, of several shards",
       "fineprint merge all.jsonl part1.jsonl part2.jsonl", run_merge},
      {"eval", kEval, "FILE", "score answers or rankings against gold pages and answers",
       "fineprint eval answers.jsonl --gold questions.jsonl", run_eval},
      {"report", kReport, "ANSWERS", "write answers, verdicts and marked pages as one HTML page",
       "fineprint report answers.jsonl --gold questions.jsonl --store ~/papers.store --out "
       "report.html",
       run_report},
      {"show", kShow, "DOC[#PAGE]",
       "show pages as text, Markdown or records, or draw a page with quotes marked",
       "fineprint show report.pdf#2 --mark \"audited by Tern\" --out page.png --store "
       "~/papers.store",
       run_show},
      {"export", kExport, "[DOC...]",
       "write a store as JSON Lines, Markdown or a Qdrant collection, or into a database",
       "fineprint export --format qdrant --out ~/points --store ~/papers.store", run_export},
      {"serve", kServe, "",
       "serve a store over HTTP: a web page, a JSON API, and as OpenAI, Anthropic and Ollama do",
       "fineprint serve --store ~/papers.store", run_serve},
      {"mcp", kMcp, "[PATH...]",
       "offer folders or a store to AI agents as tools, by the Model Context Protocol",
       "fineprint mcp ~/papers", run_mcp},
      {"bench", kBench, "NAME",
       "run a published benchmark, or a table of a paper: index, answer, score",
       "fineprint bench mmlongbench --data ~/MMLongBench-Doc/data --store ~/mmlb.store --out "
       "~/mmlb "
       "--pipeline extractive",
       run_bench},
      {"pipelines", kPipelines, "",
       "list the pipelines that answer questions, and what each one needs", "fineprint pipelines",
       run_pipelines},
      {"generate", kGenerate, "PROMPT", "let a vision-language model write one reply",
       "fineprint generate \"What is the total?\" --image report.pdf#3 --generator ~/Qwen2.5-VL-3B",
       run_generate},
      {"embed", kEmbed, "", "turn page images and texts into vectors",
       "fineprint embed --image page.png --text \"net sales\" --retriever ~/colqwen2 "
       "--out vectors.safetensors",
       run_embed},
      {"read", kRead, "", "let a QA model point at the answers to questions in given passages",
       "fineprint read --examples questions.jsonl", run_read},
      {"train", kTrain, "retriever|qa|judge|answers|pages|questions|verdicts|corpus-questions",
       "train a model, or make examples for training",
       "fineprint train retriever --retriever ~/encoder --examples pairs.jsonl --out ~/trained",
       run_train},
      {"models", kModels, "[MODEL]", "show what a model folder contains, and whether it runs here",
       "fineprint models ~/Qwen2.5-VL-3B", run_models},
      {"verify", kVerify, "CASE...", "compare the outputs of models with reference values",
       "fineprint verify tests/data/qwen25vl_a tests/data/tok_qwen", run_verify},
      {"stores", kStores, "", "list or remove the indexes that ask and search keep for folders",
       "fineprint stores --older-than 30", run_stores},
      {"trust", kTrust, "[FOLDER]",
       "let a folder's fineprint.toml start programs, send data or open this machine",
       "fineprint trust ~/papers", run_trust},
      {"doctor", kDoctor, "", "check what works on this machine, and how to fix what does not",
       "fineprint doctor", run_doctor},
      {.name = "help",
       .arguments = "[COMMAND|TOPIC]",
       .summary = "explain a command or a topic: config, exit-codes, formats, scorers, ...",
       .example = "fineprint help exit-codes",
       .tell = tell_help},
      {.name = "completion",
       .arguments = "bash|fish|zsh",
       .summary = "print a script that completes commands, options and values in your shell",
       .example = "fineprint completion bash > "
                  "~/.local/share/bash-completion/completions/fineprint",
       .tell = tell_completion},
      {.name = "man",
       .arguments = "[COMMAND]",
       .summary = "print the manual page of the program or of a command",
       .example = "fineprint man ask > fineprint-ask.1",
       .tell = tell_manual},
  };
  return table;
}

std::string program_version() { return format("fineprint {}", kVersion); }

}  // namespace fineprint::cli
