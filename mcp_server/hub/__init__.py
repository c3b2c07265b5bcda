"""The hub: one process that serves the published wikis over HTTP and runs the pipeline for those who ask.

state      the state folder: where everything below lies, its lock and its token
registry   projects.toml: a label, a name and a root for each project
queue      queue.sqlite: pieces of pipeline work, one at a time
runner     carries them out, each as a process of its own
wikis      what a project's label means in the version that is published now
downloads  attachments that were brought
app        the HTTP API: routes_* ask the above, shapes goes over the wire, errors says what went wrong
serving    `sdlc-hub serve`
"""
