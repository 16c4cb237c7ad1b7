// libjpeg reports errors by longjmp. Each function that calls setjmp holds only plain data, and its
// caller owns the memory.
#include "image/jpeg_codec.h"

#include <csetjmp>
#include <cstdio>  // jpeglib.h needs it
#include <cstdlib>
#include <cstring>

#include <jpeglib.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "image/pixels.h"

namespace fineprint::image {
namespace {

struct ErrorHandler {
  jpeg_error_mgr base;  // first, so that a pointer to it points to the whole struct
  std::jmp_buf back;
  char text[JMSG_LENGTH_MAX];
};

// libjpeg calls this for errors that it cannot recover from.
void leave(j_common_ptr codec) {
  auto* handler = reinterpret_cast<ErrorHandler*>(codec->err);
  handler->base.format_message(codec, handler->text);
  std::longjmp(handler->back, 1);
}

// If the end of a file is missing, libjpeg only warns and fills the rest with grey. Such a picture
// must not pass as complete.
void on_message(j_common_ptr codec, int level) {
  // Levels from 0 are traces; -1 is a warning about corrupt data.
  if (level >= 0) return;
  auto* handler = reinterpret_cast<ErrorHandler*>(codec->err);
  handler->base.format_message(codec, handler->text);
  if (std::strstr(handler->text, "remature end") != nullptr) leave(codec);
}

void set_up(ErrorHandler* handler) {
  jpeg_std_error(&handler->base);
  handler->base.error_exit = leave;
  handler->base.emit_message = on_message;
}

struct JpegReader {
  JpegReader() { set_up(&handler); }
  ~JpegReader() { jpeg_destroy_decompress(&codec); }
  JpegReader(const JpegReader&) = delete;
  JpegReader& operator=(const JpegReader&) = delete;

  ErrorHandler handler{};
  jpeg_decompress_struct codec{};
};

// Returns false on errors, with the message in the handler, as do the functions below.
[[gnu::noinline]] bool read_jpeg_header(JpegReader* reader, const std::uint8_t* bytes,
                                        std::size_t size) {
  if (setjmp(reader->handler.back) != 0) return false;
  reader->codec.err = &reader->handler.base;
  jpeg_create_decompress(&reader->codec);
  jpeg_mem_src(&reader->codec, bytes, static_cast<unsigned long>(size));
  jpeg_read_header(&reader->codec, TRUE);
  switch (reader->codec.jpeg_color_space) {
    case JCS_GRAYSCALE:
      reader->codec.out_color_space = JCS_GRAYSCALE;
      break;
    // libjpeg cannot convert CMYK to RGB, so cmyk_to_rgb does it.
    case JCS_CMYK:
    case JCS_YCCK:
      reader->codec.out_color_space = JCS_CMYK;
      break;
    default:
      reader->codec.out_color_space = JCS_RGB;
  }
  jpeg_calc_output_dimensions(&reader->codec);
  return true;
}

// Call this after `read_jpeg_header`.
[[gnu::noinline]] bool choose_scale(JpegReader* reader, int width, int height) {
  if (setjmp(reader->handler.back) != 0) return false;
  // The smallest picture that is large enough: libjpeg then decodes only a part of the frequencies,
  // which takes less time.
  for (unsigned denominator = 8; denominator >= 1; denominator /= 2) {
    reader->codec.scale_num = 1;
    reader->codec.scale_denom = denominator;
    jpeg_calc_output_dimensions(&reader->codec);
    if (static_cast<int>(reader->codec.output_width) >= width &&
        static_cast<int>(reader->codec.output_height) >= height) {
      break;
    }
  }
  return true;
}

[[gnu::noinline]] bool read_jpeg_rows(JpegReader* reader, Image* image) {
  if (setjmp(reader->handler.back) != 0) return false;
  jpeg_start_decompress(&reader->codec);
  while (reader->codec.output_scanline < reader->codec.output_height) {
    JSAMPROW row = image->row(static_cast<int>(reader->codec.output_scanline));
    jpeg_read_scanlines(&reader->codec, &row, 1);
  }
  jpeg_finish_decompress(&reader->codec);
  return true;
}

// Adobe writes CMYK inverted, so that 255 means no ink, and nearly all CMYK JPEGs come from Adobe's
// programs.
Image cmyk_to_rgb(const Image& cmyk, bool inverted) {
  Image rgb{.width = cmyk.width, .height = cmyk.height, .channels = 3, .pixels = {}};
  rgb.pixels.resize(rgb.stride() * static_cast<std::size_t>(rgb.height));
  const std::size_t count = rgb.pixels.size() / 3;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint8_t* in = &cmyk.pixels[i * 4];
    const int light = inverted ? in[3] : 255 - in[3];
    for (std::size_t c = 0; c < 3; ++c) {
      const int value = inverted ? in[c] : 255 - in[c];
      // Adding 127 before the division by 255 rounds to the nearest value.
      rgb.pixels[i * 3 + c] = static_cast<std::uint8_t>((value * light + 127) / 255);
    }
  }
  return rgb;
}

struct JpegWriter {
  JpegWriter() { set_up(&handler); }
  ~JpegWriter() {
    jpeg_destroy_compress(&codec);
    // Not delete: libjpeg allocates this memory in C.
    std::free(bytes);
  }
  JpegWriter(const JpegWriter&) = delete;
  JpegWriter& operator=(const JpegWriter&) = delete;

