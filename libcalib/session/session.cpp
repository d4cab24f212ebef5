#include "libcalib/session/session_impl.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "libcalib/session/session_open.hpp"
#include "libcalib/session/session_tables.hpp"

namespace tactelier {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kProgressEvery = 64;  // chunks

}  // namespace

/// The first reader where it is free, else a spare one, else a new connection to the same file;
/// where none can be opened (read-only media, a truncated file, one that was compacted meanwhile)
/// it waits for the first.
class Session::Impl::Lease {
 public:
  explicit Lease(Impl& session)
      : session_(session), first_(session.first_in_use, std::try_to_lock) {
    if (first_) return;
    own_ = session_.take_spare();
    if (!own_) first_.lock();
  }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  ~Lease() {
    if (!own_) return;
    const std::scoped_lock lock(session_.spare_in_use);
    session_.spare.push_back(std::move(own_));
  }

  Reader& operator*() const { return own_ ? *own_ : session_.first; }

 private:
  Impl& session_;
  std::unique_lock<std::recursive_mutex> first_;
  std::unique_ptr<Reader> own_;
};

std::unique_ptr<Session::Impl::Reader> Session::Impl::take_spare() {
  const std::scoped_lock lock(spare_in_use);
  if (!spare.empty()) {
    auto reader = std::move(spare.back());
    spare.pop_back();
    return reader;
  }
  if (!opened) return nullptr;
  const auto& file = first.database.file();
  if (auto database = Database::open(file, Database::Access::kRead)) {
    auto reader = std::make_unique<Reader>(Reader{std::move(*database), std::nullopt});
    // The statements look into the file, so that what they were prepared for is what was compared.
    auto chunks = ChunkReader::prepare(reader->database, damage);
    if (const auto now = identity(file); chunks && now && *now == *opened) {
      reader->chunks.emplace(std::move(*chunks));
      return reader;
    }
  }
  opened.reset();
  return nullptr;
}

std::optional<double> StreamSummary::rate_hz() const {
  if (rows < 2 || !(end_s > begin_s)) return std::nullopt;
  return static_cast<double>(rows - 1) / (end_s - begin_s);
}

Result<const StreamSummary*> Session::Impl::find(StreamKind kind) const {
  for (const auto& stream : streams)
    if (stream.info.kind == kind) return &stream;
  return fail(ErrorCode::kInvalidInput, "{}: has no stream '{}'", first.database.file().string(),
              to_string(kind));
}

/// Of "t" and `columns`, in this order.
Result<std::vector<std::size_t>> Session::Impl::positions(
    const StreamSummary& stream, std::span<const std::string> columns) const {
  const auto& all = stream.info.columns;
  std::vector<std::size_t> found{0};
  for (const auto& name : columns) {
    const auto next = found.back() + 1;  // mostly they are asked for in their order
    const bool in_order = next < all.size() && all[next].name == name;
    const int position = in_order ? static_cast<int>(next) : stream.info.find(name);
    if (position < 0)
      return fail(ErrorCode::kInvalidInput, "{}: stream '{}' has no column '{}'",
                  first.database.file().string(), to_string(stream.info.kind), name);
    found.push_back(static_cast<std::size_t>(position));
  }
  return found;
}

Result<void> Session::Impl::walk(const StreamSummary& stream, TimeRange range, const Job& job,
                                 const ChunkVisitor& visit) {
  const Lease lease(*this);
  auto& [database, reader] = *lease;
  const auto transaction = Transaction::begin(database);
  if (!transaction) return fail(transaction.error());
  const auto kind = stream.info.kind;
  const auto what = fmt::format("read {}", to_string(kind));
  const auto total = static_cast<std::int64_t>(stream.chunks);
  const auto begin = reader->first_chunk(kind, total, range.begin_s);
  double reached_s = kUnknown;
  std::optional<std::pair<DamageLog::Stretch, std::string>> lost;
  const auto note_lost = [&](double until_s) {
    if (!lost) return;
    lost->first.end_s = until_s;
    damage.note(kind, "", lost->first, lost->second);
    lost.reset();
  };
  for (auto number = begin; number < total; ++number) {
    if (job.stopped()) return Job::cancelled();
    if ((number - begin) % kProgressEvery == 0)
      job.progress(what, static_cast<double>(number), static_cast<double>(total));
    std::string why;
    const auto header = reader->header(kind, number, &why);
    if (!header) {
      if (lost && lost->second != why) note_lost(reached_s);
      if (!lost) lost.emplace(DamageLog::Stretch{number, number, reached_s, reached_s}, why);
      lost->first.last = number;
      continue;
    }
    note_lost(header->t_first_s);
    if (header->t_first_s >= range.end_s) break;
    reached_s = header->t_last_s;
    if (header->t_last_s < range.begin_s) continue;
    if (auto done = visit(*reader, {*header, number}); !done) return done;
  }
  note_lost(reached_s);
  return {};
}

