// Files that are mapped into memory and become shorter while they are read.
#pragma once

#include <string>
#include <string_view>

namespace mgnn {

// For catch_shrinking_files: these bytes are the content of that file.
void list_mapping(std::string_view bytes, const std::string& path);
void unlist_mapping(const char* begin);

// From now on a file that another process truncates while it is read here ends this process with one
// sentence on stderr and the exit code of wrong data, and not with a signal. Temporary files are
// removed. For programs; a library has no say in how its program handles signals.
void catch_shrinking_files();

}  // namespace mgnn
