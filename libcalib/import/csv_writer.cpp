#include "libcalib/import/csv_writer.hpp"

#include <cerrno>
#include <cstring>
#include <iterator>
#include <utility>

#include "libcalib/session/decimal.hpp"

namespace tactelier {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20U;
constexpr int kMaxDecimals = 18;  // read back by the fast way; beyond, an exponent is shorter

}  // namespace

Result<CsvWriter> CsvWriter::create(const std::filesystem::path& file) {
  CsvWriter writer;
  writer.name_ = file.filename().string();
  writer.file_ = std::fopen(file.c_str(), "wbxe");
  if (writer.file_ == nullptr)
    return fail(ErrorCode::kIo, "cannot create '{}': {}", file.string(), std::strerror(errno));
  std::setvbuf(writer.file_, nullptr, _IONBF, 0);
  writer.buffer_.reserve(kBufferBytes + 4096);
  return writer;
}

CsvWriter::CsvWriter(CsvWriter&& other) noexcept
    : file_(std::exchange(other.file_, nullptr)),
      name_(std::move(other.name_)),
      buffer_(std::move(other.buffer_)),
      row_begun_(other.row_begun_) {}

CsvWriter::~CsvWriter() {
  if (file_ != nullptr) std::fclose(file_);
}

void CsvWriter::separate() {
  if (row_begun_) buffer_ += ',';
  row_begun_ = true;
}

void CsvWriter::text(std::string_view cell) {
  separate();
  if (cell.find_first_of(",\"\r\n") == cell.npos) {
    buffer_ += cell;
    return;
  }
  buffer_ += '"';
  for (const char c : cell) {
    if (c == '"') buffer_ += '"';
    buffer_ += c;
  }
  buffer_ += '"';
}

void CsvWriter::number(std::int64_t mantissa, int exponent) {
  separate();
  if (mantissa == kMissing) return;
  if (exponent > 0 || exponent < -kMaxDecimals) {
    fmt::format_to(std::back_inserter(buffer_), "{}e{}", mantissa, exponent);
    return;
  }
  const fmt::format_int digits(mantissa < 0 ? -mantissa : mantissa);
  if (mantissa < 0) buffer_ += '-';
  if (exponent == 0) {
    buffer_.append(digits.data(), digits.size());
    return;
  }
  const auto decimals = static_cast<std::size_t>(-exponent);
  if (digits.size() > decimals) {
    buffer_.append(digits.data(), digits.size() - decimals);
    buffer_ += '.';
    buffer_.append(digits.data() + digits.size() - decimals, decimals);
  } else {
    buffer_ += "0.";
    buffer_.append(decimals - digits.size(), '0');
    buffer_.append(digits.data(), digits.size());
  }
}

Result<void> CsvWriter::end_row() {
  buffer_ += '\n';
  row_begun_ = false;
  return buffer_.size() < kBufferBytes ? Result<void>{} : flush();
}

Result<void> CsvWriter::flush() {
  if (std::fwrite(buffer_.data(), 1, buffer_.size(), file_) != buffer_.size())
    return fail(ErrorCode::kIo, "cannot write {}: {}", name_, std::strerror(errno));
  buffer_.clear();
  return {};
}

Result<void> CsvWriter::close() {
  if (const auto flushed = flush(); !flushed) return flushed;
  if (std::fclose(std::exchange(file_, nullptr)) != 0)
    return fail(ErrorCode::kIo, "cannot write {}: {}", name_, std::strerror(errno));
  return {};
}

}  // namespace tactelier
