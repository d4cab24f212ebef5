// A session as MATLAB's .mat, version 5 (unpack_table.hpp).

#include <fmt/format.h>
#include <matio.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "app/workflow/open_data/unpack_table.hpp"

namespace tactelier {
namespace {

struct CloseMatFile {
  void operator()(mat_t* file) const { Mat_Close(file); }
};
struct FreeMatVariable {
  void operator()(matvar_t* variable) const { Mat_VarFree(variable); }
};
using MatVariable = std::unique_ptr<matvar_t, FreeMatVariable>;

constexpr std::size_t kMaxBytes = std::size_t{1} << 31;  // of one variable of version 5

tl::unexpected<Error> mat_failure(const std::filesystem::path& file) {
  return fail(ErrorCode::kIo, "{}: matio can't write it; is there room on the disk?",
              file.string());
}

/// Column after column, as MATLAB has it.
bool write_matrix(mat_t* file, const std::string& name, std::vector<double>& numbers,
                  std::size_t columns) {
  std::size_t size[2] = {columns == 0 ? 0 : numbers.size() / columns, columns};
  const MatVariable variable(Mat_VarCreate(name.c_str(), MAT_C_DOUBLE, MAT_T_DOUBLE, 2, size,
                                           numbers.data(), MAT_F_DONT_COPY_DATA));
  return variable && Mat_VarWrite(file, variable.get(), MAT_COMPRESSION_ZLIB) == 0;
}

/// JSON with \u escapes: what a .mat says of other letters depends on who reads it.
std::string ascii(const std::string& document) {
  const auto json = nlohmann::json::parse(document, nullptr, false);
  return json.is_discarded() ? document : json.dump(-1, ' ', true);
}

MatVariable text_variable(const char* name, const std::string& text) {
  std::size_t size[2] = {text.empty() ? std::size_t{0} : std::size_t{1}, text.size()};
  return MatVariable(
      Mat_VarCreate(name, MAT_C_CHAR, MAT_T_UTF8, 2, size, const_cast<char*>(text.data()), 0));
}

bool write_text(mat_t* file, const std::string& name, const std::string& text) {
  const auto variable = text_variable(name.c_str(), text);
  return variable && Mat_VarWrite(file, variable.get(), MAT_COMPRESSION_ZLIB) == 0;
}

/// A cell array of one column, a text each.
bool write_texts(mat_t* file, const std::string& name, const std::vector<std::string>& texts) {
  std::size_t size[2] = {texts.size(), 1};
  const MatVariable cells(Mat_VarCreate(name.c_str(), MAT_C_CELL, MAT_T_CELL, 2, size, nullptr, 0));
  if (!cells) return false;
  for (std::size_t i = 0; i < texts.size(); ++i)
    Mat_VarSetCell(cells.get(), static_cast<int>(i), text_variable(nullptr, texts[i]).release());
  return Mat_VarWrite(file, cells.get(), MAT_COMPRESSION_ZLIB) == 0;
}

Result<void> write_mat_stream(const Session& session, const StreamSummary& stream, mat_t* out,
                              const std::filesystem::path& file, const Job& job) {
  const std::string name(to_string(stream.info.kind));
  const auto columns = stream_columns(stream.info);
  if (stream.rows * columns.names.size() * sizeof(double) >= kMaxBytes)
    return fail(ErrorCode::kInvalidInput,
                "{}: the stream {} has more than 2 GiB, which a .mat can't hold; write .h5, which "
                "MATLAB reads with h5read",
                file.string(), name);
  auto samples = session.read(stream.info.kind, columns.names, {}, job);
  if (!samples) return fail(samples.error());
  std::vector<double> numbers;
  for (auto& column : samples->columns) {
    numbers.insert(numbers.end(), column.begin(), column.end());
    column = {};
  }
  if (!write_matrix(out, name + "_time_s", samples->time_s, 1) ||
      !write_matrix(out, name, numbers, columns.names.size()) ||
      !write_texts(out, name + "_columns", columns.names) ||
      !write_texts(out, name + "_units", columns.units))
    return mat_failure(file);
  return {};
}

bool write_mat_events(const Session& session, mat_t* out) {
  std::vector<std::string> names, data;
  std::vector<double> times_s;
  for (const auto& event : session.events()) {
    times_s.push_back(event.t_s.value());
    names.push_back(event.name);
    data.push_back(ascii(event.data));
  }
  return write_matrix(out, "events_time_s", times_s, 1) && write_texts(out, "events_name", names) &&
         write_texts(out, "events_data", data);
}

}  // namespace

Result<void> write_mat(const Session& session, const std::filesystem::path& file, const Job& job) {
  const auto hash = session.content_hash();
  if (!hash) return fail(hash.error());
  const std::unique_ptr<mat_t, CloseMatFile> out(
      Mat_CreateVer(file.c_str(), "MATLAB 5.0 MAT-file, written by tactelier", MAT_FT_MAT5));
  if (!out || !write_text(out.get(), "content_hash", *hash) ||
      !write_text(out.get(), "session_json", ascii(session.metadata().document)) ||
      !write_mat_events(session, out.get()))
    return mat_failure(file);
  for (const auto& stream : session.streams())
    if (auto done = write_mat_stream(session, stream, out.get(), file, job); !done) return done;
  return {};
}

}  // namespace tactelier
