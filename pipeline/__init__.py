"""sources → sync → parse → artifacts → index → report → publish.

model, errors, text, layout, codec, files, clock     the ground: types, names, paths, bytes
config                                               sources.toml → Config
sources/, plan, choice, sync                         what a forge or a folder says → snapshots
parse/, diagnostics, artifact                        a snapshot → one project artifact
index*, search, catalog/                             all artifacts → one catalog → answers
report*, landing, messages                           answers → HTML
versions                                             stage → an immutable, numbered version
steps, progress, summary, doit_plugins, __main__     the shell around it
"""

__version__ = "0.1.0"
