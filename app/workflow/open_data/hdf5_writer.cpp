// A session as HDF5 (unpack_table.hpp).

#include <hdf5.h>

#include <array>

#include "app/workflow/open_data/unpack_table.hpp"
#include "libcalib/import/formats/hdf5_handle.hpp"

namespace tactelier {
namespace {

constexpr hsize_t kChunkRows = 4096;
constexpr unsigned kDeflate = 4;

/// UTF-8 of any length.
hid_t text_type() {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

std::vector<const char*> pointers(const std::vector<std::string>& texts) {
  std::vector<const char*> all;
  for (const auto& text : texts) all.push_back(text.c_str());
  return all;
}

bool add_texts(hid_t place, const char* name, const std::vector<std::string>& texts) {
  const Hdf5Handle type(text_type(), H5Tclose);
  const hsize_t count = texts.size();
  const Hdf5Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const Hdf5Handle attribute(
      H5Acreate2(place, name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  return attribute && H5Awrite(attribute.get(), type.get(), pointers(texts).data()) >= 0;
}

bool add_text(hid_t place, const char* name, const std::string& text) {
  const Hdf5Handle type(text_type(), H5Tclose);
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Handle attribute(
      H5Acreate2(place, name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  const char* const pointer = text.c_str();
  return attribute && H5Awrite(attribute.get(), type.get(), &pointer) >= 0;
}

bool write_text_set(hid_t place, const char* name, const std::vector<std::string>& texts) {
  const Hdf5Handle type(text_type(), H5Tclose);
  const hsize_t count = texts.size();
  const Hdf5Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const Hdf5Handle set(
      H5Dcreate2(place, name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      H5Dclose);
  return set && (count == 0 || H5Dwrite(set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                        pointers(texts).data()) >= 0);
}

/// Rows of numbers that are added to as a recording is read.
class GrowingTable {
 public:
  GrowingTable(hid_t place, const char* name, hsize_t width)
      : width_(width), set_(create(place, name, width), H5Dclose) {}
  explicit operator bool() const { return static_cast<bool>(set_); }
  hid_t get() const { return set_.get(); }

  /// `rows` times width numbers, row by row.
  bool append(const std::vector<double>& numbers, hsize_t rows) {
    const std::array size{rows_ + rows, width_}, begin{rows_, hsize_t{0}}, extent{rows, width_};
    if (H5Dset_extent(set_.get(), size.data()) < 0) return false;
    rows_ += rows;
    const Hdf5Handle file(H5Dget_space(set_.get()), H5Sclose);
    const Hdf5Handle memory(H5Screate_simple(2, extent.data(), nullptr), H5Sclose);
    H5Sselect_hyperslab(file.get(), H5S_SELECT_SET, begin.data(), nullptr, extent.data(), nullptr);
    return H5Dwrite(set_.get(), H5T_NATIVE_DOUBLE, memory.get(), file.get(), H5P_DEFAULT,
                    numbers.data()) >= 0;
  }

 private:
  static hid_t create(hid_t place, const char* name, hsize_t width) {
    const std::array size{hsize_t{0}, width}, most{H5S_UNLIMITED, width};
    const std::array chunk{kChunkRows, width};
    const Hdf5Handle space(H5Screate_simple(2, size.data(), most.data()), H5Sclose);
    const Hdf5Handle how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_chunk(how.get(), 2, chunk.data());
    H5Pset_shuffle(how.get());
    H5Pset_deflate(how.get(), kDeflate);
    return H5Dcreate2(place, name, H5T_IEEE_F64LE, space.get(), H5P_DEFAULT, how.get(),
                      H5P_DEFAULT);
  }

  hsize_t width_;
  hsize_t rows_ = 0;
  Hdf5Handle set_;
};

tl::unexpected<Error> not_written(const std::filesystem::path& file) {
  return fail(ErrorCode::kIo, "{}: HDF5 can't write it; is there room on the disk?", file.string());
}

std::vector<double> by_rows(const Samples& samples) {
  std::vector<double> numbers;
  numbers.reserve(samples.rows() * samples.columns.size());
  for (std::size_t row = 0; row < samples.rows(); ++row)
    for (const auto& column : samples.columns) numbers.push_back(column[row]);
  return numbers;
}

Result<void> write_stream(const Session& session, const StreamSummary& stream, hid_t file,
                          const std::filesystem::path& path, const Job& job) {
  const std::string name(to_string(stream.info.kind));
  const auto columns = stream_columns(stream.info);
  const Hdf5Handle group(H5Gcreate2(file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                         H5Gclose);
  if (!group || columns.names.empty()) return group ? Result<void>() : not_written(path);
  GrowingTable time(group.get(), "time_s", 1);
  GrowingTable values(group.get(), "values", columns.names.size());
  if (!time || !values || !add_texts(values.get(), "columns", columns.names) ||
      !add_texts(values.get(), "units", columns.units))
    return not_written(path);
  const auto add = [&](const Samples& samples) -> Result<void> {
    if (!time.append(samples.time_s, samples.rows()) ||
        !values.append(by_rows(samples), samples.rows()))
      return not_written(path);
    return {};
  };
  return session.scan(stream.info.kind, columns.names, {}, add, job);
}

bool write_events(const Session& session, hid_t file) {
  const Hdf5Handle group(H5Gcreate2(file, "events", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                         H5Gclose);
  if (!group) return false;
  GrowingTable time(group.get(), "time_s", 1);
  std::vector<std::string> names, data;
  std::vector<double> times_s;
  for (const auto& event : session.events()) {
    times_s.push_back(event.t_s.value());
    names.push_back(event.name);
    data.push_back(event.data);
  }
  return time && (times_s.empty() || time.append(times_s, times_s.size())) &&
         write_text_set(group.get(), "name", names) && write_text_set(group.get(), "data", data);
}

}  // namespace

Result<void> write_hdf5(const Session& session, const std::filesystem::path& file, const Job& job) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // its own messages go to nobody
  const auto hash = session.content_hash();
  if (!hash) return fail(hash.error());
  const Hdf5Handle out(H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
  if (!out || !add_text(out.get(), "format", "tactelier/session") ||
      !add_text(out.get(), "content_hash", *hash) ||
      !write_text_set(out.get(), "session.json", {session.metadata().document}) ||
      !write_events(session, out.get()))
    return not_written(file);
  for (const auto& stream : session.streams())
    if (auto done = write_stream(session, stream, out.get(), file, job); !done) return done;
  return H5Fflush(out.get(), H5F_SCOPE_GLOBAL) >= 0 ? Result<void>() : not_written(file);
}

}  // namespace tactelier
