"""What dealers and supervisors read about each anomaly in French; the English words are the catalogue's own."""

from __future__ import annotations

from typing import Final, NamedTuple

from studio.domain.anomalies import AnomalyKind, WayOut


class Words(NamedTuple):
    """What happened, and what the dealer is to do."""

    cause: str
    next_step: str


K = AnomalyKind
FRENCH: Final[dict[AnomalyKind, Words]] = {
    K.UNKNOWN_CODE: Words("Le lecteur ne connaît pas le code de cette carte", "Relisez la carte"),
    K.NO_READ: Words("La carte n'a pas été lue", "Relisez la carte"),
    K.DUPLICATE_READ: Words("La même carte a été lue deux fois", "Ne bougez rien, appelez le superviseur"),
    K.IMPOSSIBLE_COPY: Words(
        "Plus d'exemplaires de cette carte que le sabot n'en contient", "Arrêtez, appelez le superviseur"
    ),
    K.CARD_BEFORE_TIME: Words("Une carte est sortie trop tôt", "Gardez-la face cachée, appelez le superviseur"),
    K.EXTRA_CARD: Words("Aucune main n'attend cette carte", "Gardez la carte, appelez le superviseur"),
    K.WRONG_BURN: Words("Une carte brûlée de trop", "Laissez-la à la défausse, appelez le superviseur"),
    K.CUT_CARD_MISSING: Words(
        "Le sabot est presque vide et la carte de coupe n'est pas venue", "Appelez pour changer de sabot"
    ),
    K.SCANNER_DOWN: Words("Le lecteur ne répond pas", "Arrêtez de distribuer, attendez le lecteur"),
    K.CRASH_RECOVERY: Words("Le système a redémarré", "Comparez le tapis avec l'écran"),
    K.REVERSE_MOVEMENT: Words("Une carte a reculé vers le sabot", "Arrêtez, appelez le superviseur"),
    K.WRONG_MODE: Words("Le lecteur signale un défaut", "Arrêtez, remettez le lecteur en état"),
    K.RESULT_MISMATCH: Words("Le tapis et l'écran ne s'accordent pas sur le résultat", "Attendez le superviseur"),
    K.SHOE_EMPTY: Words("Le sabot est vide et une carte est due", "Arrêtez, appelez le superviseur"),
    K.MISSCAN_LATE: Words("Une carte a été manquée et d'autres l'ont suivie", "Arrêtez, appelez le superviseur"),
    K.READ_NOT_DEALT: Words("Une carte lue n'est pas à sa place", "Posez la carte à sa place"),
    K.WRONG_POSITION: Words(
        "Une carte est ailleurs qu'à la place prévue", "Ne bougez rien, appelez le superviseur"
    ),
    K.SKIPPED_DRAW: Words("Une main ou le croupier a été oublié", "Ne bougez rien, appelez le superviseur"),
    K.DEALER_SHORT: Words("Le croupier doit encore tirer", "Tirez pour le croupier"),
    K.HOLE_EXPOSED: Words("La carte cachée a été vue", "Couvrez-la, attendez le superviseur"),
    K.HOLE_UNREAD: Words("La carte cachée n'a pas été lue", "Relisez-la face cachée"),
    K.PEEK_OMITTED: Words("Le jeu a été ouvert sans vérification", "Arrêtez, appelez le superviseur"),
    K.BOXED_CARD: Words("Une carte est à l'endroit dans le sabot", "Tirez-la et mettez-la à la défausse"),
    K.TWO_CARDS: Words("Deux cartes sont sorties, une seule a été lue", "Passez la seconde devant le lecteur"),
    K.DAMAGED_CARD: Words("Une carte est abîmée ou est tombée", "Laissez-la, attendez le superviseur"),
    K.SOURCE_DISAGREEMENT: Words(
        "Lecteur et second témoin lisent des cartes différentes", "Ne bougez rien, appelez le superviseur"
    ),
    K.CAMERA_ABSENT: Words("Le second témoin n'a pas lu une carte", "Alignez la carte, continuez"),
    K.DISK_LOW: Words("Le disque du journal est presque plein", "Finissez la manche, aucune autre ne s'ouvre"),
    K.COMMIT_FAILED: Words("Le journal n'a pas pu enregistrer", "Finissez la manche, aucune autre ne s'ouvre"),
    K.JOURNAL_BROKEN: Words("La preuve du journal est rompue", "Finissez la manche, aucune autre ne s'ouvre"),
    K.CLOCK_JUMP: Words("L'horloge du serveur a été déplacée", "Continuez, appelez le superviseur"),
    K.RECORDING_LOST: Words("La table n'est plus enregistrée", "Arrêtez, attendez le superviseur"),
    K.CAMERA_DEGRADED: Words("Le second témoin manque des cartes", "Finissez la manche, appelez le superviseur"),
    K.STALE_BURST: Words("Des lectures trop rapides pour des mains", "Arrêtez, appelez le superviseur"),
    K.PHASE_OVERRUN: Words("Cette étape dure trop longtemps", "Suivez l'instruction"),
    K.SUPERVISOR_ABSENT: Words(
        "Aucun superviseur n'a pris l'incident", "Attendez, le superviseur suivant est appelé"
    ),
    K.EARLY_COLLECT: Words("Des cartes ont quitté le tapis avant le résultat", "Remettez-les comme à l'écran"),
    K.RULES_MISMATCH: Words(
        "Les règles de la table, de la console et publiées diffèrent", "Arrêtez, appelez le superviseur"
    ),
    K.RULES_CHANGED: Words("La table a de nouvelles règles", "Lisez la ligne des règles"),
    K.MANUAL_ABUSE: Words("Trop de cartes saisies à la main", "Relisez au lieu de saisir"),
    K.DEALER_REPORT: Words("Le croupier signale une maldonne", "Attendez le superviseur"),
    K.CUT_CARD_POSITION: Words("La carte de coupe est venue loin de sa place", "Prévenez le superviseur"),
    K.FOREIGN_CARD: Words("Une carte n'est pas de ce sabot", "Arrêtez, appelez le superviseur"),
    K.ORDER_NOT_RANDOM: Words(
        "Les cartes viennent dans un ordre qu'aucun mélange ne laisse", "Arrêtez, appelez le superviseur"
    ),
    K.MISSING_CARD_SUSPECTED: Words("Une carte manque peut-être, ou est en double", "Prévenez le superviseur"),
    K.SHOE_UNVERIFIED: Words("Ce jeu de cartes n'est pas vérifié", "Arrêtez, appelez le superviseur"),
    K.SHOE_COUNT: Words("Le compte des cartes du sabot est faux", "Ne touchez à rien, appelez le superviseur"),
    K.DEALER_UNFIT: Words(
        "Aucun croupier autorisé n'est en service", "Ne distribuez rien, appelez le superviseur"
    ),
    K.MISDEAL_RATE: Words("Bien plus de maldonnes qu'ailleurs", "Prévenez le superviseur"),
    K.PLAYER_CONCERN: Words("Un joueur a besoin d'aide ou se plaint", "Continuez, le superviseur le lit"),
    K.SUPERVISOR_STOP: Words("Le superviseur a arrêté la table", "Attendez le superviseur"),
    K.INTERNAL_FAULT: Words("Le système a rencontré un défaut", "Attendez le superviseur"),
}
"""Every kind has its words: a test holds the two together."""

