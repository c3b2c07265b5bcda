"""The words by which a page is known to speak of a platform or tool.  Pure.

A word of Latin letters is compared whole and folded, and as written where the same letters are an everyday word
(`=Node`); one of Russian letters by its stem; one that ends in `*` by how it begins (a family of chips).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pipeline.domains import CROSS, EMBEDDED, NODE, WEB
from pipeline.stems import is_russian, stem, words_of
from pipeline.text import fold

ADDRESS = re.compile(r"\b[a-z]{2,10}://[^\s<>()]+")

# "" stands for what belongs to no domain, and leaves open to which one a page does.
PLATFORM, OTHER = "platform", ""
BUILT_IN: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    PLATFORM: {
        "Windows": ("=Windows", "win32", "виндовс", "виндоус", "винда"),
        "macOS": ("macos", "mac os", "=Mac", "макос", "=Darwin"),
        "Linux": ("linux", "линукс", "ubuntu", "debian", "=Fedora", "=Alpine"),
        "WSL": ("wsl", "wsl2"),
        "Android": ("android", "андроид"),
        "iOS": ("=iOS",),
        "PowerShell": ("powershell", "pwsh"),
        "systemd": ("systemd", "systemctl"),
        "Homebrew": ("homebrew",),
    },
    CROSS: {
        "git": ("git", "гит", "gitignore", "gitattributes", "submodule", "worktree"),
        "GitHub": ("=GitHub",),
        "GitLab": ("=GitLab",),
        "Gitea": ("gitea", "forgejo"),
        "VS Code": ("vs code", "vscode"),
        "JetBrains": ("jetbrains", "intellij", "pycharm", "webstorm"),
        "Vim": ("vim", "neovim", "nvim"),
        "Emacs": ("emacs",),
        "Claude Code": ("claude code", "=Claude"),
        "Codex": ("=Codex",),
        "Copilot": ("copilot",),
        "MCP": ("mcp",),
        "Docker": ("docker", "докер", "dockerfile", "podman"),
        "Bash": ("bash", "zsh"),
        "SSH": ("ssh",),
        "cron": ("cron", "crontab"),
        "tmux": ("tmux",),
    },
    NODE: {
        "Node": ("=Node", "node js", "nodejs"),
        "npm": ("npm", "npx"),
        "yarn": ("yarn",),
        "pnpm": ("pnpm",),
        "Bun": ("=Bun",),
        "Deno": ("deno",),
        "TypeScript": ("typescript", "tsconfig"),
        "ESLint": ("eslint",),
        "Jest": ("=Jest",),
        "Vitest": ("vitest",),
        "webpack": ("webpack",),
    },
    WEB: {
        "Nginx": ("nginx",),
        "Vite": ("vite",),
        "Next.js": ("next js", "nextjs"),
        "React": ("=React",),
        "Chrome": ("=Chrome", "chromium"),
        "Firefox": ("firefox",),
        "Safari": ("=Safari",),
        "Playwright": ("=Playwright",),
    },
    EMBEDDED: {
        "PlatformIO": ("platformio",),
        "Arduino": ("arduino", "ардуино"),
        "STM32": ("stm32*",),
        "ESP32": ("esp32*", "esp8266"),
        "ESP-IDF": ("esp idf",),
        "Zephyr": ("=Zephyr",),
        "nRF": ("nrf5*", "nrfx"),
        "OpenOCD": ("openocd",),
        "Pico SDK": ("pico sdk",),
    },
    OTHER: {
        "Python": ("python", "python3", "питон"),
        "pip": ("pip", "pipx"),
        "pytest": ("pytest",),
        "Rust": ("=Rust", "rustc"),
        "Cargo": ("=Cargo",),
        "Go": ("golang",),
        "CMake": ("cmake",),
        "Gradle": ("gradle",),
        "PHP": ("php",),
        "SQLite": ("sqlite",),
        "PostgreSQL": ("postgresql", "postgres"),
        "Redis": ("redis",),
        "Kubernetes": ("kubernetes", "kubectl"),
    },
}

Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tool:
    """A platform or tool; `group` is its domain, `cross`, `platform`, or empty."""

    name: str
    group: str


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The known tools by the words that name them: as written, folded, by Russian stem, by their beginning.

    `longest` is how many words a name has at most, `stem_letters` the first letters of words that need their stem.
    """

    exact: Mapping[Key, Tool]
    folded: Mapping[Key, Tool]
    stems: Mapping[Key, Tool]
    beginnings: tuple[tuple[str, Tool], ...]
    longest: int
    stem_letters: frozenset[str]


def vocabulary(further: Sequence[str] = ()) -> Vocabulary:
    """The built-in words, and those that a person adds; these belong to no domain and have no marks."""
    exact: dict[Key, Tool] = {}
    plain = {words_of(fold(word)): Tool(word, OTHER) for word in further}
    beginnings: list[tuple[str, Tool]] = []
    for tool, form in _built_in():
        if form.startswith("="):
            exact[words_of(form)] = tool
        elif form.endswith("*"):
            beginnings.append((form.rstrip("*"), tool))
        else:
            plain[words_of(fold(form))] = tool
    stems = {tuple(map(stem, key)): tool for key, tool in plain.items() if any(map(is_russian, key))}
    return Vocabulary(
        exact=exact,
        folded={key: tool for key, tool in plain.items() if key and not any(map(is_russian, key))},
        stems=stems,
        beginnings=tuple(beginnings),
        longest=max(map(len, (*exact, *plain))),
        stem_letters=frozenset(word[0] for key in stems for word in key),
    )


def _built_in() -> Iterator[tuple[Tool, str]]:
    for group, tools in BUILT_IN.items():
        for name, forms in tools.items():
            yield from ((Tool(name, group), form) for form in forms)


def find_tools(text: str, known: Vocabulary) -> tuple[Tool, ...]:
    """The different platforms and tools that a text names, in the order in which it does; web addresses name none."""
    words = words_of(ADDRESS.sub(" ", text))
    return tuple(dict.fromkeys(_found(words, known)))


def _found(words: Key, known: Vocabulary) -> Iterator[Tool]:
    folded = tuple(map(fold, words))
    stemmed = tuple(stem(word) if word[0] in known.stem_letters else word for word in folded)
    for start in range(len(words)):
        for length in range(1, known.longest + 1):
            end = start + length
            tool = (
                known.exact.get(words[start:end])
                or known.folded.get(folded[start:end])
                or known.stems.get(stemmed[start:end])
            )
            if tool:
                yield tool
        yield from (tool for beginning, tool in known.beginnings if folded[start].startswith(beginning))
