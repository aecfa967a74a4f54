// Predictions on their way out.
#pragma once

#include "mgnn/io/record_writer.h"
#include "mgnn/task/trained_model.h"

namespace mgnn {

// write(RecordWriter&): to the file, and as JSON lines, as the request says.
template <class Write>
void for_each_output(const PredictRequest& request, const std::vector<std::string>& columns,
                     Write write) {
  if (!request.output.empty()) {
    RecordWriter file(request.output, columns);
    write(file);
  }
  if (request.json_lines) {
    RecordWriter lines(*request.json_lines, columns);
    write(lines);
  }
}

}  // namespace mgnn
