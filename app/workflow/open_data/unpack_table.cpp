#include "app/workflow/open_data/unpack_table.hpp"

#include "app/workflow/open_session.hpp"
#include "libcalib/partial_file.hpp"
#include "libcalib/units.hpp"

namespace tactelier {
namespace {

using Writer = Result<void> (*)(const Session&, const std::filesystem::path&, const Job&);

Result<Writer> writer_for(const std::filesystem::path& target) {
  if (target.extension() == ".h5") return &write_hdf5;
  if (target.extension() == ".mat") return &write_mat;
  if (target.extension() == ".mcap") return &write_mcap;
  return fail(ErrorCode::kUsage, "'{}': give a name that ends in .h5, .mat or .mcap",
              target.string());
}

/// "" for readings of tactels, numbers of records, states. The first symbol of a quantity is SI's.
std::string si_unit(const ColumnInfo& column) {
  const auto unit = parse_unit(column.unit);
  if (!unit) return {};
  const auto symbols = unit_symbols(unit->quantity);
  return symbols.substr(0, symbols.find(','));
}

}  // namespace

StreamColumns stream_columns(const StreamInfo& stream) {
  StreamColumns columns;
  for (std::size_t i = 1; i < stream.columns.size(); ++i) {
    columns.names.push_back(stream.columns[i].name);
    columns.units.push_back(si_unit(stream.columns[i]));
  }
  return columns;
}

Result<UnpackedTable> unpack_table(const std::filesystem::path& session,
                                   const std::filesystem::path& target, const Job& job) {
  const auto write = writer_for(target);
  if (!write) return fail(write.error());
  const auto opened = OpenSession::open(session, job);
  if (!opened) return fail(opened.error());
  auto partial = PartialPath::begin(target, true);
  if (!partial) return fail(partial.error());
  if (auto written = (*write)(opened->session(), partial->path(), job); !written)
    return fail(written.error());
  if (auto kept = partial->keep(); !kept) return fail(kept.error());
  UnpackedTable table;
  table.warnings = opened->warnings();
  for (auto& warning : damage_warnings(opened->session(), opened->name()))
    table.warnings.push_back(std::move(warning));
  for (const auto& stream : opened->session().streams())
    table.streams.push_back(
        {std::string(to_string(stream.info.kind)), stream.rows, stream.info.columns.size() - 1});
  return table;
}

}  // namespace tactelier
