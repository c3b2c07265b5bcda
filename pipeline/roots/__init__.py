"""Knowledge roots: a primary one and read-only ones, hints between them, and maps of scopes.

registry     the hints: `path => root` lines
sections     marked parts of a hot file, and which of them are read first
scope_maps   a folder or a word → a scope; a scope → the group's folder
hot          the hot file: its sections, which are first
routing      a question → the parts of the hot file, and the hints, that answer it
gathering, packing           the files of a folder or snapshot → a listing and its pack
published, lines             what readers may ask of a version; a slice of a text
"""
