// The element types of a GGUF file's arrays.
#include "tensorfile/gguf/tensor_types.h"

#include <array>

namespace fineprint::tensorfile {
namespace {

// One type of the format.
struct NumberedType {
  std::uint32_t number = 0;
  std::string_view name;
  std::optional<TensorType> type = {};  // nullopt: known, but not supported
};

constexpr TensorType in_blocks(BlockType type) { return {Dtype::f32, type}; }
constexpr TensorType plain(Dtype dtype) { return {dtype, {}}; }

// Missing numbers were withdrawn from the format or appear in no published file.
constexpr std::array kNumberedTypes{
    NumberedType{0, "F32", plain(Dtype::f32)},
    NumberedType{1, "F16", plain(Dtype::f16)},
    NumberedType{2, "Q4_0", in_blocks(BlockType::q4_0)},
    NumberedType{3, "Q4_1", in_blocks(BlockType::q4_1)},
    NumberedType{6, "Q5_0", in_blocks(BlockType::q5_0)},
    NumberedType{7, "Q5_1", in_blocks(BlockType::q5_1)},
    NumberedType{8, "Q8_0", in_blocks(BlockType::q8_0)},
    NumberedType{9, "Q8_1"},
    NumberedType{10, "Q2_K", in_blocks(BlockType::q2_k)},
    NumberedType{11, "Q3_K", in_blocks(BlockType::q3_k)},
    NumberedType{12, "Q4_K", in_blocks(BlockType::q4_k)},
    NumberedType{13, "Q5_K", in_blocks(BlockType::q5_k)},
    NumberedType{14, "Q6_K", in_blocks(BlockType::q6_k)},
    NumberedType{15, "Q8_K"},
    NumberedType{16, "IQ2_XXS"},
    NumberedType{17, "IQ2_XS"},
    NumberedType{18, "IQ3_XXS"},
    NumberedType{19, "IQ1_S"},
    NumberedType{20, "IQ4_NL", in_blocks(BlockType::iq4_nl)},
    NumberedType{21, "IQ3_S"},
    NumberedType{22, "IQ2_S"},
    NumberedType{23, "IQ4_XS", in_blocks(BlockType::iq4_xs)},
    NumberedType{24, "I8", plain(Dtype::i8)},
    NumberedType{25, "I16", plain(Dtype::i16)},
    NumberedType{26, "I32", plain(Dtype::i32)},
    NumberedType{27, "I64", plain(Dtype::i64)},
    NumberedType{28, "F64", plain(Dtype::f64)},
    NumberedType{29, "IQ1_M"},
    NumberedType{30, "BF16", plain(Dtype::bf16)},
    NumberedType{34, "TQ1_0"},
    NumberedType{35, "TQ2_0"},
    NumberedType{39, "MXFP4", in_blocks(BlockType::mxfp4)},
    NumberedType{40, "NVFP4"},
};

// A linear search: it runs once for each tensor of a file.
const NumberedType* numbered_type(std::uint32_t number) {
  for (const NumberedType& type : kNumberedTypes) {
    if (type.number == number) return &type;
  }
  return nullptr;
}

}  // namespace

std::optional<TensorType> tensor_type_of(std::uint32_t number) {
  const NumberedType* found = numbered_type(number);
  return found == nullptr ? std::nullopt : found->type;
}

std::string_view tensor_type_name(std::uint32_t number) {
  const NumberedType* found = numbered_type(number);
  return found == nullptr ? std::string_view() : found->name;
}

}  // namespace fineprint::tensorfile
