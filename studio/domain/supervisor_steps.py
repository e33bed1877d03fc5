"""What the supervisor does about each anomaly, and what holds until then (consoles.md S1).

The dealer reads other words, those of the catalogue: there it is often *Wait for the supervisor*. Which ways out
are lawful is the incident's own affair; these are the words in the list of alarms.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from studio.domain.anomalies import CATALOGUE, AnomalyKind, Level
from studio.domain.table import Incident


class Step(NamedTuple):
    """What to do, in English and French, and the consequence of leaving it."""

    do: str
    french: str
    otherwise: str


K = AnomalyKind
_STOPPED: Final = "The table stands still"
_PLAYS: Final = "Play goes on"
_LAST: Final = "This round is finished, no other opens"

STEPS: Final[dict[AnomalyKind, Step]] = {
    K.UNKNOWN_CODE: Step(
        "Let the dealer rescan it; else say what it is", "Faites relire, sinon dites la carte", _STOPPED
    ),
    K.NO_READ: Step(
        "Let the dealer rescan it; else say what it is", "Faites relire, sinon dites la carte", _STOPPED
    ),
    K.DUPLICATE_READ: Step(
        "Look at the felt: one card, or two?", "Voyez le tapis : une carte ou deux ?", _STOPPED
    ),
    K.IMPOSSIBLE_COPY: Step(
        "Void the round and put this shoe away",
        "Annulez la manche, retirez ce sabot",
        "The shoe cannot be dealt from",
    ),
    K.CARD_BEFORE_TIME: Step(
        "Was its face seen? Seen: burn. Not seen: use it next",
        "Vue : brûlez-la. Non vue : pour la suite",
        _STOPPED,
    ),
    K.EXTRA_CARD: Step(
        "Was its face seen? Then say where the card goes", "A-t-elle été vue ? Dites où va la carte", _STOPPED
    ),
    K.WRONG_BURN: Step("Record it as burned", "Notez-la comme brûlée", "The first round is not dealt"),
    K.CUT_CARD_MISSING: Step("Have the shoe changed", "Faites changer le sabot", "No further round opens"),
    K.SCANNER_DOWN: Step(
        "Have power and cable of the reader checked", "Faites vérifier le lecteur et son câble", _STOPPED
    ),
    K.CRASH_RECOVERY: Step(
        "Compare felt and screen with the dealer", "Comparez tapis et écran avec le croupier", _STOPPED
    ),
    K.REVERSE_MOVEMENT: Step(
        "Have the card taken out; compare it with the screen",
        "Faites sortir la carte, comparez à l'écran",
        _STOPPED,
    ),
    K.WRONG_MODE: Step("Have lid, gate or jam put right", "Faites réparer couvercle, porte ou bourrage", _STOPPED),
    K.RESULT_MISMATCH: Step(
        "Compare each hand; correct the card that differs",
        "Comparez les mains, corrigez la carte",
        "Nothing is paid",
    ),
    K.SHOE_EMPTY: Step(
        "Void, or load the discards if the rules allow it", "Annulez, ou chargez la défausse si permis", _STOPPED
    ),
    K.MISSCAN_LATE: Step("Have the whole table scanned again", "Faites relire toute la table", _STOPPED),
    K.READ_NOT_DEALT: Step(
        "Find the card and have it laid in its place", "Trouvez la carte, faites-la poser", _STOPPED
    ),
    K.WRONG_POSITION: Step(
        "See what came after it; place the cards by the profile",
        "Voyez la suite, placez selon le profil",
        _STOPPED,
    ),
    K.SKIPPED_DRAW: Step(
        "Say where the cards lie, or draw the card now", "Dites où sont les cartes, ou tirez", _STOPPED
    ),
    K.DEALER_SHORT: Step(
        "See that the dealer draws the owed card", "Veillez à ce que le croupier tire", "Nothing is paid"
    ),
    K.HOLE_EXPOSED: Step(
        "Have it covered; go on or void by the profile", "Couvrez-la ; suivez le profil", _STOPPED
    ),
    K.HOLE_UNREAD: Step("Have it rescanned face down", "Faites-la relire face cachée", _STOPPED),
    K.PEEK_OMITTED: Step(
        "Call the technician; go on, and the peek is made", "Appelez le technicien, puis continuez", _STOPPED
    ),
    K.BOXED_CARD: Step("See that it is drawn and put in the rack", "Veillez à sa mise à la défausse", _STOPPED),
    K.TWO_CARDS: Step("See that the second card is scanned", "Veillez à la lecture de la seconde carte", _STOPPED),
    K.DAMAGED_CARD: Step(
        "Pick the card up, show it and identify it", "Ramassez la carte, montrez-la, identifiez-la", _STOPPED
    ),
    K.SOURCE_DISAGREEMENT: Step(
        "Look at card and still; say which source is right", "Regardez la carte, dites qui a raison", _STOPPED
    ),
    K.CAMERA_ABSENT: Step(
        "Have the cards squared, hands off them", "Faites aligner les cartes, mains ôtées", _PLAYS
    ),
    K.DISK_LOW: Step("Call the technician to make space", "Appelez le technicien : libérer de l'espace", _LAST),
    K.COMMIT_FAILED: Step(
        "Call the technician: look at disk and log", "Appelez le technicien : disque, journal", _LAST
    ),
    K.JOURNAL_BROKEN: Step(
        "Call the technician; keep all files as they are", "Appelez le technicien, gardez tout", _LAST
    ),
    K.CLOCK_JUMP: Step(
        "Call the technician: check the time source",
        "Appelez le technicien : source de temps",
        "Times are in doubt",
    ),
    K.RECORDING_LOST: Step("Have the recorder started again", "Faites redémarrer l'enregistreur", _STOPPED),
    K.CAMERA_DEGRADED: Step(
        "Have light and focus checked, or accept one source", "Vérifiez lumière et netteté, ou acceptez", _LAST
    ),
    K.STALE_BURST: Step(
        "Trust no reading; have the table scanned again", "Faites relire toute la table", _STOPPED
    ),
    K.PHASE_OVERRUN: Step(
        "See what keeps the dealer", "Voyez ce qui retient le croupier", "After twice the time you are called"
    ),
    K.SUPERVISOR_ABSENT: Step(
        "Claim the incident", "Prenez l'incident", "The manager is called, the players are told"
    ),
    K.EARLY_COLLECT: Step(
        "Have the cards put back as the screen shows",
        "Faites remettre les cartes comme à l'écran",
        "Nothing is paid",
    ),
    K.RULES_MISMATCH: Step(
        "Have the approved rules loaded everywhere", "Faites charger partout les règles approuvées", _STOPPED
    ),
    K.RULES_CHANGED: Step(
        "Compare the rule line with the approval", "Comparez les règles à l'autorisation", _PLAYS
    ),
    K.MANUAL_ABUSE: Step(
        "Find out why so many cards were not read",
        "Cherchez pourquoi tant de cartes ne se lisent pas",
        "No further card is entered by hand",
    ),
    K.DEALER_REPORT: Step(
        "Ask the dealer what happened, then rule", "Demandez au croupier, puis décidez", _STOPPED
    ),
    K.PLAYER_CONCERN: Step(
        "Read the chat; follow the house's procedure now", "Lisez la discussion, suivez la procédure", _PLAYS
    ),
    K.CUT_CARD_POSITION: Step(
        "Compare the count behind it with what was cut", "Comparez le compte à la coupe", _PLAYS
    ),
    K.FOREIGN_CARD: Step(
        "Keep the card with its pack; change the shoe",
        "Gardez la carte, changez le sabot",
        "The pack is quarantined",
    ),
    K.ORDER_NOT_RANDOM: Step(
        "Find out whether the shoe was shuffled; change it", "Voyez si l'on a mélangé ; changez-le", _STOPPED
    ),
    K.MISSING_CARD_SUSPECTED: Step(
        "Order a count of the pack", "Faites compter le jeu", "The pack is counted at the shoe's end in any case"
    ),
    K.SHOE_UNVERIFIED: Step(
        "Look for the card where the pack was opened", "Cherchez où le jeu a été ouvert", "No shoe is loaded"
    ),
    K.SHOE_COUNT: Step(
        "Search felt, rack and box; count again by two", "Cherchez partout, recomptez à deux", _STOPPED
    ),
    K.DEALER_UNFIT: Step("Send a dealer who may deal", "Envoyez un croupier autorisé", "No card is taken"),
    K.MISDEAL_RATE: Step("Look back at who or what is named", "Revoyez qui ou quoi est nommé", _PLAYS),
    K.SUPERVISOR_STOP: Step(
        "Finish what the table was stopped for, then go on", "Finissez, puis faites continuer", _STOPPED
    ),
    K.INTERNAL_FAULT: Step(
        "Call the technician; compare felt and screen", "Appelez le technicien, comparez le tapis", _STOPPED
    ),
}
"""Every kind has its step: a test holds the two together."""


def otherwise(incident: Incident) -> str:
    """Return what holds until the supervisor acts; a warning that has become a hold stops the table too."""
    is_raised = incident.stops and CATALOGUE[incident.kind].level is Level.WARN
    return _STOPPED if is_raised else STEPS[incident.kind].otherwise
