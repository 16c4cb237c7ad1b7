// Keeps the memory of freed tensors for later ones.
#pragma once

namespace fineprint::train {

// After this call, LibTorch's tensors on the CPU reuse the memory of earlier tensors of about the
// same size. Activations of a few megabytes come and go with every layer, and searching the heap
// for each of them took a fifth of a training's time. Further calls do nothing.
void keep_memory_of_tensors();

}  // namespace fineprint::train
