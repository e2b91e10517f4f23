"""Pages for people under /docs: guides, reference, rules, contract.

They are made whole on the server, from the OpenAPI document and the Markdown files of the tree: no
script, one stylesheet, nothing from another host, so they work without internet and without
JavaScript, and every operation, schema and rule has an address of its own.
"""
