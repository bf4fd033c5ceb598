from __future__ import annotations

from pathlib import Path

import pytest

from evalfw import InputError
from evalfw.store.run import RunStore
from tests.evalfw.experiments import DOUBLE, carry_out, plan, problem, write

TEMPLATE = """\
{# of our own #}
Solve <{{ problem.id }}> of {{ dataset }}, which is {{ problem.traits.difficulty }}:
{{ problem.statement }}
{%- if problem.starter_code %} Begin with {{ problem.starter_code }}{% endif %}
Example: {{ problem.pool("public")[0].input }}
"""


def _experiment(folder: Path, template: str | bytes, **changes: object) -> Path:
    folder.mkdir(exist_ok=True)
    content = template if isinstance(template, bytes) else template.encode()
    (folder / "ask.j2").write_bytes(content)
    sampling = {"n": 1, "prompt": "ask.j2"}
    problems = [problem("a", traits={"difficulty": "easy"}), problem("b", traits={"difficulty": "hard & <odd>"})]
    return write(folder, problems, {"a": [DOUBLE], "b": [DOUBLE]}, sampling=sampling, **changes)


def test_a_template_makes_the_prompt_of_every_dataset(tmp_path: Path) -> None:
    subjects = plan(_experiment(tmp_path, TEMPLATE)).subjects
    assert [subject.prompt for subject in subjects] == [
        "\nSolve <a> of jsonl, which is easy:\nDouble the number.\nExample: 2\n\n",
        "\nSolve <b> of jsonl, which is hard & <odd>:\nDouble the number.\nExample: 2\n\n",
    ]


def test_the_text_that_was_sent_is_stored(tmp_path: Path) -> None:
    path = _experiment(tmp_path, "Double {{ dataset }}", profilers=[], metrics=["pass_at_k"])
    carry_out(path)
    with RunStore.read(path.parent / "run") as store:
        assert [row.prompt for row in store.completions()] == ["Double jsonl"] * 2


def test_the_default_can_be_part_of_it(tmp_path: Path) -> None:
    plain = plan(write(tmp_path / "plain", [problem("a")], {"a": [DOUBLE]})).subjects[0].prompt
    assert plain.startswith("Double the number.")
    changed = plan(_experiment(tmp_path / "changed", "{{ default }}Be brief.")).subjects[0].prompt
    assert changed == plain + "Be brief."


def test_a_template_may_include_others(tmp_path: Path) -> None:
    (tmp_path / "rules.j2").write_text("Be brief.")
    subject = plan(_experiment(tmp_path, "{{ problem.statement }} {% include 'rules.j2' %}")).subjects[0]
    assert subject.prompt == "Double the number. Be brief."


@pytest.mark.parametrize(
    ("template", "line", "message"),
    [
        ("a\n{% if x %}\n", 2, "not a Jinja2 template: Unexpected end of template"),
        ("a\n\n{{ problem.statment }}", 3, "the prompt of problem 'a' cannot be made: 'evalfw.domain.problem.Problem "),
        ("{{ statement }}", 1, "the prompt of problem 'a' cannot be made: 'statement' is undefined"),
        ("\n{{ problem.traits.rating }}", 2, "the prompt of problem 'a' cannot be made: "),
        ("\n\n{{ problem.id / 2 }}", 3, "the prompt of problem 'a' cannot be made: unsupported operand"),
        ("{{ problem.__class__.__mro__ }}", 1, "the prompt of problem 'a' cannot be made: access to attribute "),
        ("\n{% include 'nowhere.j2' %}", 2, "the prompt of problem 'a' cannot be made: "),
    ],
)
def test_a_mistake_is_named_with_its_line(tmp_path: Path, template: str, line: int, message: str) -> None:
    with pytest.raises(InputError) as raised:
        plan(_experiment(tmp_path, template))
    assert str(raised.value).startswith(f"{tmp_path / 'ask.j2'}:{line}: {message}")


def test_a_mistake_in_an_included_file_is_named_there(tmp_path: Path) -> None:
    for rules in ("a\n{% endif %}", "a\n{{ nothing }}"):
        (tmp_path / "rules.j2").write_text(rules)
        with pytest.raises(InputError) as raised:
            plan(_experiment(tmp_path, "{% include 'rules.j2' %}"))
        assert str(raised.value).startswith(f"{tmp_path / 'rules.j2'}:2: the prompt of problem 'a' cannot be made: ")


def test_a_template_that_cannot_be_read(tmp_path: Path) -> None:
    path = _experiment(tmp_path, b"\xff")
    with pytest.raises(InputError, match=r"sampling\.prompt: .*ask\.j2 cannot be read: "):
        plan(path)
    (tmp_path / "ask.j2").unlink()
    with pytest.raises(InputError, match=r"sampling\.prompt: .*ask\.j2 cannot be read: .*No such file"):
        plan(path)
