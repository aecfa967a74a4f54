// Tables of experiments in Markdown documents. A block begins with the line
// <!-- mgnn reproduce NAME … --> and ends with the line <!-- end -->; what stands between them is
// written by the tool: the command, the date of the results and the tables, without columns that are empty.
#pragma once

#include "cli/study_flags.h"

namespace mgnn {

// Writes the blocks of the document at `path` that belong to the experiment `flags.name`, or all,
// with the flags that stand in the markers; `flags` say where results are stored and whether missing
// ones are computed. If they are not, blocks with missing results stay as they are, with a warning.
// Text outside of the blocks stays byte by byte. Lines in ``` fences are text.
// Throws Error with path:line if a block is not closed or not opened or its command is wrong; then
// nothing is written.
void update_document(const std::string& path, const StudyFlags& flags, const Globals& globals);

}  // namespace mgnn
