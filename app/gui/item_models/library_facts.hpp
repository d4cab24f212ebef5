#pragma once
// Fills a LibraryEntry from the file it stands for.

#include "app/gui/item_models/library_entry.hpp"

namespace tactelier::gui {

void describeRecording(LibraryEntry& entry, const Job& job);
void describeFolder(LibraryEntry& entry);
void describeModel(LibraryEntry& entry);

}  // namespace tactelier::gui
