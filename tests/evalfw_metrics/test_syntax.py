from __future__ import annotations

from pathlib import Path

import pytest

from evalfw import ConfigError, InputError
from evalfw_metrics import maintainability
from evalfw_metrics.syntax import require
from tests.evalfw import experiments


def test_a_missing_package_gets_a_message_that_says_how_to_get_it() -> None:
    require("m", "extra", "json")
    with pytest.raises(InputError, match=r"metric 'm' needs no_such_module: pip install 'evalfw\[extra\]'"):
        require("m", "extra", "json", "no_such_module")


def test_it_comes_before_any_work_with_the_line_of_the_metric(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maintainability, "require", lambda metric, extra, *_: require(metric, extra, "no_such_module"))
    path = experiments.write(
        tmp_path, [experiments.problem("double")], {"double": [experiments.DOUBLE]}, metrics=["dmpd", "maintainability"]
    )
    with pytest.raises(ConfigError) as caught:
        experiments.plan(path)
    [mistake] = caught.value.mistakes
    assert mistake.field == "metrics.1.use"
    assert mistake.line is not None
    assert "needs no_such_module: pip install 'evalfw[maintainability]'" in mistake.message
