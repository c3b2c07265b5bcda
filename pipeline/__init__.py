"""sources → sync → parse → artifacts → index → report → publish.

model/, errors, text, layout, codec, files, clock    the ground: types, names, paths, bytes
config, config_roots, kinds, domains, wanted           sources.toml → Config; whose folder is whose; what is asked for
sources/, plan, choice, probe, sync, readings        what a forge or a folder says → snapshots
histories, history_store, history_run                who changed their folders, a bounded piece at a time
roster*, snapshots, blobs, hints, synclog, outcome   what a sync keeps and tells
parse/, folder_indexes, links, shared_rules, diagnostics, artifact*, explain    a snapshot → one project artifact
roots/, stage_roots                                  knowledge roots: registries, hot files, maps of scopes
renames, differences, chains, codes, history, task_history    commits and texts → versions, codes, changes of tasks
index*, catalog_file, search*, wiki_tree, catalog/              all artifacts → one catalog → answers
report/, news, freshness, scripts, messages, audience      answers → HTML, for those who may read it
stage*, workers, versions                            stage, on every processor → an immutable, numbered version
fetch_blob                                           one file that a wiki only names, when somebody asks for it
garbage, purge                                       what is forgotten: in time, or at once
promotion, tool_words, stems, shared_audit           which pages to share; which shared ones to look at again
example, fast_import                                 the bundled example
steps, endings, stopping, variables, progress*, pace, summary, registration, doit_plugins, __main__   the shell
"""

__version__ = "0.1.0"
