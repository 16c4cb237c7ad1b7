"""Random quantised matrices as published model folders store them, and their values by the
references.

Needs torch, compressed-tensors 0.20.0 and loguru from PyPI. The references compute in float32:
scales are widened before they multiply. They are compressed-tensors' own `decompress`, and its
converters for AutoAWQ's and for FP8 folders. For GPTQ and for a reordering of columns the formulas
are written here: AutoGPTQ's `dequantize_weight` (its first version stores zeros minus one, and
sums are cut to the bits of a code), value[row, column] = (code - zero[group of column]) * scale.
"""

import torch
from compressed_tensors.compressors.naive_quantized import NaiveQuantizationCompressor
from compressed_tensors.compressors.pack_quantized import PackedQuantizationCompressor
from compressed_tensors.compressors.pack_quantized.helpers import pack_to_int32
from compressed_tensors.entrypoints.convert.converters.autoawq import AutoAWQConverter
from compressed_tensors.entrypoints.convert.converters.fp8block_dequantizer import (
    FP8BlockDequantizer,
)
from compressed_tensors.quantization import QuantizationArgs, QuantizationScheme

AWQ_ROWS = (0, 2, 4, 6, 1, 3, 5, 7)  # order of the codes in a word


def words(codes, bits, order=None):
    """Packs the last dimension into I32, lowest bits first."""
    in_word = 32 // bits
    split = codes.to(torch.int64).unflatten(-1, (-1, in_word))
    split = split[..., list(order or range(in_word))]
    packed = (split << (bits * torch.arange(in_word))).sum(-1)
    return packed.to(torch.uint32).view(torch.int32).contiguous()


def draw_codes(shape, bits, source):
    return torch.randint(0, 1 << bits, shape, generator=source)


def draw_scales(shape, unit, dtype, source):
    return (unit * (0.7 + 0.6 * torch.rand(shape, generator=source))).to(dtype)


def draw_zeros(shape, bits, source, least=0):
    middle = 1 << (bits - 1)
    return torch.randint(max(least, middle - 3), middle + 3, shape, generator=source)


def unit_of(bits, deviation):
    """Returns the scale that gives the values of random codes this standard deviation."""
    return deviation / ((1 << bits) / 12**0.5)


