#pragma once
// Reads CSV (RFC 4180) in constant memory: UTF-8 with or without BOM, LF or CRLF, quoted cells.
// What can't be text (UTF-16, NUL bytes, endless lines) is refused with line and cause.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libcalib/job.hpp"
#include "libcalib/result.hpp"

namespace tactelier {

/// Bytes of all files of one import, for one progress bar.
struct ImportProgress {
  const Job* job;
  double done = 0;
  double total = 0;
};

/// A file in blocks of whole lines, about 1 MiB each.
class LineBlocks {
 public:
  /// `name` stands in messages. Fails with kIo when the file can't be opened or is a folder.
  static Result<LineBlocks> open(const std::filesystem::path& file, std::string name,
                                 ImportProgress* progress);
  LineBlocks(LineBlocks&& other) noexcept;
  LineBlocks& operator=(LineBlocks&&) = delete;
  ~LineBlocks();

  /// The next whole lines, every one closed by '\n' (added to the last line of the file), valid
  /// until the next call; empty at the end. `line` is the number of the block's first line. Fails
  /// with kCancelled when the job was stopped.
  Result<std::string_view> next(std::uint64_t line);
  const std::string& name() const { return name_; }

 private:
  LineBlocks() = default;
  Result<void> fill(std::uint64_t line);
  Result<void> strip_mark();

  int descriptor_ = -1;
  std::string name_;
  ImportProgress* progress_ = nullptr;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  // first byte not handed out
  std::size_t end_ = 0;    // end of what was read
  bool first_ = true;
  bool ended_ = false;
};

/// Splits one record without its line end. `cells` point into `record` or, where quotes had to be
/// undone, into `scratch`.
enum class Split { kDone, kOpenQuote, kTextAfterQuote, kQuoteInside };
Split split_record(std::string_view record, char delimiter, std::vector<std::string_view>& cells,
                   std::string& scratch);
/// What is wrong with it, for messages; not for kDone.
std::string_view describe(Split split);

/// One record after the other; quoted cells may hold line ends.
class CsvReader {
 public:
  /// `first_line`: the number that the first line has in messages.
  CsvReader(LineBlocks blocks, char delimiter, std::uint64_t first_line = 1)
      : blocks_(std::move(blocks)), delimiter_(delimiter), next_line_(first_line) {}

  /// As loggers and hands write tables: blank lines, comments ("# pause") and the first record once
  /// more (a logger that began again) may stand between the records.
  void allow_lines_between() { between_ = true; }

  /// False at the end. Blank lines are allowed behind the last record only.
  Result<bool> next();
  /// Whether the first record stood once more above the one read last.
  bool began_again() const { return began_again_; }
  std::span<const std::string_view> cells() const { return cells_; }
  /// Where the record begins, from 1.
  std::uint64_t line() const { return line_; }
  /// "force.csv:12", the place of the record.
  std::string place() const;

  /// For a faster scanner that takes over behind the header: lines of the current block not read
  /// yet, and the source of further ones.
  std::string_view rest() const { return rest_; }
  LineBlocks& blocks() { return blocks_; }
  std::uint64_t next_line() const { return next_line_; }

 private:
  Result<bool> read_line(std::string_view& line);
  Result<bool> next_record();
  Result<bool> take_record(std::string_view line);

  LineBlocks blocks_;
  char delimiter_;
  bool between_ = false;
  bool began_again_ = false;
  std::string first_;  // the first record's line, where lines between are allowed
  std::string_view rest_;
  std::vector<std::string_view> cells_;
  std::string joined_;   // a record over several lines
  std::string scratch_;  // unquoted text
  std::uint64_t line_ = 0;
  std::uint64_t next_line_;
};

/// Checks one line for what no text of ours holds: control characters, broken UTF-8.
Result<void> check_text(std::string_view text, std::string_view place);

/// Without spaces and tabs around it.
std::string_view trimmed(std::string_view text);

/// A piece of a file for a message: shortened, with unprintable bytes as \xNN.
std::string shown(std::string_view text);

/// Reads a whole small file (session.json, a map); fails beyond 64 MiB.
Result<std::string> read_small_file(const std::filesystem::path& file, std::string_view name);

}  // namespace tactelier
