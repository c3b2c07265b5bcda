"""Values as scripts."""

from pipeline import scripts


def test_no_text_breaks_out_of_a_script():
    assert scripts.literal("</script>&\u2028\u2029") == rb'"\u003c/script\u003e\u0026\u2028\u2029"'


def test_an_assignment_and_a_call_are_statements_of_one_line():
    assert scripts.assignment("PM_WORDS", {"a": "ё"}) == 'window.PM_WORDS = {"a":"ё"};\n'.encode()
    assert scripts.call("PM.rows", "tasks", [1, None]) == b'PM.rows("tasks",[1,null]);\n'