def order_of(columns, group, source):
    """Returns the group of each column, in random order."""
    return (torch.randperm(columns, generator=source) // group).to(torch.int32)


def awq(rows, columns, deviation, source, group=32):
    codes, groups = draw_codes((columns, rows), 4, source), columns // group
    zeros = draw_zeros((groups, rows), 4, source)
    arrays = {
        "qweight": words(codes, 4, AWQ_ROWS),
        "qzeros": words(zeros, 4, AWQ_ROWS),
        "scales": draw_scales((groups, rows), unit_of(4, deviation), torch.float16, source),
    }
    converter = AutoAWQConverter(bits=4, group_size=group, zero_point=True)
    renamed = {f"m.{name}": value.clone() for name, value in arrays.items()}
    converted = {name[2:]: value for name, value in converter.process(renamed).items()}
    return arrays, decompressed(converted, scheme(4, symmetric=False, group_size=group))


def gptq(rows, columns, deviation, source, bits=4, group=32, ordered=False, first_version=True):
    codes, groups = draw_codes((columns, rows), bits, source), columns // group
    zeros = draw_zeros((groups, rows), bits, source)
    zeros[0, :3] = torch.tensor([0, 1, (1 << bits) - 1])
    most = (1 << bits) - 1
    stored = (zeros - 1) & most if first_version else zeros
    index = order_of(columns, group, source) if ordered else torch.arange(columns) // group
    arrays = {
        "qweight": words(codes.T.contiguous(), bits).T.contiguous(),
        "qzeros": words(stored, bits),
        "scales": draw_scales((groups, rows), unit_of(bits, deviation), torch.float16, source),
        "g_idx": index.to(torch.int32),
    }
    index = index.long()
    values = (codes - zeros[index]).float() * arrays["scales"].float()[index]
    return arrays, values.T.contiguous()


def scheme(bits, kind="int", symmetric=True, **changes):
    strategy = "group" if "group_size" in changes else "channel"
    arguments = {"strategy": strategy, **changes}
    return QuantizationScheme(targets=["Linear"], weights=QuantizationArgs(
        num_bits=bits, type=kind, symmetric=symmetric, **arguments))  # fmt: skip


def decompressed(arrays, of, compressor=PackedQuantizationCompressor):
    wide = {**arrays, "weight_scale": arrays["weight_scale"].float()}
    return compressor.decompress(wide, of)["weight"].float()


def packed(rows, columns, deviation, source, bits=4, group=None, symmetric=True, ordered=False,
           dtype=torch.bfloat16):  # fmt: skip
    middle, groups = 1 << (bits - 1), columns // group if group else 1
    codes = (draw_codes((rows, columns), bits, source) - middle).to(torch.int8)
    arrays = {
        "weight_packed": pack_to_int32(codes, bits),
        "weight_scale": draw_scales((rows, groups), unit_of(bits, deviation), dtype, source),
        "weight_shape": torch.tensor([rows, columns]),
    }
    zeros = torch.zeros(rows, groups, dtype=torch.int8)
    if not symmetric:
        zeros = (draw_zeros((rows, groups), bits, source) - middle).to(torch.int8)
        arrays["weight_zero_point"] = pack_to_int32(zeros, bits, packed_dim=0).contiguous()
    changes = {"group_size": group} if group else {}
    if not ordered:
        return arrays, decompressed(arrays, scheme(bits, symmetric=symmetric, **changes))
    arrays["weight_g_idx"] = order_of(columns, group, source)
    index = arrays["weight_g_idx"].long()
    return arrays, (codes.float() - zeros.float()[:, index]) * arrays["weight_scale"].float()[:, index]


def int8(rows, columns, deviation, source, symmetric=True, dtype=torch.bfloat16):
    arrays = {
        "weight": (draw_codes((rows, columns), 8, source) - 128).to(torch.int8),
        "weight_scale": draw_scales((rows, 1), unit_of(8, deviation), dtype, source),
    }
    if not symmetric:
        zeros = draw_zeros((rows, 1), 8, source) - 128
        arrays["weight_zero_point"] = zeros.to(torch.int8)
    of = scheme(8, symmetric=symmetric)
    return arrays, decompressed(arrays, of, NaiveQuantizationCompressor)


def fp8_codes(rows, columns, source):
    """Returns codes of a normal distribution; if there is room, every code occurs."""
    codes = (64 * torch.randn((rows, columns), generator=source)).clamp(-448, 448)
    codes = codes.to(torch.float8_e4m3fn)
    every = torch.arange(256, dtype=torch.uint8)
    every = every[(every & 0x7F) != 0x7F]  # all except the two that are not numbers
    if rows * columns > 4 * len(every):
        codes.view(torch.uint8).view(-1)[: len(every)] = every
    return codes


def fp8(rows, columns, deviation, source, strategy="channel", dtype=torch.bfloat16, block=None):
    """Returns a matrix in FP8 as compressed-tensors stores it."""
    shape = {"tensor": (1,), "channel": (rows, 1)}.get(strategy)
    if block:
        shape = (-(-rows // block[0]), -(-columns // block[1]))
    arrays = {"weight": fp8_codes(rows, columns, source),
              "weight_scale": draw_scales(shape, deviation / 64, dtype, source)}  # fmt: skip
    changes = {"block_structure": block} if block else {}
    of = scheme(8, "float", strategy=strategy, **changes)
    if block:  # because the package divides complete blocks only
        wide = arrays["weight_scale"].float().repeat_interleave(block[0], 0)
        wide = wide.repeat_interleave(block[1], 1)[:rows, :columns]
        return arrays, arrays["weight"].float() * wide
    return arrays, decompressed(arrays, of, NaiveQuantizationCompressor)


def fp8_inverse(rows, columns, deviation, source, block=(128, 128)):
    """Returns a matrix as the quantisation method "fp8" stores it."""
    shape = (-(-rows // block[0]), -(-columns // block[1]))
    arrays = {"weight": fp8_codes(rows, columns, source),
              "weight_scale_inv": draw_scales(shape, deviation / 64, torch.float32, source)}  # fmt: skip
    converter = FP8BlockDequantizer(ignore=[], targets=["re:.*"], weight_block_size=block,
                                    dtype=torch.float32)  # fmt: skip
    named = {f"m.{name}": value.clone() for name, value in arrays.items()}
    return arrays, converter.process(named)["m.weight"].float()
