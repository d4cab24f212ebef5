#include "libcalib/import/formats/ros_message.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

namespace tactelier {
namespace {

constexpr int kDeepest = 16;

enum class Primitive { kBool, kSigned, kUnsigned, kFloat, kString, kWideString, kTime };
struct PrimitiveType {
  std::string_view name;
  Primitive kind;
  std::size_t bytes;
};
constexpr std::array kPrimitives{
    PrimitiveType{"float64", Primitive::kFloat, 8},
    PrimitiveType{"float32", Primitive::kFloat, 4},
    PrimitiveType{"bool", Primitive::kBool, 1},
    PrimitiveType{"byte", Primitive::kUnsigned, 1},
    PrimitiveType{"char", Primitive::kUnsigned, 1},
    PrimitiveType{"int8", Primitive::kSigned, 1},
    PrimitiveType{"uint8", Primitive::kUnsigned, 1},
    PrimitiveType{"int16", Primitive::kSigned, 2},
    PrimitiveType{"uint16", Primitive::kUnsigned, 2},
    PrimitiveType{"int32", Primitive::kSigned, 4},
    PrimitiveType{"uint32", Primitive::kUnsigned, 4},
    PrimitiveType{"int64", Primitive::kSigned, 8},
    PrimitiveType{"uint64", Primitive::kUnsigned, 8},
    PrimitiveType{"string", Primitive::kString, 4},
    PrimitiveType{"wstring", Primitive::kWideString, 4},
    PrimitiveType{"time", Primitive::kTime, 4},
    PrimitiveType{"duration", Primitive::kTime, 4},
};

const PrimitiveType* primitive(std::string_view name) {
  for (const auto& type : kPrimitives)
    if (type.name == name) return &type;
  return nullptr;
}

constexpr std::string_view kImageType = "sensor_msgs/Image";

/// Of an image whose pixels are one number each: "mono8", or OpenCV's "32FC1" ("32FC" may be said).
const PrimitiveType* pixel_of(std::string_view encoding) {
  if (encoding == "mono8") return primitive("uint8");
  if (encoding == "mono16") return primitive("uint16");
  if (encoding.ends_with("C1")) encoding.remove_suffix(1);
  for (const auto& [word, type] :
       std::initializer_list<std::pair<std::string_view, std::string_view>>{{"8UC", "uint8"},
                                                                            {"8SC", "int8"},
                                                                            {"16UC", "uint16"},
                                                                            {"16SC", "int16"},
                                                                            {"32SC", "int32"},
                                                                            {"32FC", "float32"},
                                                                            {"64FC", "float64"}})
    if (encoding == word) return primitive(type);
  return nullptr;
}

/// Says nothing of a press.
bool left_out(const RosField& field) {
  return field.type == "std_msgs/Header" || field.type == "std_msgs/MultiArrayLayout" ||
         field.type == "geometry_msgs/Quaternion" || field.type == "time" ||
         field.type == "duration" || field.type == "builtin_interfaces/Time" ||
         field.type == "builtin_interfaces/Duration" || field.name == "variance" ||
         field.name.find("covariance") != std::string::npos;
}

class Decoder {
 public:
  Decoder(const RosTypes& types, RosEncoding encoding, std::string_view bytes, bool with_paths)
      : types_(types), encoding_(encoding), bytes_(bytes), with_paths_(with_paths) {}

  Result<RosNumbers> decode(const std::string& type) {
    if (encoding_ == RosEncoding::kCdr) {
      if (bytes_.size() < 4 || bytes_[0] != 0 || static_cast<unsigned char>(bytes_[1]) > 1)
        return fail(ErrorCode::kInvalidInput, "{}: bytes that are no plain CDR", type);
      big_endian_ = bytes_[1] == 0;
      bytes_.remove_prefix(4);
    }
    const auto done = type == kImageType ? image() : fields(type, "", true, 0);
    if (!done) return fail(done.error());
    return std::move(numbers_);
  }

 private:
  Result<void> fields(const std::string& type, const std::string& path, bool wanted, int depth) {
    const auto found = types_.find(type);
    if (found == types_.end())
      return fail(ErrorCode::kInvalidInput, "the bag holds no definition of {}", type);
    if (depth > kDeepest) return fail(ErrorCode::kInvalidInput, "{} holds itself", type);
    for (const auto& field : found->second) {
      const auto here = !with_paths_ ? "" : path.empty() ? field.name : path + "." + field.name;
      const bool outer_header = depth == 0 && field.type == "std_msgs/Header";
      const bool in_header = in_header_;
      in_header_ = in_header_ || outer_header;
      const auto done = one_field(field, here, wanted && !left_out(field), depth);
      in_header_ = in_header;
      if (!done) return done;
    }
    return {};
  }

  Result<void> one_field(const RosField& field, const std::string& path, bool wanted, int depth) {
    std::uint64_t count = field.count;
    if (field.array == RosField::Array::kSequence) {
      const auto counted = unsigned_of(4);
      if (!counted) return fail(counted.error());
      count = *counted;
    }
    const bool array = field.array != RosField::Array::kNone;
    const auto* simple = primitive(field.type);
    // A count that the bytes can't hold is damage, not a size to loop over.
    if (count > bytes_.size()) return short_message();
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto here = with_paths_ && array ? fmt::format("{}[{}]", path, i) : path;
      const auto done = simple != nullptr ? value(*simple, here, wanted, array)
                                          : complex(field.type, here, wanted, depth);
      if (!done) return done;
    }
    return {};
  }

