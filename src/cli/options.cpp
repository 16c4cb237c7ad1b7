// The table of options.
#include "cli/options.h"

#include "fineprint/core/format.h"

namespace fineprint::cli {

const std::vector<Option>& options() {
  using enum OptionType;
  static const std::vector<Option> table = {
      // What to work on.
      {"store", "s", text, "DIR", "", "", kIndex | kSearchingCommands, false,
       "the folder that holds the index"},
      {"out", "o", text, "FILE", "", "", kBatch, true, "the file that answers are appended to"},
      {"gold", "", text, "FILE", "", "", kEval, true,
       "questions with the pages and answers that are right"},
      {"questions", "", text, "FILE", "", "", kSearch, true,
       "search for every question of a JSON Lines file ('-': standard input); hits carry its id"},
      {"doc", "", list, "GLOB", "", "", kSearch | kAsk, true,
       "only these documents: relative path, file name or glob; can be repeated"},
      {"whole-store", "", boolean, "", "false", "", kSearch | kBatch, true,
       "search all documents, also for questions that name theirs"},

      // Reading documents.
      {"ocr", "", text, "WHEN", "auto", "auto|never|always", kReadingCommands, false,
       "read pages by OCR: auto takes those whose text layer is missing or junk"},
      {"ocr-lang", "", text, "LANG", "eng", "", kReadingCommands, false,
       "languages for OCR as Tesseract names them, joined by '+'"},
      {"password", "", list, "TEXT", "", "", kReadingCommands, true,
       "a password to try on encrypted documents; can be repeated"},
      {"prune", "", boolean, "", "false", "", kIndex, true,
       "drop documents from the store that are gone from the given folders"},
      {"verify", "", boolean, "", "false", "", kIndex, true,
       "check the store for damage instead of indexing"},

      // Finding pages.
      {"scorer", "", list, "LIST", "bm25,text", "", kIndex | kSearchingCommands, false,
       "how pages are scored, joined by ',': bm25 (words), text (meaning); NAME:WEIGHT to weigh"},
      {"retriever", "", text, "MODEL", "", "", kIndex | kSearchingCommands, false,
       "folder of a sentence encoder; empty: the one that the set-up installed"},
      {"k", "k", integer, "N", "10", "", kSearchingCommands, false, "how many pages to find"},
      {"adaptive", "", boolean, "", "false", "", kSearchingCommands, false,
       "let a mixture of two Gaussians choose how many pages, at most -k"},
      {"min-k", "", integer, "N", "5", "", kSearchingCommands, false,
       "with --adaptive: the fewest pages to keep"},
      {"fusion", "", text, "NAME", "weighted", "weighted|zscore|rrf", kSearchingCommands, false,
       "how several scorers become one ranking"},
      {"explain", "", boolean, "", "false", "", kSearch, true,
       "show each scorer's part, and the fit with --adaptive"},

      // Answering.
      {"pipeline", "", text, "NAME", "extractive", "", kAnsweringCommands, false,
       "how questions are answered; `fineprint pipelines` lists them"},
      {"min-confidence", "", real, "P", "-1", "", kAnsweringCommands, false,
       "below this confidence the answer is \"Not answerable\"; negative: the pipeline's own"},
      {"trace", "", boolean, "", "false", "", kAnsweringCommands, false,
       "put every step into the answer's record"},
      {"workers", "", integer, "N", "0", "", kBatch, false,
       "questions answered at a time; 0: one a core"},
      {"shard", "", text, "I/N|slurm", "1/1", "", kBatch, true,
       "answer only part I of N of the questions"},
      {"retry-failed", "", boolean, "", "false", "", kBatch, true,
       "ask questions again whose recorded answer is an error"},
      {"force", "", boolean, "", "false", "", kBatch, true,
       "go on in an answers file that was begun with other settings"},
      {"per-item", "", boolean, "", "false", "", kEval, true, "a line a question too"},

      // The machine.
      {"device", "", text, "NAME", "auto", "", kIndex | kSearchingCommands, false,
       "where models run: auto, cpu, cuda or cuda:N"},
      {"jobs", "j", integer, "N", "0", "", kIndex | kSearchingCommands, false,
       "processes and threads to use; 0: one a core"},
      {"seed", "", integer, "N", "0", "", kAnsweringCommands, false,
       "for whatever is drawn at random"},

      // What is said, and how.
      {"json", "", boolean, "", "false", "", kEveryCommand & ~(kMerge | kBatch), true,
       "results as JSON, one object a line"},
      {"quiet", "q", boolean, "", "false", "", kEveryCommand, false, "say nothing but errors"},
      {"verbose", "v", boolean, "", "false", "", kEveryCommand, false, "say what is being done"},
      {"debug", "", boolean, "", "false", "", kEveryCommand, false, "say everything"},
      {"config", "", text, "FILE", "", "", kEveryCommand, true,
       "a configuration file, read after the project's own"},
  };
  return table;
}

const Option* find_option(std::string_view name) {
  for (const Option& option : options()) {
    if (option.name == name) return &option;
  }
  return nullptr;
}

namespace {

std::string toml_value(const Option& option) {
  switch (option.type) {
    case OptionType::boolean:
    case OptionType::integer:
    case OptionType::real:
      return std::string(option.initial);
    case OptionType::text:
      return format("\"{}\"", option.initial);
    case OptionType::list: {
      std::string items(option.initial);
      for (std::size_t at = 0; (at = items.find(',', at)) != std::string::npos; at += 4) {
        items.replace(at, 1, "\", \"");
      }
      return items.empty() ? "[]" : format("[\"{}\"]", items);
    }
  }
  return {};
}

}  // namespace

std::string default_configuration() {
  std::string file =
      "# Every key that configuration files may hold, with its default.\n"
      "# Precedence: flags, FINEPRINT_* in the environment, --config FILE, ./fineprint.toml,\n"
      "# fineprint/config.toml in the user's configuration folder, these defaults.\n";
  for (const Option& option : options()) {
    if (option.flag_only) continue;
    file += format("\n# {}", option.help);
    if (!option.choices.empty()) file += format(" ({})", option.choices);
    file += format("\n{} = {}\n", option.name, toml_value(option));
  }
  return file;
}

}  // namespace fineprint::cli
