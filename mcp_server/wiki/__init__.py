"""sdlc-wiki: an MCP server over stdio that asks a running hub, and nothing else.

server      what the protocol asks of us
tools       the eleven tools: what must hold before each, what they ask
waiting     by time, not by looks
client      the hub's HTTP API, its trouble in our words
format      the answers' texts, line by line
words       the catalog of texts, Russian and English; one-line values
arguments   what a tool accepts
"""
