// Command-line options for reading documents.
#include <optional>
#include <string>

#include "fineprint/core/encoding.h"
#include "fineprint/core/format.h"
#include "fineprint/core/text.h"
#include "fineprint/documents/document_workers.h"

namespace fineprint::documents {

namespace {

std::optional<std::string> encoding_problem(const std::string& name) {
  if (name.empty() || is_known_encoding(name)) return std::nullopt;
  return format("is not the name of an encoding; usual ones are {}",
                join_texts(usual_encodings(), ", "));
}

}  // namespace

const OptionTable<ReadOptions>& read_options() {
  static const OptionTable<ReadOptions> table =
      OptionTable<ReadOptions>()
          .add("ocr", &ReadOptions::ocr,
               OptionNames<OcrMode>{{"auto", OcrMode::automatic},
                                    {"never", OcrMode::never},
                                    {"always", OcrMode::always}},
               {.help = "read pages by OCR: auto means pages whose text layer is missing or junk",
                .value = "WHEN"})
          .add("ocr-engine", &ReadOptions::ocr_engine,
               {.help = "what reads pages by OCR: tesseract, or a folder with the two graphs of "
                        "PP-OCR as ONNX files",
                .value = "ENGINE"})
          .add(
              "ocr-lang", &ReadOptions::ocr_languages,
              {.help = "languages for OCR as Tesseract names them, joined by '+'", .value = "LANG"})
          .add("layout-model", &ReadOptions::layout_model,
               {.help = "a folder with the two graphs of a layout model as ONNX files, which find "
                        "headings on pages, and pictures and tables on scans; the Python wheel of "
                        "PyMuPDF 2.0 has two that fit (feature_imf1.onnx and "
                        "table_grid_model_v4_ep.onnx; see src/documents/README.md)",
                .value = "FOLDER"})
          .add("encoding", &ReadOptions::encoding,
               {.help = "encoding of text, CSV and HTML files that neither declare theirs nor are "
                        "UTF-8, for example windows-1252",
                .value = "NAME",
                .problem = encoding_problem})
          .add("password", &ReadOptions::passwords,
               {.help = "a password to try on encrypted documents; can be repeated",
                .value = "TEXT",
                .flag_only = true,
                .same_answers = true});
  return table;
}

const OptionTable<WorkerLimits>& worker_options() {
  static const OptionTable<WorkerLimits> table =
      OptionTable<WorkerLimits>()
          .add_bytes("worker-memory", &WorkerLimits::memory_bytes,
                     {.help = "memory limit for reading one page or converting one office file",
                      .value = "SIZE",
                      .same_answers = true,
                      .problem = [](const std::string& text) -> std::optional<std::string> {
                        // MuPDF and Tesseract with its language data do not fit into less.
                        constexpr std::uint64_t kLeast = std::uint64_t{64} << 20;
                        if (byte_count(text) >= kLeast) return std::nullopt;
                        return "below 64MiB no page can be read";
                      }})
          .add("worker-seconds", &WorkerLimits::cpu_seconds,
               {.help = "limit of CPU time for reading one page or converting one office file; "
                        "the limit by the clock is twice as long",
                .value = "SECONDS",
                .bounds = {.least = 1, .most = 86400},
                .same_answers = true})
          .add("max-file-pages", &WorkerLimits::max_pages,
               {.help = "refuse documents with more pages than this",
                .value = "N",
                .bounds = {.least = 1},
                .same_answers = true});
  return table;
}

}  // namespace fineprint::documents
