// NumPy's format (numpy.lib.format): magic "\x93NUMPY", version, length of the header, a Python
// dictionary with 'descr', 'fortran_order' and 'shape', then the bytes.

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <optional>

#include "libcalib/import/formats/format_readers.hpp"
#include "libcalib/import/formats/zip_archive.hpp"

namespace tactelier {
namespace {

static_assert(std::endian::native == std::endian::little);

/// "<f8": byte order, kind, bytes.
struct Scalar {
  bool swapped = false;
  char kind = 'f';
  std::size_t bytes = 0;
};

struct Field {
  std::string name;  // "" of a plain array
  Scalar type;
  std::size_t offset = 0;
};

struct Header {
  std::vector<Field> fields;
  std::size_t stride = 0;
  bool fortran = false;
  std::vector<std::size_t> shape;
  std::string unknown;  // a type that is no number
};

std::optional<Scalar> scalar_of(std::string_view text) {
  if (text.size() < 3) return std::nullopt;
  Scalar type{text[0] == '>', text[1], 0};
  const auto digits = text.substr(2);
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), type.bytes);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  const bool whole = type.bytes == 1 || type.bytes == 2 || type.bytes == 4 || type.bytes == 8;
  const bool known = ((type.kind == 'i' || type.kind == 'u') && whole) ||
                     (type.kind == 'f' && (type.bytes == 4 || type.bytes == 8)) ||
                     (type.kind == 'b' && type.bytes == 1);
  return known ? std::optional(type) : std::nullopt;
}

/// What a type that is no number of 8 to 64 bits is, for people.
std::string kind_of(const std::string& type) {
  const char kind = type.size() > 1 ? type[1] : ' ';
  if (kind == 'U' || kind == 'S') return "text";
  if (kind == 'O') return "Python objects";
  if (kind == 'c') return "complex numbers";
  return fmt::format("'{}' is no number of 8 to 64 bits", type);
}

/// The few Python literals that a header is made of.
class Literals {
 public:
  explicit Literals(std::string_view text) : rest_(text) {}

  bool take(char c) {
    skip();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  std::optional<std::string> text() {
    skip();
    if (rest_.empty() || (rest_.front() != '\'' && rest_.front() != '"')) return std::nullopt;
    const auto end = rest_.find(rest_.front(), 1);
    if (end == rest_.npos) return std::nullopt;
    std::string value(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return value;
  }
  std::optional<std::size_t> number() {
    skip();
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc()) return std::nullopt;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }
  std::optional<bool> truth() {
    skip();
    for (const bool value : {true, false}) {
      const std::string_view word = value ? "True" : "False";
      if (!rest_.starts_with(word)) continue;
      rest_.remove_prefix(word.size());
      return value;
    }
    return std::nullopt;
  }

 private:
  void skip() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\n'))
      rest_.remove_prefix(1);
  }
  std::string_view rest_;
};

std::optional<std::vector<std::size_t>> tuple_of(Literals& text) {
  if (!text.take('(')) return std::nullopt;
  std::vector<std::size_t> numbers;
  while (!text.take(')')) {
    const auto number = text.number();
    if (!number) return std::nullopt;
    numbers.push_back(*number);
    text.take(',');
  }
  return numbers;
}

std::optional<std::string> fields_of(Literals& text, Header& header) {
  const auto add = [&](const std::string& name, const std::string& type) {
    const auto scalar = scalar_of(type);
    if (!scalar) return false;
    header.fields.push_back({name, *scalar, header.stride});
    header.stride += scalar->bytes;
    return true;
  };
  if (const auto type = text.text()) return add("", *type) ? std::optional("") : type;
  if (!text.take('[')) return std::nullopt;
  while (!text.take(']')) {
    if (!text.take('(')) return std::nullopt;
    const auto name = text.text();
    text.take(',');
    const auto type = text.text();
    if (!name || !type) return "a field that is itself an array or a record";
    if (!add(*name, *type)) return type;
    if (!text.take(')')) return "a field that is itself an array or a record";
    text.take(',');
  }
  return "";
}

Result<Header> parse_header(std::string_view dictionary, const std::string& name) {
  const auto damaged = [&] {
    return fail(ErrorCode::kInvalidInput, "{}: its NumPy header is not one: '{}'", name,
                dictionary.substr(0, 80));
  };
  Literals text(dictionary);
  Header header;
  if (!text.take('{')) return damaged();
  while (!text.take('}')) {
    const auto key = text.text();
    if (!key || !text.take(':')) return damaged();
    if (*key == "descr") {
      const auto unknown = fields_of(text, header);
      if (!unknown) return damaged();
      header.unknown = *unknown;
    } else if (*key == "fortran_order") {
      const auto truth = text.truth();
      if (!truth) return damaged();
      header.fortran = *truth;
    } else if (*key == "shape") {
      const auto shape = tuple_of(text);
      if (!shape) return damaged();
      header.shape = *shape;
    } else {
      return damaged();
    }
    text.take(',');
  }
  if (header.fields.empty() && header.unknown.empty()) return damaged();
  return header;
}

