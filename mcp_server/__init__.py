"""The read-only MCP server: agents ask one published version, over stdio or loopback HTTP.

    __main__   command line → Reader → server → transport
    server     what the protocol asks of us: list, call, read, complete
    tools/     one file per toolset: questions to the catalog, and the shapes of their answers
    tool       what a tool is; arguments: what it accepts; results, slices: what it answers
    resources, completions, prompts
               texts by address, the names in addresses, questions to start with
    working_folder
               what the caller's folder says of its domain
    errors     every trouble becomes one sentence here
    wire, http the two transports

It opens no file for writing, starts no process and asks nothing of the network.
"""
