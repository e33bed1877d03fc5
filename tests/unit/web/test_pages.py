"""Pages, files, health and metrics."""

from __future__ import annotations

from pathlib import Path

import pytest
from prometheus_client import Counter
from web_fakes import Studio


@pytest.fixture
def built(tmp_path: Path) -> Path:
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "dealer.js").write_text("void 0;")
    for page in ("dealer", "supervisor", "evidence", "camera", "demo"):
        (tmp_path / f"{page}.html").write_text(f"<title>{page}</title>")
    return tmp_path


@pytest.mark.parametrize("page", ["dealer", "supervisor", "evidence", "camera", "demo"])
async def test_a_console_is_a_page(built: Path, page: str) -> None:
    answer = await Studio(static=built).get(None, f"/{page}")
    assert answer.status_code == 200
    assert answer.text == f"<title>{page}</title>"
    assert answer.headers["content-type"].startswith("text/html")


async def test_the_demo_page_is_only_where_everything_is_simulated(built: Path) -> None:
    studio = Studio(static=built, simulated=False)
    for path in ("/demo", "/static/demo.html"):
        answer = await studio.get(None, path)
        assert (answer.status_code, answer.json()["code"]) == (404, "not-found")
    assert (await studio.get(None, "/dealer")).status_code == 200


async def test_the_pages_files_are_served(built: Path) -> None:
    answer = await Studio(static=built).get(None, "/static/assets/dealer.js")
    assert (answer.status_code, answer.text) == (200, "void 0;")
    assert "javascript" in answer.headers["content-type"]


@pytest.mark.parametrize(
    "path", ["/static/none.js", "/static/../app.py", "/static/%2e%2e/app.py", "/static/assets"]
)
async def test_no_other_file_is_served(built: Path, path: str) -> None:
    (built.parent / "app.py").write_text("secret")
    answer = await Studio(static=built).get(None, path)
    assert (answer.status_code, answer.json()["code"]) == (404, "not-found")


@pytest.mark.parametrize("page", ["dealer", "supervisor", "demo"])
async def test_consoles_that_were_not_built_say_so(tmp_path: Path, page: str) -> None:
    answer = await Studio(static=tmp_path / "none").get(None, f"/{page}")
    assert answer.status_code == 404
    assert "python build_consoles.py" in answer.text
    assert (await Studio(static=tmp_path / "none").get(None, "/static/assets/dealer.js")).status_code == 404


async def test_health_is_what_it_is_told() -> None:
    studio = Studio()
    assert (await studio.get(None, "/health")).json() == {"status": "ok"}
    studio.health = {"status": "degraded", "tables": {"t1": "reader is down"}}
    answer = await studio.get(None, "/health")
    assert (answer.status_code, answer.json()) == (503, studio.health)


async def test_metrics_are_those_of_the_registry() -> None:
    studio = Studio()
    Counter("cards_total", "Cards.", registry=studio.registry).inc(3)
    answer = await studio.get(None, "/metrics")
    assert "cards_total 3.0" in answer.text
    assert answer.headers["content-type"].startswith("text/plain")
    async with studio.client() as client:
        answer = await client.get("/metrics", headers={"Accept": "application/openmetrics-text; version=1.0.0"})
    assert answer.text.endswith("# EOF\n")
