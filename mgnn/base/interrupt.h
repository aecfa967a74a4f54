// Ctrl-C, SIGTERM and SIGHUP: a flag that long work looks at, so that it can leave cleanly.
#pragma once

namespace mgnn {

// From now on SIGINT, SIGTERM and SIGHUP set the flag; a second one ends the process at once. A SIGHUP
// that was ignored before, as under nohup, stays so.
void catch_interrupts();

void set_interrupted(bool value);  // what the signal handler does; for tests and embedders
bool interrupted();                // cheap enough for an inner loop's every few thousand steps
void check_interrupted();          // throws Error (interrupted) if the flag is set

}  // namespace mgnn
