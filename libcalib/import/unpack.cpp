#include <nlohmann/json.hpp>
#include <string>
#include <system_error>

#include "libcalib/import/csv_writer.hpp"
#include "libcalib/import/import.hpp"
#include "libcalib/import/stream_header.hpp"
#include "libcalib/json_check.hpp"
#include "libcalib/partial_file.hpp"
#include "libcalib/session/session.hpp"

namespace tactelier {
namespace {

namespace fs = std::filesystem;

/// Device integer times scale: exact where 18 digits allow, else the nearest double.
Decimal scaled(std::int64_t integer, double scale, const Decimal& scale_digits) {
  constexpr std::int64_t kMost = 999'999'999'999'999'999;
  if (integer == kMissing) return {kMissing, 0};
  std::int64_t product = 0;
  const bool overflow = __builtin_mul_overflow(integer, scale_digits.mantissa, &product);
  if (!overflow && product <= kMost && product >= -kMost) return {product, scale_digits.exponent};
  return decimal_from(static_cast<double>(integer) * scale);
}

Result<void> write_metadata(const Session& session, const fs::path& file) {
  const auto document = parse_json(session.metadata().document, "session.json");
  if (!document) return fail(document.error());
  auto* stream = std::fopen(file.c_str(), "wbxe");
  if (stream == nullptr) return fail(ErrorCode::kIo, "cannot create '{}'", file.string());
  const auto text = document->dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  const bool written = std::fwrite(text.data(), 1, text.size(), stream) == text.size();
  if (std::fclose(stream) != 0 || !written)
    return fail(ErrorCode::kIo, "cannot write '{}'", file.string());
  return {};
}

Result<void> write_events(const Session& session, const fs::path& file) {
  if (session.events().empty()) return {};
  auto csv = CsvWriter::create(file);
  if (!csv) return fail(csv.error());
  for (const char* cell : {"t[s]", "event", "data"}) csv->text(cell);
  if (const auto ended = csv->end_row(); !ended) return ended;
  for (const auto& event : session.events()) {
    csv->number(event.t_s.mantissa, event.t_s.exponent);
    csv->text(event.name);
    csv->text(event.data);
    if (const auto ended = csv->end_row(); !ended) return ended;
  }
  return csv->close();
}

class StreamUnpack {
 public:
  StreamUnpack(CsvWriter& csv, const StreamInfo& info, const Job& job)
      : csv_(csv), info_(info), job_(job) {
    for (const auto& column : info.columns) scales_.push_back(decimal_from(column.scale));
  }

  Result<void> header() {
    for (const auto& column : info_.columns) csv_.text(header_cell(column));
    return csv_.end_row();
  }

  Result<void> chunk(const StreamChunk& chunk) {
    if (job_.stopped()) return Job::cancelled();
    for (std::size_t row = 0; row < chunk.rows(); ++row) {
      for (std::size_t c = 0; c < info_.columns.size(); ++c) cell(chunk.columns[c], row, c);
      if (const auto ended = csv_.end_row(); !ended) return ended;
    }
    return {};
  }

 private:
  void cell(const ColumnChunk& column, std::size_t row, std::size_t c) {
    auto number = column.at(row);
    const double scale = info_.columns[c].scale;
    if (scale != 1.0) number = scaled(number.mantissa, scale, scales_[c]);
    csv_.number(number.mantissa, number.exponent);
  }

  CsvWriter& csv_;
  const StreamInfo& info_;
  const Job& job_;
  std::vector<Decimal> scales_;
};

Result<void> write_stream(const Session& session, const StreamInfo& info, const fs::path& file,
                          const Job& job) {
  auto csv = CsvWriter::create(file);
  if (!csv) return fail(csv.error());
  StreamUnpack unpack(*csv, info, job);
  if (const auto written = unpack.header(); !written) return written;
  const auto scanned = session.scan_stored(
      info.kind, [&](const StreamChunk& chunk) { return unpack.chunk(chunk); }, job);
  if (!scanned) return scanned;
  return csv->close();
}

Warnings what_is_left_out(const Session& session) {
  Warnings warnings;
  const auto file = session.file().filename().string();
  if (!session.edits().empty())
    warnings.push_back({"edits",
                        fmt::format("{} behind: a session folder has no place for them",
                                    session.edits().size() == 1
                                        ? "1 edit stays"
                                        : fmt::format("{} edits stay", session.edits().size())),
                        file});
  for (const auto& damage : session.damage())
    warnings.push_back({"damaged", fmt::format("left out: {}", damage.describe()), file});
  return warnings;
}

}  // namespace

Result<Warnings> unpack_to_folder(const fs::path& file, const fs::path& folder, const Job& job) {
  const auto session = Session::open(file);
  if (!session) return fail(session.error());
  auto partial = PartialPath::begin(folder, false);
  if (!partial) return fail(partial.error());
  std::error_code error;
  if (!fs::create_directory(partial->path(), error))
    return fail(ErrorCode::kIo, "cannot create the folder '{}': {}", partial->path().string(),
                error.message());
  const auto& into = partial->path();
  if (const auto written = write_metadata(*session, into / "session.json"); !written)
    return fail(written.error());
  if (const auto written = write_events(*session, into / "events.csv"); !written)
    return fail(written.error());
  for (const auto& stream : session->streams()) {
    const auto name = std::string(to_string(stream.info.kind)) + ".csv";
    if (const auto written = write_stream(*session, stream.info, into / name, job); !written)
      return fail(written.error());
  }
  if (const auto kept = partial->keep(); !kept) return fail(kept.error());
  return what_is_left_out(*session);
}

}  // namespace tactelier
