// libpng reports errors by longjmp. Each function that calls setjmp holds only plain data, and its
// caller owns the memory.
#include "image/png_codec.h"

#include <csetjmp>
#include <cstring>

#include <png.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "image/pixels.h"

namespace fineprint::image {
namespace {

// of a colour profile or a text; pixels do not count
constexpr png_alloc_size_t kMaxChunkBytes = 64 << 20;
constexpr png_uint_32 kMaxSide = 1'000'000;

struct Message {
  char text[200] = "";
};

[[noreturn]] void on_error(png_structp png, png_const_charp text) {
  auto* message = static_cast<Message*>(png_get_error_ptr(png));
  std::strncpy(message->text, text, sizeof message->text - 1);
  // libpng requires that this function does not return.
  png_longjmp(png, 1);
}

// Warnings are dropped, because libpng warns about harmless profiles.
void on_warning(png_structp /*png*/, png_const_charp /*text*/) {}

// --- reading ---

struct Source {
  const std::uint8_t* at;
  std::size_t left;
};

void read_bytes(png_structp png, png_bytep out, std::size_t count) {
  auto* source = static_cast<Source*>(png_get_io_ptr(png));
  if (count > source->left) png_error(png, "the file ends too early");
  std::memcpy(out, source->at, count);
  source->at += count;
  source->left -= count;
}

struct PngReader {
  explicit PngReader(std::span<const std::uint8_t> bytes) : source{bytes.data(), bytes.size()} {
    png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &message, on_error, on_warning);
    info = png == nullptr ? nullptr : png_create_info_struct(png);
    if (info == nullptr) throw Error(ErrorCode::out_of_memory, "PNG: no memory for a decoder");
  }
  ~PngReader() { png_destroy_read_struct(&png, &info, nullptr); }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;

  Message message;
  Source source;
  png_structp png = nullptr;
  png_infop info = nullptr;
};

// Makes libpng return 8-bit grey, RGB or RGBA, whatever the file holds.
void choose_output(png_structp png, png_infop info) {
  const int type = png_get_color_type(png, info);
  const bool transparent = png_get_valid(png, info, PNG_INFO_tRNS) != 0;
  png_set_expand(png);
  // Scales 16 bits to 8 with rounding, where stripping would cut off the lower byte.
  png_set_scale_16(png);
  // Grey with transparency becomes RGBA, because Image has no such format.
  if ((type & PNG_COLOR_MASK_ALPHA) != 0 || transparent) png_set_gray_to_rgb(png);
  png_set_interlace_handling(png);
}

[[gnu::noinline]] bool read_png_header(PngReader* reader, Image* image) {
  if (setjmp(png_jmpbuf(reader->png)) != 0) return false;
  // Limits before the header is read, because libpng checks them then.
  png_set_user_limits(reader->png, kMaxSide, kMaxSide);
  png_set_chunk_malloc_max(reader->png, kMaxChunkBytes);
  png_set_read_fn(reader->png, &reader->source, read_bytes);
  png_read_info(reader->png, reader->info);
  choose_output(reader->png, reader->info);
  png_read_update_info(reader->png, reader->info);
  image->width = static_cast<int>(png_get_image_width(reader->png, reader->info));
  image->height = static_cast<int>(png_get_image_height(reader->png, reader->info));
  image->channels = png_get_channels(reader->png, reader->info);
  return true;
}

[[gnu::noinline]] bool read_png_rows(PngReader* reader, png_bytepp rows) {
  if (setjmp(png_jmpbuf(reader->png)) != 0) return false;
  png_read_image(reader->png, rows);
  png_read_end(reader->png, nullptr);
  return true;
}

// --- writing ---

struct Sink {
  std::vector<std::uint8_t>* bytes;
  bool failed;
};

void write_bytes(png_structp png, png_bytep data, std::size_t count) {
  auto* sink = static_cast<Sink*>(png_get_io_ptr(png));
  try {
    sink->bytes->insert(sink->bytes->end(), data, data + count);
  } catch (...) {
    sink->failed = true;  // an exception must not unwind libpng's frames
  }
  if (sink->failed) png_error(png, "no memory");
}

void flush_nothing(png_structp /*png*/) {}

struct PngWriter {
  PngWriter() {
    png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &message, on_error, on_warning);
    info = png == nullptr ? nullptr : png_create_info_struct(png);
    if (info == nullptr) throw Error(ErrorCode::out_of_memory, "PNG: no memory for an encoder");
  }
  ~PngWriter() { png_destroy_write_struct(&png, &info); }
  PngWriter(const PngWriter&) = delete;
  PngWriter& operator=(const PngWriter&) = delete;

  Message message;
  png_structp png = nullptr;
  png_infop info = nullptr;
};

[[gnu::noinline]] bool write_png_rows(PngWriter* writer, Sink* sink, const Image* image) {
  if (setjmp(png_jmpbuf(writer->png)) != 0) return false;
  const int type = image->channels == 1   ? PNG_COLOR_TYPE_GRAY
                   : image->channels == 3 ? PNG_COLOR_TYPE_RGB
                                          : PNG_COLOR_TYPE_RGBA;
  png_set_write_fn(writer->png, sink, write_bytes, flush_nothing);
  png_set_IHDR(writer->png, writer->info, static_cast<png_uint_32>(image->width),
               static_cast<png_uint_32>(image->height), 8, type, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(writer->png, writer->info);
  for (int y = 0; y < image->height; ++y) png_write_row(writer->png, image->row(y));
  png_write_end(writer->png, nullptr);
  return true;
}

Error damaged_png(const std::string& name, const Message& message) {
  return Error(ErrorCode::damaged, format("{}: damaged PNG: {}", name, message.text));
}

}  // namespace

Image decode_png(std::span<const std::uint8_t> bytes, const std::string& name,
                 std::int64_t max_pixels) {
  PngReader reader(bytes);
  Image image;
  if (!read_png_header(&reader, &image)) throw damaged_png(name, reader.message);
  // Checked before allocating, because a short file may claim a huge picture.
  check_pixels(image.width, image.height, name, max_pixels);
  image.pixels.resize(image.stride() * static_cast<std::size_t>(image.height));
  std::vector<png_bytep> rows(static_cast<std::size_t>(image.height));
  for (int y = 0; y < image.height; ++y) rows[static_cast<std::size_t>(y)] = image.row(y);
  if (!read_png_rows(&reader, rows.data())) throw damaged_png(name, reader.message);
  return image;
}

std::vector<std::uint8_t> write_png(const Image& image) {
  PngWriter writer;
  std::vector<std::uint8_t> bytes;
  Sink sink{&bytes, false};
  if (!write_png_rows(&writer, &sink, &image)) {
    throw Error(sink.failed ? ErrorCode::out_of_memory : ErrorCode::internal,
                format("cannot encode {} x {} pixels as PNG: {}", image.width, image.height,
                       writer.message.text));
  }
  return bytes;
}

}  // namespace fineprint::image