  Result<void> complex(const std::string& type, const std::string& path, bool wanted, int depth) {
    const bool time = type == "builtin_interfaces/Time" || type == "builtin_interfaces/Duration";
    if (!time) return fields(type, path, wanted, depth + 1);
    return stamp(true);
  }

  /// Its fields are known whatever the bag's definition calls them; REP 118 says how pixels lie.
  Result<void> image() {
    in_header_ = true;
    const auto header = fields("std_msgs/Header", "", false, 1);
    in_header_ = false;
    if (!header) return header;
    const auto height = unsigned_of(4), width = unsigned_of(4);
    if (!width) return short_message();
    if (auto named = text(true); !named) return named;
    const auto encoding = std::exchange(numbers_.strings, {}).front();
    const auto big = unsigned_of(1), step = unsigned_of(4), size = unsigned_of(4);
    if (!size || *size > bytes_.size() - at_) return short_message();
    const auto pixel = pixel_of(encoding);
    if (!pixel)
      return fail(ErrorCode::kInvalidInput,
                  "an image of '{}', whose pixels aren't one number each; publish the readings as "
                  "32FC1 or std_msgs/Float32MultiArray",
                  encoding);
    if (*width * pixel->bytes > *step || *height * *step > *size)
      return fail(ErrorCode::kInvalidInput, "an image of {} x {} '{}' in {} bytes", *height, *width,
                  encoding, *size);
    if (*height * *width > kMaxRosNumbers)
      return fail(ErrorCode::kInvalidInput, "an image of {} x {}: more than {} numbers", *height,
                  *width, kMaxRosNumbers);
    big_endian_ = *big != 0;
    const auto begin = at_;
    for (std::uint64_t i = 0; i < *height * *width; ++i) {
      const auto at = begin + i / *width * *step + i % *width * pixel->bytes;
      numbers_.values.push_back(as_number(*pixel, bits_at(at, pixel->bytes)));
      if (with_paths_) numbers_.paths.push_back(fmt::format("data[{}]", i));
    }
    return {};
  }

  Result<void> stamp(bool has_sign) {
    const auto seconds = unsigned_of(4), nanoseconds = unsigned_of(4);
    if (!seconds || !nanoseconds) return short_message();
    const auto whole = has_sign ? static_cast<std::int64_t>(static_cast<std::int32_t>(*seconds))
                                : static_cast<std::int64_t>(*seconds);
    if (in_header_)
      numbers_.stamp_ns = whole * 1'000'000'000 + static_cast<std::int64_t>(*nanoseconds);
    return {};
  }

  Result<void> value(const PrimitiveType& type, const std::string& path, bool wanted, bool array) {
    if (type.kind == Primitive::kTime) return stamp(false);
    if (type.kind == Primitive::kString) return text(array && wanted);
    if (type.kind == Primitive::kWideString)
      return fail(ErrorCode::kInvalidInput, "texts of wide characters are not understood");
    const auto bits = unsigned_of(type.bytes);
    if (!bits) return fail(bits.error());
    if (!wanted) return {};
    if (numbers_.values.size() == kMaxRosNumbers)
      return fail(ErrorCode::kInvalidInput, "more than {} numbers a message: an image or a cloud?",
                  kMaxRosNumbers);
    numbers_.values.push_back(as_number(type, *bits));
    if (with_paths_) numbers_.paths.push_back(path);
    return {};
  }

  static double as_number(const PrimitiveType& type, std::uint64_t bits) {
    if (type.kind == Primitive::kFloat)
      return type.bytes == 8
                 ? std::bit_cast<double>(bits)
                 : static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    if (type.kind != Primitive::kSigned) return static_cast<double>(bits);
    const auto unused = 64 - 8 * type.bytes;  // the sign comes down with the shift
    return static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);
  }

  Result<void> text(bool wanted) {
    const auto length = unsigned_of(4);
    if (!length) return fail(length.error());
    if (*length > bytes_.size() - at_) return short_message();
    auto content = bytes_.substr(at_, *length);
    at_ += *length;
    if (encoding_ == RosEncoding::kCdr && content.ends_with('\0')) content.remove_suffix(1);
    if (wanted && numbers_.strings.size() < kMaxRosNumbers) numbers_.strings.emplace_back(content);
    return {};
  }

  Result<std::uint64_t> unsigned_of(std::size_t size) {
    if (encoding_ == RosEncoding::kCdr) at_ = (at_ + size - 1) / size * size;
    if (at_ > bytes_.size() || size > bytes_.size() - at_) return short_message();
    const auto value = bits_at(at_, size);
    at_ += size;
    return value;
  }

  /// The caller has checked that they are there.
  std::uint64_t bits_at(std::size_t at, std::size_t size) const {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const auto byte = static_cast<unsigned char>(bytes_[at + i]);
      value |= static_cast<std::uint64_t>(byte) << (8 * (big_endian_ ? size - 1 - i : i));
    }
    return value;
  }

  static tl::unexpected<Error> short_message() {
    return fail(ErrorCode::kInvalidInput, "a message ends before its last field");
  }

  const RosTypes& types_;
  RosEncoding encoding_;
  std::string_view bytes_;
  bool with_paths_;
  bool big_endian_ = false, in_header_ = false;
  std::size_t at_ = 0;
  RosNumbers numbers_;
};

}  // namespace

Result<RosNumbers> decode_ros(const RosTypes& types, const std::string& type, RosEncoding encoding,
                              std::string_view bytes, bool with_paths) {
  return Decoder(types, encoding, bytes, with_paths).decode(type);
}

}  // namespace tactelier
