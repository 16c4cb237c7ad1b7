// Weight files of a test's model folder: read, changed and written again.
#pragma once

#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "fineprint/tensorfile/safetensors.h"

namespace fineprint::testing {

struct StoredTensor {
  tensorfile::Dtype dtype = tensorfile::Dtype::f32;
  std::vector<std::int64_t> shape;
  std::vector<std::uint8_t> bytes;
};
using StoredTensors = std::map<std::string, StoredTensor>;

inline StoredTensors load_tensors(const std::string& path) {
  StoredTensors tensors;
  const tensorfile::SafetensorsReader reader(path);
  for (const auto& [name, view] : reader.tensors()) {
    tensors[name] = {view.dtype, view.shape, {view.bytes.begin(), view.bytes.end()}};
  }
  return tensors;
}

inline void save_tensors(const std::string& path, const StoredTensors& tensors) {
  std::vector<tensorfile::TensorToWrite> list;
  for (const auto& [name, tensor] : tensors) {
    list.push_back({name, tensor.dtype, tensor.shape, tensor.bytes});
  }
  tensorfile::write(path, list);
}

// An array of F32, all `value`.
inline StoredTensor filled(const std::vector<std::int64_t>& shape, float value) {
  std::size_t count = 1;
  for (const std::int64_t extent : shape) count *= static_cast<std::size_t>(extent);
  const std::vector<float> values(count, value);
  StoredTensor tensor{tensorfile::Dtype::f32, shape, {}};
  tensor.bytes.resize(count * sizeof(float));
  std::memcpy(tensor.bytes.data(), values.data(), tensor.bytes.size());
  return tensor;
}

// Loads, changes and saves a file.
inline void edit_tensors(const std::string& path,
                         const std::function<void(StoredTensors&)>& change) {
  StoredTensors tensors = load_tensors(path);
  change(tensors);
  save_tensors(path, tensors);
}

// A file of a header as given and so many bytes of data.
inline std::string raw_safetensors(const std::string& header, std::size_t data_bytes) {
  std::string file;
  for (int i = 0; i < 8; ++i) file += static_cast<char>(header.size() >> 8 * i & 0xFF);
  return file + header + std::string(data_bytes, '\0');
}

}  // namespace fineprint::testing
