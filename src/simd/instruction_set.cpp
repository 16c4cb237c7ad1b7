// Detects the instruction sets of the processor, and keeps the limit.
#include "fineprint/simd/instruction_set.h"

#include <array>
#include <atomic>

#if defined(__aarch64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

#include "simd/limit.h"

namespace fineprint::simd {
namespace {

constexpr std::array kSets = {InstructionSet::portable,    InstructionSet::avx2,
                              InstructionSet::avx512,      InstructionSet::avx512_vnni,
                              InstructionSet::avx512_bf16, InstructionSet::amx_bf16,
                              InstructionSet::neon,        InstructionSet::neon_dot,
                              InstructionSet::neon_i8mm,   InstructionSet::neon_bf16};

bool detected(InstructionSet set) {
  if (set == InstructionSet::portable) return true;
#if defined(__x86_64__)
  // Kernel tables are static objects and ask while the program or a library is loaded. libgcc's own
  // initialiser may not have run by then.
  __builtin_cpu_init();
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  switch (set) {
    case InstructionSet::portable:
      return true;
    case InstructionSet::avx2:
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
             __builtin_cpu_supports("f16c");
    case InstructionSet::avx512:
      return avx512;
    case InstructionSet::avx512_vnni:
      return avx512 && __builtin_cpu_supports("avx512vnni");
    case InstructionSet::avx512_bf16:
      return avx512 && __builtin_cpu_supports("avx512bf16");
    case InstructionSet::amx_bf16:
      return __builtin_cpu_supports("amx-tile") && __builtin_cpu_supports("amx-bf16");
    default:
      return false;
  }
#elif defined(__aarch64__)
  switch (set) {
    case InstructionSet::neon:
      return true;
    case InstructionSet::neon_dot:
      return (getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0;
    case InstructionSet::neon_i8mm:
      return (getauxval(AT_HWCAP2) & HWCAP2_I8MM) != 0;
    case InstructionSet::neon_bf16:
      return (getauxval(AT_HWCAP2) & HWCAP2_BF16) != 0;
    default:
      return false;
  }
#endif
  return false;
}

// A function's static, because tables of other files read it during static initialisation.
std::atomic<InstructionSet>& limit() {
  static std::atomic<InstructionSet> set = kSets.back();
  return set;
}

}  // namespace

std::string_view name_of(InstructionSet set) {
  switch (set) {
    case InstructionSet::portable:
      return "portable";
    case InstructionSet::avx2:
      return "avx2";
    case InstructionSet::avx512:
      return "avx512";
    case InstructionSet::avx512_vnni:
      return "avx512-vnni";
    case InstructionSet::avx512_bf16:
      return "avx512-bf16";
    case InstructionSet::amx_bf16:
      return "amx-bf16";
    case InstructionSet::neon:
      return "neon";
    case InstructionSet::neon_dot:
      return "neon-dot";
    case InstructionSet::neon_i8mm:
      return "neon-i8mm";
    case InstructionSet::neon_bf16:
      return "neon-bf16";
  }
  return "";
}

bool has(InstructionSet set) {
  // Detected once: tables ask for every kernel, and the answer cannot change.
  static const auto kFound = [] {
    std::array<bool, kSets.size()> found{};
    for (const InstructionSet one : kSets) found[static_cast<std::size_t>(one)] = detected(one);
    return found;
  }();
  return kFound[static_cast<std::size_t>(set)];
}

InstructionSet reference_set() {
#if defined(__aarch64__)
  return InstructionSet::neon;
#else
  return InstructionSet::avx2;
#endif
}

// Sets are ordered by capability, so one comparison applies the limit.
bool may_use(InstructionSet set) { return has(set) && set <= limit().load(); }

bool set_limit(std::string_view name) {
  if (name.empty()) {
    limit() = kSets.back();
    return true;
  }
  for (const InstructionSet set : kSets) {
    if (name != name_of(set) || !has(set)) continue;
    limit() = set;
    return true;
  }
  return false;
}

}  // namespace fineprint::simd
