import pytest

from pipeline.pace import Pace, render_pace, render_span


def pace(*moments: tuple[float, int]) -> Pace:
    """Of work that began at 100."""
    found = Pace(100)
    for now_s, done in moments:
        found.note(now_s, done)
    return found


def test_a_short_run_says_nothing_of_its_pace():
    assert render_pace(pace((101, 10), (102.9, 20)), 102.9, done=20, of=1000) == ""


def test_rate_and_remaining_time_are_of_the_last_ten_seconds():
    slow_then_fast = pace((100, 0), (150, 10), (155, 510), (160, 1010))

    assert render_pace(slow_then_fast, 160, done=1010, of=7010) == "100/s  about 60 s left"


def test_what_the_last_half_second_brought_counts_too():
    assert render_pace(pace((100, 0), (104, 40), (104.1, 50)), 104.1, done=82, of=82) == "20/s"


def test_a_silent_host_is_told_for_as_long_as_it_is_silent():
    silent = pace((100, 0), (104, 40))

    assert render_pace(silent, 108.9, done=40, of=100) == "4.5/s  about 13 s left"
    assert render_pace(silent, 110, done=40, of=100) == "4.0/s  about 15 s left  no answer for 6 s"
    assert render_pace(silent, 120, done=40, of=100) == "60 left  no answer for 16 s"


def test_before_the_first_listing_only_the_silence_is_told():
    assert render_pace(Pace(100), 112, done=0, of=0) == "no answer for 12 s"


def test_what_is_left_is_not_guessed_below_zero():
    assert render_pace(pace((100, 0), (104, 8)), 104, done=8, of=0) == "2.0/s"


def test_a_slow_rate_is_told_by_the_minute():
    assert render_pace(pace((100, 0), (150, 1)), 150, done=1, of=2) == "1.2/min  about 50 s left"


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0.2, "1 s"), (89, "89 s"), (90, "2 min"), (720, "12 min"), (5399, "90 min"), (5400, "2 h"), (36000, "10 h")],
)
def test_a_span_is_told_as_people_say_it(seconds, shown):
    assert render_span(seconds) == shown


def test_ten_thousand_events_leave_few_moments():
    busy = pace(*[(100 + number / 100, number) for number in range(10_000)])

    assert len(busy.moments) == 21