  ErrorHandler handler{};
  jpeg_compress_struct codec{};
  unsigned char* bytes = nullptr;  // allocated by libjpeg with malloc
  unsigned long size = 0;
};

[[gnu::noinline]] bool write_jpeg_rows(JpegWriter* writer, const Image* image, int quality) {
  if (setjmp(writer->handler.back) != 0) return false;
  jpeg_compress_struct* codec = &writer->codec;
  codec->err = &writer->handler.base;
  jpeg_create_compress(codec);
  jpeg_mem_dest(codec, &writer->bytes, &writer->size);
  codec->image_width = static_cast<JDIMENSION>(image->width);
  codec->image_height = static_cast<JDIMENSION>(image->height);
  codec->input_components = image->channels;
  codec->in_color_space = image->channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults(codec);
  jpeg_set_quality(codec, quality, TRUE);
  jpeg_start_compress(codec, TRUE);
  while (codec->next_scanline < codec->image_height) {
    auto* row = const_cast<JSAMPROW>(image->row(static_cast<int>(codec->next_scanline)));
    jpeg_write_scanlines(codec, &row, 1);
  }
  jpeg_finish_compress(codec);
  return true;
}

Error damaged_jpeg(const JpegReader& reader, const std::string& name) {
  return Error(ErrorCode::damaged, format("{}: damaged JPEG: {}", name, reader.handler.text));
}

Image decoded(JpegReader* reader, const std::string& name, std::int64_t max_pixels) {
  Image image;
  image.width = static_cast<int>(reader->codec.output_width);
  image.height = static_cast<int>(reader->codec.output_height);
  image.channels = reader->codec.out_color_components;
  // Checked before allocating, because a short file may claim a huge picture.
  check_pixels(image.width, image.height, name, max_pixels);
  image.pixels.resize(image.stride() * static_cast<std::size_t>(image.height));
  if (!read_jpeg_rows(reader, &image)) throw damaged_jpeg(*reader, name);
  return image;
}

}  // namespace

Image decode_jpeg(std::span<const std::uint8_t> bytes, const std::string& name,
                  std::int64_t max_pixels) {
  JpegReader reader;
  if (!read_jpeg_header(&reader, bytes.data(), bytes.size())) throw damaged_jpeg(reader, name);
  Image image = decoded(&reader, name, max_pixels);
  return image.channels == 4 ? cmyk_to_rgb(image, reader.codec.saw_Adobe_marker != FALSE) : image;
}

Image decode_jpeg_at_least(std::span<const std::uint8_t> bytes, int width, int height,
                           std::int64_t max_pixels) {
  const std::string name = "a page's picture";
  JpegReader reader;
  if (!read_jpeg_header(&reader, bytes.data(), bytes.size())) throw damaged_jpeg(reader, name);
  const J_COLOR_SPACE stored = reader.codec.jpeg_color_space;
  if (stored != JCS_GRAYSCALE && stored != JCS_YCbCr) {
    throw Error(ErrorCode::unsupported, name + ": a JPEG that is neither grey nor YCbCr");
  }
  if (!choose_scale(&reader, width, height)) throw damaged_jpeg(reader, name);
  return decoded(&reader, name, max_pixels);
}

std::vector<std::uint8_t> write_jpeg(const Image& image, int quality) {
  JpegWriter writer;
  if (!write_jpeg_rows(&writer, &image, quality)) {
    throw Error(ErrorCode::internal, format("cannot encode {} x {} pixels as JPEG: {}", image.width,
                                            image.height, writer.handler.text));
  }
  return {writer.bytes, writer.bytes + writer.size};
}

}  // namespace fineprint::image
