#include "libcalib/import/stream_import.hpp"

#include <limits>
#include <string>

#include "libcalib/import/chunk_builder.hpp"
#include "libcalib/import/number_rows.hpp"
#include "libcalib/import/row_sorter.hpp"
#include "libcalib/import/stream_header.hpp"

namespace tactelier {
namespace {

class StreamImport {
 public:
  StreamImport(CsvReader& reader, const StreamHeader& header, ImportRun& run)
      : name_(reader.blocks().name()),
        header_(header),
        run_(run),
        rows_(reader, header),
        builder_(run.writer, header.info) {}

  Result<void> all() {
    const auto taken = run_.options.sort ? take_sorted() : take_in_order();
    if (!taken) return taken;
    if (const auto finished = builder_.finish(); !finished) return finished;
    run_.report.rows += builder_.rows();
    if (builder_.rows() == 0)
      run_.report.warnings.push_back(
          {"no-rows", "has a header but no rows; the stream is left out", name_});
    return {};
  }

 private:
  Result<bool> next() {
    switch (rows_.next(builder_.mantissas(), builder_.exponents())) {
      case RowRead::kEnd:
        return false;
      case RowRead::kError:
        return fail(rows_.error());
      case RowRead::kRow:
        break;
    }
    if (*builder_.mantissas() == kMissing) return bad("the time stamp is missing");
    return true;
  }

  tl::unexpected<Error> bad(std::string_view what) const {
    return fail(ErrorCode::kInvalidInput, "{}:{}: {}", name_, rows_.line(), what);
  }

  Result<void> take_in_order() {
    double before_s = -std::numeric_limits<double>::infinity();
    for (;;) {
      const auto row = next();
      if (!row) return fail(row.error());
      if (!*row) return {};
      const double now_s = builder_.time_s();
      if (now_s < before_s) return bad(backwards_message(now_s, before_s, "samples"));
      before_s = now_s;
      if (const auto taken = builder_.take_row(); !taken) return taken;
    }
  }

  Result<void> take_sorted() {
    RowSorter sorter(header_.info.columns.size(), run_.scratch_folder);
    for (;;) {
      const auto row = next();
      if (!row) return fail(row.error());
      if (!*row) break;
      const auto added = sorter.add(builder_.time_s(), builder_.mantissas(), builder_.exponents());
      if (!added) return added;
    }
    if (const auto finished = sorter.finish(); !finished) return finished;
    for (std::uint64_t count = 0;; ++count) {
      if (count % 4096 == 0 && run_.progress.job->stopped()) return Job::cancelled();
      const auto row = sorter.next(builder_.mantissas(), builder_.exponents());
      if (!row) return fail(row.error());
      if (!*row) return {};
      if (const auto taken = builder_.take_row(); !taken) return taken;
    }
  }

  const std::string& name_;
  const StreamHeader& header_;
  ImportRun& run_;
  NumberRows rows_;
  ChunkBuilder builder_;
};

}  // namespace

std::string backwards_message(double now_s, double before_s, std::string_view things) {
  return fmt::format("time runs backwards ({} s after {} s); use --sort to order the {}", now_s,
                     before_s, things);
}

Result<void> import_stream(StreamKind kind, const std::filesystem::path& file, ImportRun& run) {
  auto blocks = LineBlocks::open(file, file.filename().string(), &run.progress);
  if (!blocks) return fail(blocks.error());
  CsvReader reader(std::move(*blocks), ',');
  const auto first = reader.next();
  if (!first) return fail(first.error());
  if (!*first)
    return fail(ErrorCode::kInvalidInput, "{}: only blank lines; a header is needed",
                reader.blocks().name());
  const auto header = read_stream_header(kind, reader.cells(), run.metadata.sensor, reader.place());
  if (!header) return fail(header.error());
  return StreamImport(reader, *header, run).all();
}

}  // namespace tactelier
