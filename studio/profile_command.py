"""The sub-command ``profile`` of ``studio``: make a key, sign a ruling profile, check it, show it."""

from __future__ import annotations

import argparse
import datetime as dt
import json
import sys
from pathlib import Path

from studio.adapters.profiles import (
    check_profile,
    load_signing_key,
    profile_names,
    read_profile,
    sign_profile,
    write_signing_key,
)
from studio.domain.profile import Approval


class ProfileCommand:
    """Keys, signatures and contents of ruling profiles."""

    name = "profile"
    help = "sign, check or show a ruling profile"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the actions and their options."""
        actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
        known = ", ".join(profile_names())
        key = actions.add_parser("key", help="make an approver's key, and print its public half")
        key.add_argument("key", type=Path, metavar="KEYFILE")
        sign = actions.add_parser("sign", help="approve a profile: write who and when into it, sign it")
        sign.add_argument("profile", type=Path, metavar="FILE")
        sign.add_argument("--key", type=Path, required=True, help="the approver's private key")
        sign.add_argument("--by", required=True, help="who approves it")
        sign.add_argument("--reference", default="", help="the decision that approved it")
        sign.add_argument("--on", type=dt.date.fromisoformat, default=None, help="the date, today by default")
        check = actions.add_parser("check", help="check a profile's values and its signature")
        check.add_argument("profile", metavar="FILE")
        check.add_argument("--public-key", required=True, help="64 hex digits")
        show = actions.add_parser("show", help="print a profile's settings and its hash")
        show.add_argument("profile", metavar="PROFILE", help=f"{known}, or the path of a .toml file")

    def run(self, arguments: argparse.Namespace) -> int:
        """Do what was asked; return the exit status."""
        try:
            text = self._done(arguments)
        except (ValueError, OSError) as error:
            sys.stderr.write(f"studio profile: {error}\n")
            return 2
        sys.stdout.write(text)
        return 0

    def _done(self, arguments: argparse.Namespace) -> str:
        match arguments.action:
            case "key":
                return f"public key {write_signing_key(arguments.key)}\n"
            case "sign":
                on = arguments.on or dt.datetime.now(dt.UTC).date()
                approval = Approval(arguments.by, on.isoformat(), arguments.reference)
                public = sign_profile(arguments.profile, load_signing_key(arguments.key), approval)
                return f"{read_profile(arguments.profile).profile.hash}\npublic key {public}\n"
            case "check":
                read = read_profile(arguments.profile)
                approval = check_profile(read, arguments.public_key)
                return f"{read.profile.hash}\napproved by {approval.approved_by} on {approval.approved_on}\n"
            case _:
                profile = read_profile(arguments.profile).profile
                lines = [f"{name} = {value}" for name, value in json.loads(profile.text).items()]
                return "\n".join([*lines, f"hash {profile.hash}"]) + "\n"
