"""The staged catalog → the static HTML report.

site                         which parts there are; a page is made only when what it shows changed
page                         what a part answers: pages and files, each with the mark of what it is made of
overview, projects, tasks, health, about, project    the parts; listing: the pages of a long list
changes, feed, days          what commits changed, by day and week; the same for machines; change_lines: its rows
search, search_*             the search page; its index: texts, numbers, words in shards, kept up to date piece by piece
trends, statistics, charts   the past of all projects and of one: replayed, counted, drawn
rows, lines, views, sheets   what is asked of the catalog; its rows as lines; what each page shows; long lists cut
wiki                         a page for each wiki page; surroundings, wiki_views: what stands around its text;
                             wiki_section, tree_views: its tree on the project's page
markdown                     a text → safe HTML: writer (paper, anchors, footnotes, link_html, raw_html, words), then
                             an allow-list; destinations, page_links: where links lead
press                        the templates, the style and the scripts
landing                      build/report.html, the stable address
"""