W = WayOut
FRENCH_WAYS: Final[dict[WayOut, str]] = {
    W.ACKNOWLEDGE: "Vu",
    W.GO_ON: "Continuer",
    W.LAID: "Les cartes sont comme à l'écran",
    W.KEEP_SCAN: "Le lecteur a raison",
    W.CAMERA_VALUE: "La caméra a raison",
    W.BY_CAMERA: "Finir la manche à la caméra",
    W.ACCEPT: "Continuer avec une seule source",
    W.REFUSED: "La main la refuse",
    W.SUBSTITUTE: "Remplacée par la même carte",
    W.LAST_ROUND: "Carte de coupe : dernière manche",
    W.RESCAN: "Relire la carte",
    W.USE_NEXT: "Pour la place suivante",
    W.BURN: "Brûler la carte",
    W.MARK_DUPLICATE: "Même carte lue deux fois",
    W.DISCARD: "Défausser, non comptée",
    W.CHANGE_SHOE: "Changer de sabot",
    W.LOAD_DISCARDS: "Défausse chargée, continuer",
    W.CORRECT: "Corriger la carte",
    W.MOVE: "Replacer les cartes",
    W.OUT_OF_PLAY: "Hors jeu",
    W.ENTER: "Saisir la carte à deux",
    W.REBUILD: "Relire toute la table",
    W.DRAW_NOW: "Tirer maintenant",
    W.DEAD_HAND: "Main morte, mises rendues",
    W.RECOUNT: "Recompter toutes les cartes",
    W.QUARANTINE: "Mettre le jeu en quarantaine",
    W.REPLACE_DEALER: "Remplacer le croupier",
    W.VOID: "Annuler la manche et rembourser",
}
"""What each way out is called."""