/// Begin and end from the first and last chunk that can be read.
void Session::Impl::summarize(const SessionTables::Stream& stream) {
  StreamSummary summary{stream.info, static_cast<std::uint64_t>(stream.rows),
                        static_cast<std::uint64_t>(stream.chunks)};
  for (std::int64_t number = 0; number < stream.chunks; ++number) {
    const auto header = first.chunks->header(stream.info.kind, number);
    if (!header) continue;
    summary.begin_s = header->t_first_s;
    break;
  }
  for (auto number = stream.chunks - 1; number >= 0; --number) {
    const auto header = first.chunks->header(stream.info.kind, number);
    if (!header) continue;
    summary.end_s = header->t_last_s;
    break;
  }
  streams.push_back(std::move(summary));
}

Session::Session(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

Result<Session> Session::open(const std::filesystem::path& file) {
  const auto before = identity(file);
  auto opened = open_session_file(file);
  if (!opened) return fail(opened.error());
  DamageLog damage;
  if (!opened->truncated.empty()) damage.note(opened->truncated);
  auto tables = Transaction::begin(opened->database).and_then([&](const Transaction&) {
    return read_tables(*opened, damage);
  });
  if (!tables) return fail(tables.error());
  auto metadata = parse_session_metadata(tables->document, file.string() + ", metadata");
  if (!metadata) return fail(metadata.error());

  auto impl = std::make_unique<Impl>(std::move(opened->database));
  impl->damage = std::move(damage);
  auto chunks = ChunkReader::prepare(impl->first.database, impl->damage);
  if (!chunks) return fail(chunks.error());
  impl->first.chunks.emplace(std::move(*chunks));
  if (const auto now = identity(file); before && now && *before == *now) impl->opened = *now;
  impl->metadata = std::move(*metadata);
  impl->metadata.document = std::move(tables->document);  // the bytes that were hashed
  impl->events = std::move(tables->events);
  impl->edits = std::move(tables->edits);
  impl->finished = tables->finished;
  impl->stored_hash = std::move(tables->content_hash);
  for (const auto& stream : tables->streams) impl->summarize(stream);
  return Session(std::move(impl));
}

const std::filesystem::path& Session::file() const { return impl_->first.database.file(); }
const SessionMetadata& Session::metadata() const { return impl_->metadata; }
const std::vector<Event>& Session::events() const { return impl_->events; }
const std::vector<Edit>& Session::edits() const { return impl_->edits; }
const std::vector<StreamSummary>& Session::streams() const { return impl_->streams; }
bool Session::finished() const { return impl_->finished; }
const std::vector<Damage>& Session::damage() const { return impl_->damage.entries(); }

const StreamSummary* Session::stream(StreamKind kind) const {
  return impl_->find(kind).value_or(nullptr);
}

Result<void> Session::scan(StreamKind kind, std::span<const std::string> columns, TimeRange range,
                           const SampleSink& sink, const Job& job) const {
  const auto stream = impl_->find(kind);
  if (!stream) return fail(stream.error());
  const auto positions = impl_->positions(**stream, columns);
  if (!positions) return fail(positions.error());
  const auto& info = (*stream)->info;
  return impl_->walk(
      **stream, range, job, [&](ChunkReader& chunks, const NumberedChunk& chunk) -> Result<void> {
        const auto stored = chunks.columns(info, chunk, *positions);
        if (!stored) return {};
        Samples samples;
        const auto rows = static_cast<std::size_t>(chunk.header.count);
        append_si(*stored->front(), info.columns.front().to_si(), 0, rows, samples.time_s);
        auto& time = samples.time_s;
        const auto first = std::lower_bound(time.begin(), time.end(), range.begin_s) - time.begin();
        const auto last = std::lower_bound(time.begin(), time.end(), range.end_s) - time.begin();
        if (first >= last) return {};
        time.erase(time.begin() + last, time.end());
        time.erase(time.begin(), time.begin() + first);
        samples.columns.resize(columns.size());
        for (std::size_t i = 0; i < columns.size(); ++i)
          append_si(*(*stored)[i + 1], info.columns[(*positions)[i + 1]].to_si(),
                    static_cast<std::size_t>(first), static_cast<std::size_t>(last),
                    samples.columns[i]);
        return sink(samples);
      });
}

Result<Samples> Session::read(StreamKind stream, std::span<const std::string> columns,
                              TimeRange range, const Job& job) const {
  Samples all;
  all.columns.resize(columns.size());
  const auto done = scan(
      stream, columns, range,
      [&](const Samples& samples) -> Result<void> {
        all.time_s.insert(all.time_s.end(), samples.time_s.begin(), samples.time_s.end());
        for (std::size_t i = 0; i < columns.size(); ++i)
          all.columns[i].insert(all.columns[i].end(), samples.columns[i].begin(),
                                samples.columns[i].end());
        return {};
      },
      job);
  if (!done) return fail(done.error());
  return all;
}

Result<void> Session::scan_stored(StreamKind kind, const ChunkSink& sink, const Job& job) const {
  const auto stream = impl_->find(kind);
  if (!stream) return fail(stream.error());
  return impl_->walk(**stream, {}, job,
                     [&](ChunkReader& chunks, const NumberedChunk& chunk) -> Result<void> {
                       auto columns = chunks.columns((*stream)->info, chunk);
                       return columns ? sink(StreamChunk{std::move(*columns)}) : Result<void>{};
                     });
}

}  // namespace tactelier