template <class T>
double as(const unsigned char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return static_cast<double>(value);
}

double number_at(const unsigned char* at, const Scalar& type) {
  std::array<unsigned char, 8> bytes{};
  for (std::size_t i = 0; i < type.bytes; ++i) bytes[i] = at[type.swapped ? type.bytes - 1 - i : i];
  const auto* const b = bytes.data();
  if (type.kind == 'f') return type.bytes == 4 ? as<float>(b) : as<double>(b);
  if (type.kind == 'i')
    return type.bytes == 1   ? as<std::int8_t>(b)
           : type.bytes == 2 ? as<std::int16_t>(b)
           : type.bytes == 4 ? as<std::int32_t>(b)
                             : as<std::int64_t>(b);
  return type.bytes == 1   ? as<std::uint8_t>(b)
         : type.bytes == 2 ? as<std::uint16_t>(b)
         : type.bytes == 4 ? as<std::uint32_t>(b)
                           : as<std::uint64_t>(b);
}

/// Place of an element in the file; `row` along the first axis, `column` over all others.
std::size_t place_of(const Header& header, std::size_t row, std::size_t column, std::size_t rows,
                     std::size_t width) {
  if (!header.fortran) return row * width + column;
  // The first axis is the fastest; among the others the last one counts fastest in `column`.
  std::size_t place = row, step = rows;
  std::size_t rest = column;
  std::vector<std::size_t> index(header.shape.size());
  for (std::size_t axis = header.shape.size(); axis-- > 1;) {
    index[axis] = rest % header.shape[axis];
    rest /= header.shape[axis];
  }
  for (std::size_t axis = 1; axis < header.shape.size(); ++axis) {
    place += index[axis] * step;
    step *= header.shape[axis];
  }
  return place;
}

NamedArray array_of(const Header& header, const Field& field, const unsigned char* bytes,
                    std::size_t rows, std::size_t width, const std::string& name) {
  NamedArray array;
  array.name = field.name.empty() ? name : field.name;
  array.rows = rows;
  array.width = width;
  array.single = field.type.kind == 'f' && field.type.bytes == 4;
  array.values.reserve(rows * width);
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < width; ++column)
      array.values.push_back(number_at(
          bytes + place_of(header, row, column, rows, width) * header.stride + field.offset,
          field.type));
  return array;
}

/// `label`: what the array is called in an .npz, or the file's own name.
Result<void> parse_npy(std::string_view bytes, const std::string& name, const std::string& label,
                       ArrayFile& file) {
  constexpr std::string_view kMagic("\x93NUMPY", 6);
  const auto cut = [&] {
    return fail(ErrorCode::kInvalidInput, "{}: ends before its data do: was it copied whole?",
                name);
  };
  if (!bytes.starts_with(kMagic))
    return fail(ErrorCode::kInvalidInput, "{}: is not a NumPy file", name);
  if (bytes.size() < 12) return cut();
  const bool short_length = bytes[6] == 1;
  std::size_t length = 0;
  std::memcpy(&length, bytes.data() + 8, short_length ? 2 : 4);
  const std::size_t begin = short_length ? 10 : 12;
  if (bytes.size() - begin < length) return cut();
  const auto header = parse_header(bytes.substr(begin, length), name);
  if (!header) return fail(header.error());
  if (!header->unknown.empty()) {
    file.unread.push_back(fmt::format("{}: {}", label, kind_of(header->unknown)));
    return {};
  }
  const auto data = bytes.substr(begin + length);
  std::size_t rows = header->shape.empty() ? 1 : header->shape[0], width = 1, all = rows;
  for (std::size_t axis = 1; axis < header->shape.size(); ++axis)
    if (__builtin_mul_overflow(width, header->shape[axis], &width)) return cut();
  if (__builtin_mul_overflow(rows, width, &all) || all > data.size() / header->stride) return cut();
  for (const auto& field : header->fields)
    file.arrays.push_back(array_of(
        *header, field, reinterpret_cast<const unsigned char*>(data.data()), rows, width, label));
  return {};
}

}  // namespace

Result<ArrayFile> read_npy(const std::filesystem::path& file, const std::string& name) {
  std::ifstream in(file, std::ios::binary);
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  if (!in || error) return fail(ErrorCode::kIo, "'{}': cannot be read", file.string());
  std::string bytes(size, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(size));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  ArrayFile found;
  if (const auto parsed = parse_npy(bytes, name, file.stem().string(), found); !parsed)
    return fail(parsed.error());
  return found;
}

Result<ArrayFile> read_npz(const std::filesystem::path& file, const std::string& name) {
  const auto archive = ZipArchive::open(file, name);
  if (!archive) return fail(archive.error());
  ArrayFile found;
  for (const auto& member : archive->members()) {
    const auto bytes = archive->read(member);
    if (!bytes) return fail(bytes.error());
    const auto label = std::filesystem::path(member).replace_extension().string();
    const auto parsed = parse_npy(*bytes, name + "/" + member, label, found);
    if (!parsed) return fail(parsed.error());
  }
  return found;
}

}  // namespace tactelier
