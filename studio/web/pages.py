"""Consoles, rule sheets, health and metrics: what is served without a sign-in.

The consoles hold no data: they sign in to the API with the token in their URL's fragment, which is never sent. A
table's rules are no secret: whoever thinks of playing may read them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

from fastapi import FastAPI, Request, Response
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse, PlainTextResponse
from prometheus_client import CollectorRegistry
from prometheus_client.exposition import choose_encoder
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from studio.odds.figures import figures_of
from studio.rule_sheet.forms import Language
from studio.rule_sheet.html import STYLE_SHEET, render_page
from studio.rule_sheet.sheet import rule_sheet
from studio.web.errors import ApiError, unknown_table
from studio.web.live_table import LiveTable

STATIC: Final = Path(__file__).parent / "static"
"""Where the build puts the consoles."""

_STYLE_SHEET: Final = "/rule-sheet.css"

_NOT_BUILT: Final = (
    "The consoles are not built in this installation.\n"
    "Run `python build_consoles.py` in the project's folder, then start the server again.\n"
)


def install_pages(app: FastAPI, static: Path, *, simulated: bool) -> None:
    """Serve the consoles from ``static``; the demo page only where everything is simulated."""
    pages = ("dealer", "supervisor", "player", "evidence", "camera", *(("demo",) if simulated else ()))
    for name in pages:
        app.add_route(f"/{name}", _page(static / f"{name}.html"), methods=["GET"], include_in_schema=False)
    if static.is_dir():
        app.mount("/static", _Files(directory=static))


def install_rule_sheets(app: FastAPI, tables: Mapping[str, LiveTable]) -> None:
    """Serve each table's rule sheet as the page ``/rules/TABLE?lang=fr`` (rules.md E2)."""
    app.add_route(_STYLE_SHEET, _page(STYLE_SHEET), methods=["GET"], include_in_schema=False)

    @app.get("/rules/{table}", include_in_schema=False)
    async def _rules(table: str, lang: Language = Language.ENGLISH) -> HTMLResponse:
        if table not in tables:
            raise unknown_table(table)
        setup = tables[table].setup
        sheet = rule_sheet(setup.rules, setup.limits, lang, odds=figures_of(setup.rules))
        addresses = {language: f"?lang={language}" for language in Language}
        return HTMLResponse(render_page(sheet, style_sheet=_STYLE_SHEET, addresses=addresses))


def install_reports(app: FastAPI, health: Callable[[], dict[str, Any]], registry: CollectorRegistry) -> None:
    """Serve ``/health`` (503 when its ``status`` is there and not ``ok``) and ``/metrics``."""

    @app.get("/health", include_in_schema=False)
    async def _health() -> JSONResponse:
        report = health()
        is_well = report.get("status", "ok") == "ok"
        return JSONResponse(report, HTTPStatus.OK if is_well else HTTPStatus.SERVICE_UNAVAILABLE)

    @app.get("/metrics", include_in_schema=False)
    async def _metrics(request: Request) -> Response:
        encode, content_type = choose_encoder(request.headers.get("accept", ""))
        return Response(encode(registry), headers={"content-type": content_type})


def _page(path: Path) -> Callable[[Request], Response]:
    def serve(_request: Request) -> Response:
        if not path.is_file():
            return PlainTextResponse(_NOT_BUILT, HTTPStatus.NOT_FOUND)
        return FileResponse(path)

    return serve


class _Files(StaticFiles):
    """The pages' scripts, styles and sounds; the pages themselves have their own paths."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        if path.endswith(".html"):
            raise ApiError(HTTPStatus.NOT_FOUND, "not-found", "Pages are at /dealer and /supervisor.")
        return await super().get_response(path, scope)
