// Decides where a model runs, in which number format and on how many threads.
#include "nets/weights/device.h"

#include <charconv>
#include <string>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/InferenceMode.h>
#include <torch/version.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/threads.h"
#include "fineprint/nets/trained.h"

#include "nets/products/blocks/block_product.h"
#include "nets/products/product.h"

namespace fineprint::nets {
namespace {

// Returns the GPU that a name means ("cuda" or "cuda:N"), and sets what all models on it need.
at::Device gpu(const std::string& name) {
  if (!at::hasCUDA()) {
    throw Error(
        ErrorCode::usage,
        format("--device {}: no GPU can be used, because there is no driver or this build's "
               "LibTorch has no CUDA; use --device cpu",
               name));
  }
  const int count =
      static_cast<int>(at::globalContext().getAcceleratorHooksInterface(at::kCUDA).deviceCount());
  int index = 0;
  if (name.size() > 4) {
    const char* end = name.data() + name.size();
    const auto read = std::from_chars(name.data() + 5, end, index);
    if (name[4] != ':' || read.ec != std::errc() || read.ptr != end) index = -1;
  }
  if (index < 0 || index >= count) {
    throw Error(
        ErrorCode::usage,
        format("--device {}: no such GPU; this machine has cuda:0 to cuda:{}", name, count - 1));
  }
  // Otherwise convolutions in float32 would be rounded to ten bits.
  at::globalContext().setAllowTF32CuDNN(false);
  // cuDNN's attention, which LibTorch prefers on some GPUs, builds a plan for each new length. That
  // costs tenths of a second for every token of a reply. Without it, flash attention is used.
  at::globalContext().setSDPUseCuDNN(false);
  return at::Device(at::kCUDA, static_cast<at::DeviceIndex>(index));
}

at::Device device_of(const std::string& name) {
  if (name == "cpu") return at::kCPU;
  if (name == "auto") return at::hasCUDA() ? gpu("cuda") : at::Device(at::kCPU);
  if (name.starts_with("cuda")) return gpu(name);
  throw Error(ErrorCode::usage,
              format("--device {}: unknown; use auto, cpu, cuda or cuda:N", name));
}

[[noreturn]] void unknown_dtype(const std::string& name) {
  throw Error(
      ErrorCode::usage,
      format("--dtype {}: unknown; use auto, float32, bfloat16, float16, or int8 on the CPU",
             name));
}

// bfloat16 by default: GPUs multiply it fast, and it cannot overflow where float32 does not.
at::ScalarType gpu_dtype(const std::string& name) {
  if (name == "auto" || name == "bfloat16") return at::kBFloat16;
  if (name == "float32") return at::kFloat;
  if (name == "float16") return at::kHalf;
  if (name == "int8") throw Error(ErrorCode::usage, "--dtype int8: works only with --device cpu");
  unknown_dtype(name);
}

// "auto" keeps the checkpoint's format, which costs no memory and loses nothing.
std::optional<MatrixFormat> matrices_asked(const std::string& name) {
  if (name == "auto") return std::nullopt;
  if (name == "float32") return MatrixFormat::float32;
  if (name == "bfloat16") return MatrixFormat::bfloat16;
  if (name == "float16") return MatrixFormat::float16;
  if (name == "int8") return MatrixFormat::int8;
  unknown_dtype(name);
}

// Activations are rounded only if bfloat16 is asked for, because the number format of a checkpoint
// does not imply that of its activations.
Rounding cpu_rounding(const std::string& name) {
  if (name != "bfloat16" || rounded_kernel().empty()) return Rounding::none;
  return has_tiles() ? Rounding::bfloat16_and_results : Rounding::bfloat16;
}

}  // namespace

Device resolve_device(const models::DeviceOptions& options) {
  const at::Device device = device_of(options.device);
  const int threads = options.threads > 0 ? options.threads : usable_cores();
  if (device.is_cpu()) {
    return {device, at::kFloat, threads, matrices_asked(options.dtype),
            cpu_rounding(options.dtype)};
  }
  return {device, gpu_dtype(options.dtype), threads, matrices_asked(options.dtype)};
}

// Gradients are recorded only in training; inference mode saves the bookkeeping.
struct Running::Guards {
  explicit Guards(const Device& device) : guard(device.device) {
    if (device.trained == nullptr) inference.emplace();
  }
  std::optional<c10::InferenceMode> inference;
  c10::OptionalDeviceGuard guard;
};

Running::Running(const Device& device) : guards_(new Guards(device)) {
  if (at::get_num_threads() != device.threads) at::set_num_threads(device.threads);
}

Running::~Running() { delete guards_; }

void keep_freed_memory() {
#if defined(__GLIBC__)
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the highest value that glibc accepts
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_TOP_PAD, 64 << 20);
#endif
}

std::string describe_devices() {
  std::string rounded = rounded_kernel();
  if (!rounded.empty()) rounded = "; with --dtype bfloat16 " + rounded;
  if (!rounded.empty() && has_tiles()) rounded += ", of many rows AMX (oneDNN)";
  std::string text = format("LibTorch {}; cpu ({}; products: {}, in blocks {}{})", TORCH_VERSION,
                            at::get_cpu_capability(), product_kernel(), block_kernel(), rounded);
  if (!at::hasCUDA()) return text + "; no GPU";
  const auto count = at::globalContext().getAcceleratorHooksInterface(at::kCUDA).deviceCount();
  return text + format("; {} GPU{}", static_cast<int>(count), count == 1 ? "" : "s");
}

}  // namespace fineprint::nets
