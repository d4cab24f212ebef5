#pragma once
// What every exporter says in its file's comments, in the same words.

#include <span>
#include <string>
#include <vector>

#include "reports/export/exporter.hpp"

namespace tactelier {

/// "identified, U(95 %) = 24 N/m" or "assumed by user": what stands behind a number.
std::string provenance_text(const Parameter& parameter);

/// Sensor, date, program, hashes of the model and its recordings, ranges of validity, indenters and
/// what was assumed, one line each.
std::vector<std::string> header_lines(const SensorModel& model);

/// Group of a path: "response.tactels[3].coefficients[1]" -> "response.tactels[].coefficients[]".
std::string without_indices(std::string path);

/// Rig, clocks and presses belong to the recording, not to the sensor.
bool of_the_recording(std::string_view path);

/// Every usable parameter that is not among `written` (paths), one entry per group of tactels or
/// list: "TARGET has no slot for it". What is of the recording is not counted.
std::vector<Loss> losses_without_slot(const SensorModel& model,
                                      std::span<const std::string> written,
                                      std::string_view target);

/// Says of k what it holds for (ST-05 when it comes from a punch); nothing when k is not usable or
/// comes from an area load.
Warnings stiffness_warnings(const SensorModel& model);

/// Text that may stand in an XML comment: no "--", no "-" at its end.
std::string xml_comment(std::string_view text);

/// Lines as a comment of a programming language, each behind `prefix`; nothing in them ends or
/// continues it.
std::string comment_lines(std::string_view prefix, std::span<const std::string> lines);

/// A reason in front of more words: "RS-01 It stayed at its offset." loses its full stop.
std::string_view without_full_stop(std::string_view sentence);

/// Letters, digits and single underscores: "a  b-c" -> "a_b_c". No digit is put in front.
std::string identifier(std::string_view text);

}  // namespace tactelier
