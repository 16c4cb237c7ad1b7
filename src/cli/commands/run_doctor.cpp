// `fineprint doctor`: checks what works on this machine. Each problem comes with its remedy.
#include <functional>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/text.h"
#include "fineprint/core/threads.h"
#include "fineprint/documents/document_workers.h"
#include "fineprint/documents/reading_library.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/remote/served_models.h"
#include "fineprint/score/dense.h"
#include "fineprint/session/load.h"
#include "fineprint/session/score_library.h"
#include "fineprint/settings/trust.h"
#include "fineprint/simd/kernel_table.h"
#include "fineprint/store/prefix_folder.h"
#include "fineprint/tensorfile/gguf.h"

#include "build_info.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

struct Finding {
  std::string what;
  bool works = true;
  std::string detail;  // the fact, or the problem and its remedy
};

// What the settings file of the current folder does that needs trust.
std::string folder_settings_fact(const settings::FolderFile& file) {
  const auto guarded = settings::guarded_values(file.values, file.path, options());
  if (guarded.empty()) {
    return format("{}: starts no program, sends nothing, opens nothing", file.path);
  }
  const std::string all = join_texts(guarded, ", ", settings::described);
  const settings::Trust trust = settings::trust_in(file);
  if (trust == settings::Trust::trusted) return format("{}, trusted: {}", file.path, all);
  throw Error(
      ErrorCode::usage,
      format("{}, {}, not obeyed: {}; to obey them: {}", file.path,
             trust == settings::Trust::changed ? "changed since it was trusted" : "untrusted", all,
             settings::trust_command(file)));
}

// Runs a check. An error becomes the problem of the finding.
Finding probe(const std::string& what, const std::function<std::string()>& fact) {
  try {
    return {what, true, fact()};
  } catch (const std::exception& error) {
    return {what, false, error.what()};
  }
}

// Never a problem, because some office files can be read without LibreOffice.
std::string office_fact(const Settings& settings) {
  const std::string program = office_options(settings, "").program;
  if (!program.empty()) return "PDFs by " + program;
  return "running text of DOCX, PPTX and XLSX; to read their pages, and ODT, DOC and others: "
         "apt-get install libreoffice";
}

// A problem, because scans cannot be read without OCR.
std::string ocr_fact() {
  const documents::ReadingFacts facts = documents::reading().facts();
  if (facts.ocr_languages.empty()) {
    throw Error(ErrorCode::unsupported,
                "no OCR language is installed: apt-get install tesseract-ocr-eng");
  }
  return format("Tesseract {}: {}", facts.tesseract, join_texts(facts.ocr_languages, ", "));
}

// Returns what a test worker could do although it must not. Landlock prevents reading, the filter
// the others, but each is tested, so that a kernel with another behaviour is noticed.
std::string isolation_gaps(const documents::Isolation& found) {
  std::vector<std::string> gaps;
  if (!found.time_limited) gaps.push_back("use the processor without limit");
  if (!found.no_network) gaps.push_back("reach the network");
  if (!found.no_writing) gaps.push_back("write files");
  if (!found.no_programs) gaps.push_back("start programs");
  if (!found.no_reading) gaps.push_back("read other files");
  return join_texts(gaps, ", ");
}

// Returns, for example, "worker processes; limits on time, memory; no network, no writing, no
// programs, no other files (seccomp, Landlock)".
std::string isolation_fact() {
  documents::DocumentWorkerOptions one_worker;
  one_worker.workers = 1;
  const documents::Isolation found = documents::DocumentWorkers(one_worker).isolation();
  const std::string gaps = isolation_gaps(found);
  if (gaps.empty()) {
    return format(
        "worker processes; limits on time, memory{}; no network, no writing, no programs, no other "
        "files (seccomp, Landlock)",
        found.memory_limited ? "" : " (watched, not enforced, because this build has a sanitizer)");
  }
  std::vector<std::string> remedies;
  if (!found.no_reading) {
    remedies.push_back(
        "Landlock without effect: use a kernel from 5.13 on with it in its list lsm=");
  }
  if (!found.no_network || !found.no_writing || !found.no_programs) {
    remedies.push_back(format(
        "seccomp filter: {}: use a kernel with CONFIG_SECCOMP_FILTER, or let the container call "
        "seccomp(2)",
        found.unfiltered.empty() ? "without effect" : found.unfiltered));
  }
  throw Error(ErrorCode::unsupported,
              format("worker processes, but a hostile document could {} ({})", gaps,
                     join_texts(remedies, "; ")));
}

// Loads the encoder, because that is the only sure test that searches by meaning work.
std::string encoder_fact(const Settings& settings) {
  const std::string spec = one_retriever(settings);
  if (remote::names_served_encoder(spec)) {
    const auto served = session::load_encoder(spec, encoder_options(settings));
    return format("{}, {} dimensions, on a server", served->name(), served->dim());
  }
  const auto encoder = session::load_text_encoder(spec, model_options(settings));
  return format("{}, {} dimensions", encoder->name(), encoder->dim());
}

// Never a problem, because the default encoder needs no other.
std::string named_encoders_fact() {
  return join_texts(models::named_encoders(), "; ", [](const models::NamedEncoder& one) {
    return one.found
               ? format("--retriever {} takes {}", one.spec, one.place)
               : format("--retriever {} would take {}, which is not there", one.spec, one.place);
  });
}

