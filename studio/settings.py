"""Settings: what ``studio serve --config FILE`` reads, validated; an unknown key is refused.

It knows the shape of the files and no meaning behind it: the wiring turns it into domain values.
"""

from __future__ import annotations

import datetime as dt
import tomllib
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

Slug = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,31}$")]
"""A name for file paths and topics: lower case, digits and dashes."""


class SettingsError(ValueError):
    """A settings file that cannot be used; the text names the file, the key and what is wrong."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Mode(StrEnum):
    """Live refuses simulated readers; the two never share a database."""

    LIVE = "live"
    SIMULATION = "simulation"


class ProofSettings(_Strict):
    """``[studio.proof]``: how often the journal is signed, where its second copy goes, how long it is kept."""

    checkpoint_events: int = Field(default=200, ge=1)
    checkpoint_seconds: int = Field(default=60, ge=1)
    patrol_rows: int = Field(default=200, ge=1)
    copy_folder: Path | None = None
    retention_years: int = Field(default=0, ge=0)


class WatchSettings(_Strict):
    """``[studio.watch]``: which conditions of the machine stop new rounds, and how its recorder counts frames."""

    disk_reserve_mib: int = Field(default=512, ge=0)
    copy_lag_seconds: int = Field(default=30, ge=1)
    clock_warn_ms: int = Field(default=500, ge=1)
    clock_stop_ms: int = Field(default=2000, ge=1)
    recorder: str | None = None
    recorder_seconds: int = Field(default=10, ge=1)
    video_frames_per_second: int = Field(default=25, ge=1, le=100)


class ServerSettings(_Strict):
    """``[studio]``: where the server listens and keeps its data. Paths are relative to the settings file.

    ``simulated_clock`` is a file with the seconds by which the wall clock is off, while it exists; never live.
    """

    mode: Mode
    data: Path = Path("data")
    people: Path = Path("people.toml")
    key_file: Path = Path("studio.key")
    signing_key_file: Path = Path("signing.key")
    host: str = "127.0.0.1"
    port: int = Field(default=8700, ge=0, le=65535)
    simulated_clock: Path | None = None
    proof: ProofSettings = ProofSettings()
    watch: WatchSettings = WatchSettings()

    @model_validator(mode="after")
    def _keep_live_time(self) -> Self:
        if self.mode is Mode.LIVE and self.simulated_clock is not None:
            message = "simulated_clock is for simulation only: leave it out"
            raise ValueError(message)
        return self


class LimitsSettings(_Strict):
    """``[tables.limits]``: minor units."""

    currency: str = Field(default="EUR", pattern=r"^[A-Z]{3}$")
    minimum: int = Field(default=500, gt=0, le=2**53)
    maximum: int = Field(default=100_000, gt=0, le=2**53)
    increment: int = Field(default=100, gt=0, le=2**53)


class AllowanceSettings(_Strict):
    """``[tables.allowances]``: how long each window stays open."""

    betting_ms: int = Field(default=15_000, gt=0, le=3_600_000)
    insurance_ms: int = Field(default=8_000, gt=0, le=3_600_000)
    decision_ms: int = Field(default=12_000, gt=0, le=3_600_000)


class ProfileSettings(BaseModel):
    """``[tables.profile]``: which ruling profile the table goes by.

    A live table names a shipped profile, or a signed file with the approver's public key. A simulated one may set
    single settings of :class:`studio.domain.profile.RulingProfile` here as well, each under its own name.
    """

    model_config = ConfigDict(extra="allow", frozen=True)

    file: str = "studio-default"
    sha256: str = Field(default="", pattern="^([0-9a-f]{64})?$")
    public_key: str = Field(default="", pattern="^([0-9a-f]{64})?$")

    @property
    def changes(self) -> dict[str, Any]:
        """Single settings that differ from the file's."""
        return dict(self.model_extra or {})


class CameraSettings(_Strict):
    """``[tables.camera]``: the table's second witness; without the section there is none."""

    driver: str
    device: Slug
    settings: dict[str, Any] = {}
    mode: str = Field(default="witness", pattern="^(off|witness|fallback)$")
    occupied_ms: int = Field(default=1500, ge=1)
    empty_ms: int = Field(default=3000, ge=1)
    deadline_ms: int = Field(default=2000, ge=1)
    turn_ms: int = Field(default=3000, ge=1)
    absent_in_a_row: int = Field(default=3, ge=1)
    coverage_percent: int = Field(default=95, ge=0, le=100)
    coverage_cards: int = Field(default=100, ge=1)
    single_source_minutes: int = Field(default=30, ge=1)
    agreed_in_a_row: int = Field(default=10, ge=1)


class SecondReaderSettings(_Strict):
    """``[tables.second_reader]``: another reader at the same shoe as the table's second witness."""

    driver: str
    device: Slug
    settings: dict[str, Any] = {}
    offset_ms: int = Field(default=500, ge=1)
    deadline_ms: int = Field(default=800, ge=1)
    absent_in_a_row: int = Field(default=3, ge=1)
    coverage_percent: int = Field(default=95, ge=0, le=100)
    coverage_cards: int = Field(default=100, ge=1)
    single_source_minutes: int = Field(default=30, ge=1)
    agreed_in_a_row: int = Field(default=10, ge=1)


