// The table of options: the program's own, and the settings that pipelines declare.
#include "cli/options.h"

#include "fineprint/core/format.h"
#include "fineprint/pipelines/pipeline.h"

namespace fineprint::cli {
namespace {

constexpr bool kSameAnswers = true;

std::vector<Option> options_of_the_program() {
  using enum OptionType;
  return {
      // What to work on.
      {"store", "s", text, "DIR", "", "", kIndex | kSearchingCommands | kGenerate | kDoctor, false,
       "the folder that holds the index", kSameAnswers},
      {"out", "o", text, "FILE", "", "", kBatch | kEmbed, true,
       "the file for the results: answers are appended, vectors written anew (safetensors)",
       kSameAnswers},
      {"gold", "", text, "FILE", "", "", kEval, true,
       "questions with the pages and answers that are right, or TREC qrels"},
      {"qrels", "", boolean, "", "false", "", kEval, true,
       "print the right pages of --gold as TREC qrels instead of scoring a file"},
      {"questions", "", text, "FILE", "", "", kSearch, true,
       "search for every question of a JSON Lines file ('-': standard input); hits carry its id"},
      {"doc", "", list, "GLOB", "", "", kSearch | kAsk, true,
       "only these documents: relative path, file name or glob; can be repeated"},
      {"whole-store", "", boolean, "", "false", "", kSearch | kBatch, true,
       "search all documents, also for questions that name theirs"},

      // What models are given.
      {"generator", "g", text, "MODEL", "", "", kGeneratingCommands, false,
       "a model that writes: its folder, org/name in the Hugging Face cache, openai:URL#MODEL (a "
       "server; the pages are sent there), or script:FILE (replies of a file)"},
      {"image", "i", list, "FILE", "", "", kGenerate | kEmbed, true,
       "a page to look at: a PNG or JPEG file, or FILE#N, page N of a document; can be repeated"},
      {"text", "", list, "TEXT", "", "", kEmbed, true, "a text to embed; can be repeated"},
      {"role", "", text, "ROLE", "query", "query|passage", kEmbed, true, "what the texts are"},
      {"model", "", text, "DIR", "", "", kVerify, true,
       "the model of a case that only names its weights"},
      {"tolerance-factor", "", real, "F", "1", "", kVerify, true,
       "multiplies every tolerance, as half precision needs"},
      {"isa", "", text, "NAME", "reference", "reference|native", kVerify, true,
       "instructions of the cpu: those that the references were computed with (AVX2), or all that "
       "this machine has, allowing for their rounding"},

      // What generators keep of the pages that they have read.
      {"cache-bytes", "", bytes, "SIZE", "1GB", "", kGeneratingCommands, false,
       "memory for what was read of prompts and pages, so that it is not read again", kSameAnswers},
      {"keep-states", "", boolean, "", "false", "", kGeneratingCommands, false,
       "keep it in the folder `states` of --store too, for later runs", kSameAnswers},
      {"state-dtype", "", text, "TYPE", "auto", "auto|float16|bfloat16|int8", kGeneratingCommands,
       false, "number format of kept states: auto is exact, int8 half of float16 and approximate"},
      {"states-bytes", "", bytes, "SIZE", "20GB", "", kIndex | kGeneratingCommands, false,
       "the most bytes of kept states: what was not used for the longest time goes; with index "
       "--prune: now",
       kSameAnswers},

      // What is written.
      {"system", "", text, "TEXT", "", "", kGenerate, true,
       "a system message instead of the model's own"},
      {"choose", "", list, "TEXT", "", "", kGenerate, true,
       "score this reply against the others given so, instead of writing one; can be repeated"},
      {"max-new-tokens", "", integer, "N", "512", "", kGenerate, false,
       "the longest reply, in tokens"},
      {"temperature", "", real, "T", "", "", kGenerate, false,
       "0: always the likeliest token; unset: as the model asks, 0 for a server"},
      {"top-k", "", integer, "N", "", "", kGenerate, false,
       "draw from the N likeliest tokens; 0: from all; unset: as the model asks"},
      {"top-p", "", real, "P", "", "", kGenerate, false,
       "draw from the likeliest tokens that together reach P; unset: as the model asks"},
      {"repetition-penalty", "", real, "R", "", "", kGenerate, false,
       "above 1: tokens that were there already become less likely; unset: as the model asks"},
      {"stop", "", list, "TEXT", "", "", kGenerate, true,
       "end the reply before this text; can be repeated"},

      {"schema", "", text, "JSON", "", "", kGenerate, true,
       "write JSON of this schema: a file that holds it, or the schema itself"},

      // Servers.
      {"api-key-file", "", text, "FILE", "", "", kGeneratingCommands, false,
       "the file that holds the key for the server of openai:URL; unset: FINEPRINT_API_KEY or "
       "OPENAI_API_KEY in the environment, if any",
       kSameAnswers},
      {"api-timeout", "", real, "SECONDS", "600", "", kGeneratingCommands, false,
       "how long one attempt at a server's reply may take", kSameAnswers},
      {"api-connect-timeout", "", real, "SECONDS", "10", "", kGeneratingCommands, false,
       "how long connecting to a server may take", kSameAnswers},
      {"api-retries", "", integer, "N", "4", "", kGeneratingCommands, false,
       "how often a call is repeated when the server is busy or the connection breaks",
       kSameAnswers},
      {"api-image", "", text, "FORMAT", "png", "png|jpeg", kGeneratingCommands, false,
       "how pages are sent to servers: jpeg is smaller and blurs small print"},

      // Reading documents.
      {"ocr", "", text, "WHEN", "auto", "auto|never|always", kReadingCommands, false,
       "read pages by OCR: auto takes those whose text layer is missing or junk"},
      {"ocr-lang", "", text, "LANG", "eng", "", kReadingCommands, false,
       "languages for OCR as Tesseract names them, joined by '+'"},
      {"password", "", list, "TEXT", "", "", kReadingCommands | kBatch | kGenerate | kEmbed, true,
       "a password to try on encrypted documents; can be repeated", kSameAnswers},
      {"password-file", "", text, "FILE", "", "", kReadingCommands | kBatch | kGenerate | kEmbed,
       false,
       "passwords to try on encrypted documents, one a line; with a file name or pattern and a tab "
       "before it, only on those",
       kSameAnswers},
      {"libreoffice", "", text, "PROGRAM", "auto", "",
       kReadingCommands | kBatch | kGenerate | kEmbed | kDoctor, false,
       "the program that makes PDFs of office files: auto looks for soffice, never reads them as "
       "running text",
       kSameAnswers},
      {"worker-memory", "", bytes, "SIZE", "4GiB", "", kReadingCommands | kBatch, false,
       "the most memory for reading one page, or converting one office file", kSameAnswers},
      {"worker-seconds", "", real, "SECONDS", "120", "", kReadingCommands | kBatch, false,
       "the longest CPU time for reading one page, or converting one office file; by the clock it "
       "may take twice as long",
       kSameAnswers},
      {"max-file-pages", "", integer, "N", "20000", "", kReadingCommands | kBatch, false,
       "refuse documents of more pages", kSameAnswers},
      {"prune", "", boolean, "", "false", "", kIndex, true,
       "drop documents from the store that are gone from the given folders"},
      {"verify", "", boolean, "", "false", "", kIndex, true,
       "check the store for damage instead of indexing"},
      {"repair", "", boolean, "", "false", "", kIndex, true,
       "first drop what --verify finds damaged, then read those documents again, and index PATH if "
       "one is given"},

      // Embedding pages.
      {"vector-dtype", "", text, "TYPE", "", "float32|float16|bfloat16|int8|int8+float32",
       kReadingCommands, false,
       "how a new vector set is stored; unset: float32; int8+float32: found by int8, scored "
       "exactly"},
      {"pool-factor", "", integer, "N", "", "", kReadingCommands, false,
       "join similar vectors of a page so that one of N stays, in a new set of many vectors a "
       "page; "
       "unset: all stay"},
      {"drop-set", "", list, "NAME", "", "", kIndex, true,
       "first drop this vector set (text, page, late, late-text, late-2, ...) from the store; can "
       "be repeated"},
      {"graph-sim", "", text, "NAME", "", "meanpool_cosine|maxsim_norm", kReadingCommands, false,
       "how a document's pages are compared for its page graph; unset: as before in this store, at "
       "first meanpool_cosine"},
      {"graph-knn", "", integer, "N", "", "", kReadingCommands, false,
       "how many similar pages each page of the graph names, 0: all; unset: as before, at first 5"},
      {"graph-theta", "", real, "T", "", "", kReadingCommands, false,
       "the least similarity of pages that the graph links; unset: as before, at first 0.8"},

      // Finding pages.
      {"scorer", "", list, "LIST", "bm25,text", "", kIndex | kSearchingCommands, false,
       "how pages are scored, joined by ',': bm25 (words), text (meaning), page (cosine of the "
       "page "
       "image), hybrid-mask, late (MaxSim over the page image), late-text (MaxSim over text); "
       "late-2 "
       "is the second set of that kind; NAME:WEIGHT to weigh; index brings what "
       "these need up to date, unset: all that the store has"},
      {"retriever", "", list, "MODEL", "", "", kIndex | kSearchingCommands | kEmbed | kDoctor,
       false,
       "an encoder: its folder, or org/name in the Hugging Face cache; int8:MODEL computes a text "
       "encoder in 8 bits on the cpu, faster and approximate (int8: alone is the default one); "
       "unset: as the store remembers, or the sentence encoder that the set-up installed; can be "
       "repeated"},
      {"k", "k", integer, "N", "10", "", kSearchingCommands, false, "how many pages to find"},
      {"adaptive", "", boolean, "", "false", "", kSearchingCommands, false,
       "let a mixture of two Gaussians choose how many pages, at most -k"},
      {"min-k", "", integer, "N", "5", "", kSearchingCommands, false,
       "with --adaptive: the fewest pages to keep"},
      {"gmm-window", "", text, "N", "", "", kSearchingCommands, false,
       "with --adaptive: fit the N best scores, or all; unset: 2 K"},
      {"gmm-members", "", text, "RULE", "prefix", "prefix|argmax", kSearchingCommands, false,
       "with --adaptive: prefix keeps what stands above the higher group, argmax counts members "
       "only"},
      {"gmm-high", "", text, "WHICH", "mean", "mean|top_item", kSearchingCommands, false,
       "with --adaptive: the higher group is that of the larger mean, or of the best page"},
      {"gmm-tol", "", real, "T", "1e-6", "", kSearchingCommands, false,
       "with --adaptive: stop when the mean log-likelihood moves by less"},
      {"gmm-max-iter", "", integer, "N", "500", "", kSearchingCommands, false,
       "with --adaptive: the most iterations of the fit"},
      {"min-score", "", real, "S", "", "", kSearchingCommands, false,
       "leave out pages below this fused score (with --fusion union: below it in a scorer's list)"},
      {"fusion", "", text, "NAME", "weighted", "weighted|zscore|rrf|union", kSearchingCommands,
       false,
       "how several scorers become one ranking; union: each selects pages, shown in reading order"},

      // The hybrid mask and late interaction.
      {"shortlist", "", integer, "R", "100", "", kSearchingCommands, false,
       "pages that the mask ranks, the best by cosine; at least K"},
      {"mask-full", "", boolean, "", "false", "", kSearchingCommands, false,
       "let the mask rank the whole pool"},
      {"mask-mode", "", text, "MODE", "hybrid", "cosine|hybrid|blend|split|dense|sparse",
       kSearchingCommands, false, "what hybrid-mask scores by"},
      {"mask-alpha", "", real, "A", "0.5", "", kSearchingCommands, false,
       "how many deviations the mask's two thresholds are from the mean"},
      {"mask-sigma1", "", text, "READING", "std", "std|std_unbiased|var", kSearchingCommands, false,
       "sigma of the mask's equation 1"},
      {"mask-sigma2", "", text, "READING", "std", "std|std_unbiased|var", kSearchingCommands, false,
       "sigma of the mask's equation 2"},
      {"mask-direction", "", text, "READING", "as_printed", "as_printed|swapped",
       kSearchingCommands, false, "swapped: keep what is below the thresholds"},
      {"mask-abs", "", text, "SWITCH", "on", "on|off", kSearchingCommands, false,
       "whether dimensions that disagree strongly count as agreeing"},
      {"mask-lambda", "", real, "L", "0.5", "", kSearchingCommands, false,
       "the weight of the masked score beside the cosine, with --mask-mode blend"},
      {"mask-weights", "", text, "W1,W2", "1,0.5", "", kSearchingCommands, false,
       "the weights of the salient part and of the fine print, with --mask-mode split"},
      {"late-mask", "", boolean, "", "false", "", kSearchingCommands, false,
       "the scorer late: mask each vector of the question with its best one of the page"},
      {"late-first", "", integer, "N", "0", "", kSearchingCommands, false,
       "MaxSim only over the N pages with the nearest mean vectors; 0: over all"},
      {"late-tokens", "", integer, "N", "0", "", kSearchingCommands, false,
       "the scorer late: only pages that own one of the N vectors nearest to some vector of the "
       "question; 0: all pages"},
      {"late-rescore", "", text, "SWITCH", "on", "on|off", kSearchingCommands, false,
       "with --late-tokens: score these pages by MaxSim, or (off) by the vectors fetched alone"},

      // What search prints.
      {"format", "", text, "FORMAT", "text", "text|json|trec", kSearch, true,
       "for people, JSON Lines, or a TREC run (with --questions)"},
      {"run-tag", "", text, "TAG", "fineprint", "", kSearch, true, "the last field of a TREC run"},
      {"explain", "", boolean, "", "false", "", kSearch, true,
       "show each scorer's part, what the mask keeps, and the fit with --adaptive"},

      // Answering.
      {"pipeline", "", text, "NAME", "extractive", "", kAnsweringCommands, false,
       "how questions are answered, a preset of settings; `fineprint pipelines` lists them"},
      {"prompts", "", text, "DIR", "", "", kAnsweringCommands, false,
       "a folder whose prompts (NAME/ROLE.txt) replace the built-in ones"},
      {"min-confidence", "", real, "P", "-1", "", kAnsweringCommands, false,
       "below this confidence the answer is \"Not answerable\"; negative: the pipeline's own"},
      {"max-calls", "", integer, "N", "64", "", kAnsweringCommands, false,
       "the most calls of the generator for a question; at any of these limits the best answer so "
       "far is given"},
      {"max-image-tokens", "", integer, "N", "", "", kAnsweringCommands, false,
       "the most tokens of images for a question, over all calls; unset: no limit"},
      {"max-pages", "", integer, "N", "", "", kAnsweringCommands, false,
       "the most pages shown to the generator for a question, each as often as it is shown; unset: "
       "no limit"},
      {"max-seconds", "", real, "SECONDS", "", "", kAnsweringCommands, false,
       "a question is ended this long after it was asked, also in the middle of a reply; unset: no "
       "limit"},
      {"trace", "", boolean, "", "false", "", kAnsweringCommands, false,
       "put every step into the answer's record", kSameAnswers},
      {"workers", "", integer, "N", "0", "", kBatch, false,
       "questions answered at a time; 0: one a core", kSameAnswers},
      {"shard", "", text, "I/N|slurm", "1/1", "", kBatch, true,
       "answer only part I of N of the questions", kSameAnswers},
      {"retry-failed", "", boolean, "", "false", "", kBatch, true,
       "ask questions again whose recorded answer is an error", kSameAnswers},
      {"force", "", boolean, "", "false", "", kBatch, true,
       "go on in an answers file that was begun with other settings", kSameAnswers},
      {"per-item", "", boolean, "", "false", "", kEval, true, "a line a question too"},

      // The machine.
      {"device", "", text, "NAME", "auto", "", kModelCommands, false,
       "where models run: auto, cpu, cuda or cuda:N", kSameAnswers},
      {"dtype", "", text, "TYPE", "auto", "auto|float32|bfloat16|float16|int8", kModelCommands,
       false,
       "the number format of weights: auto is as stored on the cpu, bfloat16 on a GPU; bfloat16 "
       "rounds prompts' activations too where the cpu has instructions for that"},
      {"jobs", "j", integer, "N", "0", "", kModelCommands, false,
       "processes and threads to use; 0: one a core", kSameAnswers},
      {"seed", "", integer, "N", "0", "", kAnsweringCommands | kGenerate, false,
       "for whatever is drawn at random"},

      // What is said, and how.
      {"json", "", boolean, "", "false", "", kEveryCommand & ~(kMerge | kBatch), true,
       "results as JSON, one object a line"},
      {"quiet", "q", boolean, "", "false", "", kEveryCommand, false, "say nothing but errors",
       kSameAnswers},
      {"verbose", "v", boolean, "", "false", "", kEveryCommand, false, "say what is being done",
       kSameAnswers},
      {"debug", "", boolean, "", "false", "", kEveryCommand, false, "say everything", kSameAnswers},
      {"config", "", text, "FILE", "", "", kEveryCommand, true,
       "a configuration file, read after the project's own", kSameAnswers},
  };
}

OptionType type_of(pipelines::SettingType type) {
  switch (type) {
    case pipelines::SettingType::boolean:
      return OptionType::boolean;
    case pipelines::SettingType::integer:
      return OptionType::integer;
    case pipelines::SettingType::real:
      return OptionType::real;
    case pipelines::SettingType::text:
      break;
  }
  return OptionType::text;
}

Option option_of(const pipelines::Setting& setting) {
  Option option;
  option.name = setting.name;
  option.type = type_of(setting.type);
  option.value = setting.value;
  option.initial = setting.initial;
  option.choices = setting.choices;
  option.commands = kAnsweringCommands;
  option.help = setting.help;
  return option;
}

}  // namespace

const std::vector<Option>& options() {
  static const std::vector<Option> table = [] {
    std::vector<Option> all = options_of_the_program();
    for (const pipelines::Setting& setting : pipelines::all_settings()) {
      all.push_back(option_of(setting));
    }
    return all;
  }();
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
      return option.initial.empty() ? "\"\"" : std::string(option.initial);
    case OptionType::text:
    case OptionType::bytes:
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
      "# fineprint/config.toml in the user's configuration folder, the preset that `pipeline` "
      "names\n"
      "# (NAME.toml beside this file; for commands that answer), these defaults.\n";
  for (const Option& option : options()) {
    if (option.flag_only) continue;
    file += format("\n# {}", option.help);
    if (!option.choices.empty()) file += format(" ({})", option.choices);
    file += format("\n{} = {}\n", option.name, toml_value(option));
  }
  return file;
}

}  // namespace fineprint::cli
