"""Two hundred projects with four hundred open tasks, as people write them: four boards in ten are Russian."""

from __future__ import annotations

from datetime import timedelta

from tests.fakes.catalogs import NOW, Project, item

PROJECTS = 200
# slug, title, next action
ENGLISH = (
    ("night-vents", "Close the roof vents on cold nights", "compare the vent log of house 2 with the heater log"),
    ("power-cut", "Survive a power cut in the middle of watering", "ask Ivan which valve stays open without power"),
    ("double-payment", "Nobody pays twice", "show “already paid” on the door tablet in green, then ask two customers"),
    ("label-ink", "Waterproof ink for pots that stand outside", "order three inks and leave a label of each outside"),
    ("crates", "Fragile crates on the upper layer", "mark the crates, then sort by layer first"),
)
RUSSIAN = (
    ("order-2027", "Заказ семян на 2027 год", "спросить о цене на базилик и закрыть список"),
    ("cold-room", "Датчик в холодной комнате", "после доставки поставить на полку с кориандром"),
    ("polka", "Полка для рассады у окна", "отпилить доски по чертежу и проверить уровень"),
    ("otchet", "Отчёт о поливе за месяц", "взять литры из журнала и сверить со счётчиком"),
    ("sklad", "Пересчитать горшки на складе", "начать с верхних полок, записывать сразу"),
)


def projects() -> list[Project]:
    """The projects: one active task, one to do, one done."""
    return [_project(number) for number in range(PROJECTS)]


def _project(number: int) -> Project:
    texts = RUSSIAN if number % 10 in (1, 3, 6, 8) else ENGLISH
    chosen = (texts[number % 5], texts[(number + 2) % 5], texts[(number + 4) % 5])
    statuses = ("active", "todo", "done")
    board = "".join(_section(*text, status) for text, status in zip(chosen, statuses, strict=True))
    items = tuple(
        item(slug, title, 5 * place + 1, status=status, next=following)
        for place, ((slug, title, following), status) in enumerate(zip(chosen, statuses, strict=True))
    )
    return Project(
        repository=f"forge.example/team/project-{number:03}",
        board=board,
        items=items,
        committed_at=NOW - timedelta(hours=number),
    )


def _section(slug: str, title: str, following: str, status: str) -> str:
    return f"## {slug} — {title}\n**Status:** {status}\n**Next action:** {following}\n\n"