class ReaderSettings(_Strict):
    """``[tables.reader]``: which driver reads this table's shoe; ``settings`` are the driver's own."""

    driver: str
    device: Slug
    settings: dict[str, Any]


class TableSettings(_Strict):
    """``[[tables]]``: one table.

    ``real_shoe`` gives a variant with a virtual shoe a real one instead; ``card_ms`` is the pace of a virtual one.
    ``rules_approval`` names the decision under which the variant was approved; the console shows it once.
    ``shoe_control``: only counted packs are loaded, and shoes are counted at their end; live it cannot be off.
    """

    id: Slug
    name: str
    variant: str = "deluxe"
    cut_position: int = Field(default=104, ge=0)
    opens_itself: bool = False
    commits_itself: bool = False
    real_shoe: bool = False
    shoe_control: bool = True
    pack_hours: int = Field(default=24, ge=1)
    full_count_rounds: int = Field(default=200, ge=1)
    dead_table_minutes: int = Field(default=30, ge=1)
    card_ms: int = Field(default=700, ge=0)
    limits: LimitsSettings = LimitsSettings()
    allowances: AllowanceSettings = AllowanceSettings()
    rules_approval: str = ""
    profile: ProfileSettings = ProfileSettings()
    reader: ReaderSettings
    camera: CameraSettings | None = None
    second_reader: SecondReaderSettings | None = None

    @property
    def witness(self) -> CameraSettings | SecondReaderSettings | None:
        """The table's second witness, whichever it is."""
        return self.camera or self.second_reader


class Settings(_Strict):
    """A whole settings file."""

    studio: ServerSettings
    folder: Path = Path()
    """Where the file lies, filled in when it is loaded: paths in it are relative to it."""
    tables: tuple[TableSettings, ...] = Field(min_length=1)


class Account(StrEnum):
    """What a player's account holds; only ``real`` may sit where the money is real (B5)."""

    REAL = "real"
    TRIAL = "trial"
    PLAY_MONEY = "play-money"


class Person(_Strict):
    """``[[people]]``: a named person and the hash of the token that proves it.

    ``games`` are the variants that a dealer has a certificate for, none for all. ``opening_balance`` credits a
    player once, in minor units of every table's currency.
    """

    id: Slug
    name: str
    roles: tuple[str, ...] = Field(min_length=1)
    token_sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    licence_until: dt.date | None = None
    games: tuple[str, ...] = ()
    opening_balance: int = Field(default=0, ge=0, le=2**53)
    account: Account = Account.REAL


class People(_Strict):
    """The people file."""

    people: tuple[Person, ...]


_Model = TypeVar("_Model", bound=_Strict)


def load_settings(path: Path) -> Settings:
    """Read a settings file; relative paths in it become relative to its folder.

    Raises :class:`SettingsError`.
    """
    settings = _load(Settings, path)
    folder = path.resolve().parent
    server = settings.studio
    paths = ("data", "people", "key_file", "signing_key_file")
    found = server.model_copy(update={name: folder / getattr(server, name) for name in paths})
    if server.simulated_clock is not None:
        found = found.model_copy(update={"simulated_clock": folder / server.simulated_clock})
    if (copy := server.proof.copy_folder) is not None:
        found = found.model_copy(update={"proof": server.proof.model_copy(update={"copy_folder": folder / copy})})
    ids = [table.id for table in settings.tables]
    if len(set(ids)) != len(ids):
        message = f"{path}: two tables have the same id; give each its own"
        raise SettingsError(message)
    devices = [table.reader.device for table in settings.tables]
    devices += [one.device for table in settings.tables for one in (table.camera, table.second_reader) if one]
    if len(set(devices)) != len(devices):
        message = f"{path}: two readers or cameras have the same device name; give each its own"
        raise SettingsError(message)
    return settings.model_copy(update={"studio": found, "folder": folder})


def load_people(path: Path) -> People:
    """Read the people file; raise :class:`SettingsError`."""
    return _load(People, path)


def _load(model: type[_Model], path: Path) -> _Model:
    try:
        with path.open("rb") as file:
            return model.model_validate(tomllib.load(file))
    except OSError as error:
        message = f"{path}: cannot be read ({error.strerror}); say where it is with --config"
        raise SettingsError(message) from error
    except tomllib.TOMLDecodeError as error:
        message = f"{path}: is no valid TOML: {error}"
        raise SettingsError(message) from error
    except ValidationError as error:
        wrong = "; ".join(
            f"{'.'.join(str(part) for part in item['loc'])}: {item['msg']}" for item in error.errors()
        )
        message = f"{path}: {wrong}"
        raise SettingsError(message) from error
    except (ValueError, RecursionError) as error:
        message = f"{path}: cannot be read as text in UTF-8 with TOML in it: {error}"
        raise SettingsError(message) from error
