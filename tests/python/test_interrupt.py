"""Ctrl-C in the middle of a call, as a terminal sends it to another process."""
import pytest

from long_work import WORK, interrupted


@pytest.mark.parametrize("name", WORK)
def test_ctrl_c_ends_a_running_call(name):
    outcome, seconds = interrupted(name)
    assert outcome == "interrupted", f"{outcome} {seconds:.1f} s after the signal"
