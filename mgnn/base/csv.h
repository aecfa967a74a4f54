// Fields of CSV and TSV files on their way out (RFC 4180).
#pragma once

#include <string>
#include <string_view>

namespace mgnn {

// In double quotes, with "" for a quote inside.
std::string csv_quoted(std::string_view text);

// The text as it stands; quoted if it has the separator, quotes or line ends.
std::string csv_field(std::string_view text, char separator = ',');

// The separator that a file's name asks for: a tab for .tsv, also before .gz and the like, else a
// comma.
char csv_separator(std::string_view path);

}  // namespace mgnn
