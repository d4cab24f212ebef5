#include "app/workflow/catalogue/merge_catalogues.hpp"

#include "app/workflow/catalogue/catalogue.hpp"

namespace tactelier {
namespace {

/// Fits of `source` that `target` lacks, in the order of their keys.
Result<std::size_t> add_missing(const Catalogue& source, Catalogue& target, const Job& job) {
  const auto theirs = source.keys(), known = target.keys();
  if (!theirs) return fail(theirs.error());
  if (!known) return fail(known.error());
  std::size_t added = 0;
  for (const auto& key : *theirs) {
    if (job.stopped()) return Job::cancelled();
    job.progress("merging " + source.database().file().filename().string(),
                 static_cast<double>(added), static_cast<double>(theirs->size()));
    if (known->contains(key)) continue;
    const auto fit = source.fit(key);
    if (!fit) return fail(fit.error());
    if (auto done = target.add(**fit); !done) return fail(done.error());
    ++added;
  }
  return added;
}

}  // namespace

Result<MergeOutcome> merge_catalogues(const std::vector<std::filesystem::path>& sources,
                                      const std::filesystem::path& target, const Job& job) {
  std::vector<Catalogue> opened;
  for (const auto& source : sources) {
    auto catalogue = Catalogue::read(source);
    if (!catalogue) return fail(catalogue.error());
    opened.push_back(std::move(*catalogue));
  }
  auto whole = Catalogue::open(target);
  if (!whole) return fail(whole.error());
  MergeOutcome outcome;
  for (const auto& source : opened) {
    const auto added = add_missing(source, *whole, job);
    if (!added) return fail(added.error());
    outcome.added += *added;
  }
  const auto keys = whole->keys();
  if (!keys) return fail(keys.error());
  outcome.fits = keys->size();
  return outcome;
}

}  // namespace tactelier