// Never a problem, because nobody needs the other programs.
std::string gguf_fact() {
  std::vector<std::string> names;
  for (const models::CachedGguf& file : models::cached_ggufs(gguf_places())) {
    names.push_back(format("{} ({})", file.name, file.program));
  }
  return names.empty() ? "none in the folders of llama.cpp, Ollama, LM Studio and Hugging Face"
                       : join_texts(names, ", ");
}

// Never a problem either. Folders that cannot be used are listed with the command that says why.
std::string folder_fact() {
  std::vector<std::string> usable, others;
  for (const std::string& name : models::cached_repositories(hub_cache())) {
    try {
      const std::string place = models::find_model(name, hub_cache());
      if (tensorfile::is_gguf(place)) continue;  // listed by gguf_fact
      usable.push_back(format("{} ({})", name, models::read_model(place, hub_cache()).family));
    } catch (const Error&) {
      others.push_back(name);
    }
  }
  if (usable.empty() && others.empty()) return format("none in {}", hub_cache());
  std::string text = usable.empty() ? "none that runs here" : join_texts(usable, ", ");
  if (!others.empty()) {
    text += format("; not usable: {} (fineprint models NAME says why)", join_texts(others, ", "));
  }
  return text;
}

// Never a problem, because the CPU scores if no GPU can.
std::string gpu_scoring_fact() {
  const score::CudaTable* gpu = session::cuda_scoring();
  if (gpu == nullptr)
    return format("none: {} or the GPU is missing; the CPU computes scores", score::kCudaLibrary);
  std::vector<std::string> devices;
  for (int device = 0; device < gpu->device_count(); ++device) {
    devices.push_back(gpu->describe(device));
  }
  return format("kernels for {}; vector sets that a command scans often are copied there",
                join_texts(devices, ", "));
}

// Returns, for example, "avx512 (float32, float16; available: avx512, avx2, portable)".
std::string kernel_fact(const simd::KernelTable& table) {
  std::vector<std::string> available;
  for (const simd::InstructionSet set : table.available()) available.emplace_back(name_of(set));
  const auto in_use = table.in_use();
  if (!in_use) return format("none ({})", table.types());
  return format("{} ({}; available: {})", name_of(*in_use), table.types(),
                join_texts(available, ", "));
}

// Adds a finding for each table of kernels. The tables of the networks exist once their library is
// open.
void add_kernels(std::vector<Finding>& findings) {
  for (const simd::KernelTable* table : simd::all_tables()) {
    findings.push_back(probe("kernel: " + table->use(), [&] { return kernel_fact(*table); }));
  }
}

// Returns, for example, "12 of Qwen2.5-VL-3B, 840 MB".
std::string states_fact(const std::string& store_dir) {
  const store::PrefixSummary summary = store::PrefixFolder(store_dir).summary();
  const auto said = [](const store::PrefixCount& states, const std::string& of) {
    return format("{} {}, {:.1f} MB", states.states, of, static_cast<double>(states.bytes) / 1e6);
  };
  std::vector<std::string> models;
  for (const auto& [model, states] : summary.by_model) {
    models.push_back(said(states, "of " + (model.empty() ? "an unnamed model" : model)));
  }
  if (summary.unusable.states > 0) {
    throw Error(ErrorCode::store,
                format("{}/states: {}; list them with: fineprint index --verify --store {}",
                       store_dir, said(summary.unusable, "that cannot be used"), store_dir));
  }
  return models.empty() ? "none kept" : join_texts(models, "; ");
}

// Later checks do not depend on earlier ones: each failure is reported with its own remedy.
std::vector<Finding> examine(const Settings& settings) {
  std::vector<Finding> findings = {
      probe("program",
            [] { return format("fineprint {}, {}, {}", kVersion, kBuildType, kCompiler); }),
      probe("cores", [] { return format("{}", usable_cores()); }),
      probe("vector kernels",
            [] {
              return format("{} (available: {})", score::dense_kernel(),
                            join_texts(score::dense_kernels(), ", "));
            }),
      probe("gpu scoring", gpu_scoring_fact),
      probe("documents", [] { return format("MuPDF {}", documents::reading().facts().mupdf); }),
      probe("office files", [&] { return office_fact(settings); }),
      probe("isolation", isolation_fact),
      probe("ocr", ocr_fact),
  };
  if (session::has_nets()) {
    findings.push_back(probe("devices", [] { return session::nets().describe(); }));
  }
  add_kernels(findings);
  if (const std::string& dir = settings.text("store"); !dir.empty()) {
    findings.push_back(probe("page states", [&] { return states_fact(dir); }));
  }
  const std::string folder_file(settings::kFolderFile);
  if (const auto file = settings::read_folder_file(".", folder_file, options())) {
    findings.push_back(probe("folder settings", [&] { return folder_settings_fact(*file); }));
  }
  findings.push_back(probe("gguf files", gguf_fact));
  findings.push_back(probe("model folders", folder_fact));
  findings.push_back(probe("text encoder", [&] { return encoder_fact(settings); }));
  findings.push_back(probe("other encoders", named_encoders_fact));
  return findings;
}

}  // namespace

int run_doctor(const Settings& settings) {
  bool sound = true;
  for (const Finding& finding : examine(settings)) {
    sound = sound && finding.works;
    if (settings.flag("json")) {
      print_line(dump_json(
          {{"what", finding.what}, {"works", finding.works}, {"detail", finding.detail}}));
    } else {
      print_line(format("{} {:<15} {}", finding.works ? "ok     " : "PROBLEM", finding.what,
                        finding.detail));
    }
  }
  return sound ? 0 : 1;
}

}  // namespace fineprint::cli
