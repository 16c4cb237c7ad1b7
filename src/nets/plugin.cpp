// The entry point of this library: the program opens it and calls fineprint_nets.
#include <string>
#include <variant>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/nets/torch_errors.h"
#include "fineprint/nets/trained.h"
#include "fineprint/serving/nets_library.h"

#include "nets/encoders/cross_encoder.h"
#include "nets/encoders/judge.h"
#include "nets/encoders/late_text_encoder.h"
#include "nets/encoders/page_encoder.h"
#include "nets/encoders/qa_model.h"
#include "nets/encoders/sentence_encoder.h"
#include "nets/encoders/sparse_encoder.h"
#include "nets/encoders/sparse_page_encoder.h"
#include "nets/generation/generator.h"
#include "nets/graphs/graph_network.h"
#include "nets/verify/verify.h"
#include "nets/weights/device.h"
#include "nets/weights/own_thread.h"

namespace fineprint::nets {
namespace {

// Products of codes exist only on the CPU, so such a model runs there even if other models of the
// run use a GPU.
Device device_for(const models::ModelSpec& spec, models::DeviceOptions options) {
  const auto* text = std::get_if<models::TextEncoder>(&spec.trunk);
  const bool is_known = options.device == "auto" || options.device.starts_with("cuda");
  if (text != nullptr && text->int8 && is_known) options.device = "cpu";
  return resolve_device(options);
}

// Each loader works in a thread of its own; see on_own_thread.
models::TextOnlyEncoder* load_sentence_encoder(const models::ModelSpec& spec,
                                               const models::DeviceOptions& options) {
  return with_our_errors(spec.dir, [&] {
    return on_own_thread([&] { return new SentenceEncoder(spec, device_for(spec, options)); });
  });
}

models::Encoder* load_encoder(const models::ModelSpec& spec, const models::DeviceOptions& options) {
  return with_our_errors(spec.dir, [&] {
    return on_own_thread([&]() -> models::Encoder* {
      const Device device = device_for(spec, options);
      const bool decodes = std::holds_alternative<models::Decoder>(spec.trunk);
      if (spec.head.vocabulary && spec.sees()) return new SparsePageEncoder(spec, device);
      if (spec.head.vocabulary) return new SparseEncoder(spec, device);
      if (decodes || spec.sees()) return new PageEncoder(spec, device);
      return new LateTextEncoder(spec, device);
    });
  });
}

models::Reranker* load_reranker(const models::ModelSpec& spec,
                                const models::DeviceOptions& options) {
  return with_our_errors(spec.dir, [&] {
    return on_own_thread([&]() -> models::Reranker* {
      // The QA model also reranks, and a language model judges by the odds of yes and no.
      if (spec.head.reads) return new BertQaModel(spec, device_for(spec, options));
      if (spec.prompt.judge) return new Judge(spec, device_for(spec, options));
      return new CrossEncoder(spec, device_for(spec, options));
    });
  });
}

models::QaModel* load_qa_model(const models::ModelSpec& spec,
                               const models::DeviceOptions& options) {
  return with_our_errors(spec.dir, [&] {
    return on_own_thread([&] { return new BertQaModel(spec, device_for(spec, options)); });
  });
}

models::Generator* load_generator(const models::ModelSpec& spec,
                                  const models::DeviceOptions& options,
                                  const serving::PrefixCacheOptions& keep,
                                  const serving::LookupOptions& lookup) {
  return with_our_errors(spec.dir, [&] {
    return on_own_thread(
        [&] { return new NativeGenerator(spec, resolve_device(options), keep, lookup); });
  });
}

// Graphs compute shapes among their values, which LibTorch wants on the CPU, so all of it runs
// there.
onnx::GraphNetwork* load_graph(const std::string& path, const models::DeviceOptions& options) {
  models::DeviceOptions on_cpu = options;
  on_cpu.device = "cpu";
  return with_our_errors(path, [&] {
    return on_own_thread([&] { return new OnnxNetwork(path, resolve_device(on_cpu)); });
  });
}

models::CaseReport verify(const std::string& case_dir, const models::VerifyOptions& options,
                          const models::DeviceOptions& device) {
  return with_our_errors(case_dir,
                         [&] { return verify_case(case_dir, options, resolve_device(device)); });
}

constexpr serving::NetsTable kTable = {
    load_sentence_encoder, load_encoder, load_reranker, load_qa_model,
    load_generator,        load_graph,   verify,        describe_devices};

}  // namespace
}  // namespace fineprint::nets

extern "C" __attribute__((visibility("default"))) const void* fineprint_nets(
    std::uint64_t interface) {
  // Another number means that program and library are of different versions: their classes differ.
  if (interface != fineprint::serving::kNetsInterface) return nullptr;
  static const bool once = (fineprint::nets::keep_freed_memory(), true);
  static_cast<void>(once);
  return &fineprint::nets::kTable;
}
