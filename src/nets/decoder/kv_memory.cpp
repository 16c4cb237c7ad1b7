// Allocates the memory for the keys and values of all sequences of a model.
#include "nets/decoder/kv_memory.h"

#include <algorithm>
#include <new>

#include <ATen/ops/empty.h>
#include <c10/core/CachingDeviceAllocator.h>
#include <c10/util/Exception.h>

#include "fineprint/core/log.h"
#include "fineprint/core/memory.h"

namespace fineprint::nets {
namespace {

std::int64_t free_bytes(const at::Device& device) {
  if (device.is_cpu()) {
    const std::int64_t available = available_memory();
    // 4 GiB if the system does not say how much is free.
    return available > 0 ? available : std::int64_t{4} << 30;
  }
  auto* allocator = dynamic_cast<c10::DeviceAllocator*>(c10::GetAllocator(device.type()));
  const auto index = static_cast<c10::DeviceIndex>(device.has_index() ? device.index() : 0);
  return allocator == nullptr ? std::int64_t{4} << 30
                              : static_cast<std::int64_t>(allocator->getMemoryInfo(index).first);
}

}  // namespace

KvMemory::KvMemory(const KvShape& shape, std::int64_t tokens)
    : shape_(shape),
      most_(std::max<std::int64_t>(1, (tokens + kBlockTokens - 1) / kBlockTokens)),
      blocks_(std::make_shared<serving::BlockPool>(
          most_, [this](std::int64_t blocks) { return grow(blocks); })) {}

bool KvMemory::grow(std::int64_t blocks) {
  // Allocated once for all blocks: a second allocation would have to move every sequence.
  if (values_.defined() || blocks > most_) return false;
  try {
    values_ = at::empty({shape_.layers, 2, blocks * kBlockTokens, shape_.kv_heads, shape_.head_dim},
                        shape_.options);
  } catch (const c10::Error&) {
    log::warn("cannot allocate memory for the states of {} tokens", blocks * kBlockTokens);
    return false;
  }
  return true;
}

std::int64_t bytes_for_states(const at::Device& device) { return free_bytes(device) / 2; }

}  // namespace fineprint::nets
