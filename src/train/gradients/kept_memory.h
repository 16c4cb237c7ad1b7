// Memory of tensors that is used again instead of being handed back.
#pragma once

namespace fineprint::train {

// From now on LibTorch's tensors on the CPU take what earlier ones of about the same size have
// left. Activations of a few megabytes come and go with every layer: to search the heap for each of
// them took a fifth of a training's time. Calling it again does nothing.
void keep_memory_of_tensors();

}  // namespace fineprint::train
