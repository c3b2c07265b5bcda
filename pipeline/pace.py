"""How fast work goes and how much is left, in words (pure: the time is given, in seconds of any clock)."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

SPAN_S = 10.0
STEP_S = 0.5
SHORT_S = 3.0
QUIET_S = 5.0


@dataclass(slots=True)
class Pace:
    """What was done when, over the last ten seconds; older moments are forgotten."""

    began_s: float
    moments: deque[tuple[float, int]] = field(default_factory=deque)
    last_s: float | None = None

    def note(self, now_s: float, done: int) -> None:
        """Something happened, and so much is done by now."""
        self.last_s = now_s
        if not self.moments or now_s - self.moments[-1][0] >= STEP_S:
            self.moments.append((now_s, done))
        while len(self.moments) > 1 and now_s - self.moments[1][0] >= SPAN_S:
            self.moments.popleft()

    def rate(self, now_s: float, done: int) -> float:
        """How many a second over the last ten seconds; 0 when nothing came."""
        old = [moment for moment in self.moments if now_s - moment[0] >= SPAN_S]
        then_s, before = old[-1] if old else self.moments[0] if self.moments else (self.began_s, 0)
        return (done - before) / (now_s - then_s) if now_s > then_s else 0.0


def render_pace(pace: Pace, now_s: float, done: int, of: int) -> str:
    """Rate, and the time that the rest will take: `12/s  about 3 min left`.

    Nothing in the first three seconds, so that a short run is one short line.  When nothing has happened
    for five seconds (a host has asked us to wait, say) it tells for how long.
    """
    if now_s - pace.began_s < SHORT_S:
        return ""
    rate, left = pace.rate(now_s, done), of - done
    quiet_s = now_s - (pace.began_s if pace.last_s is None else pace.last_s)
    told = [_per_second(rate)] if rate > 0 else []
    if left > 0 and rate > 0:
        told.append(f"about {render_span(left / rate)} left")
    elif left > 0:
        told.append(f"{left:,} left")
    if quiet_s >= QUIET_S:
        told.append(f"no answer for {render_span(quiet_s)}")
    return "  ".join(told)


def render_span(seconds: float) -> str:
    """A span of time as people say it: `40 s`, `12 min`, `3 h`."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 90 * 60 else f"{round(seconds / 3600)} h"


def _per_second(rate: float) -> str:
    return f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.1f}/s" if rate >= 0.1 else f"{rate * 60:.1f}/min"
