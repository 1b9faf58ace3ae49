"""Battle Line with tactics for two random players: tests/outside/battleline-tactics.rules as plain Python."""

import random
from itertools import combinations

Troop = tuple[int, int]  # colour and rank
Card = Troop | str  # a troop, or the name of a tactics card

FLAGS = range(9)
TROOPS: list[Troop] = [(colour, rank) for colour in range(6) for rank in range(1, 11)]
LEADERS = ["alexander", "darius"]
TACTICS = [*LEADERS, "cavalry", "shields", "fog", "mud", "scout", "redeploy", "deserter", "traitor"]
# The troops that a card may stand for, in the order in which the cards are settled.
STANDS_FOR: dict[str, list[Troop]] = {
    "alexander": TROOPS,
    "darius": TROOPS,
    "cavalry": [troop for troop in TROOPS if troop[1] == 8],
    "shields": [troop for troop in TROOPS if troop[1] < 4],
}
# Turns without any change after which the same player has had the same position four times.
IDLE_TURNS = 6

# An option, a card, the flag where it is or goes, and the flag to which another card goes.
Action = tuple[str, Card, int, int]


def rate_troops(troops: list[Troop], foggy: bool) -> int:
    """Return the points of a formation of troops: 100 for each step of its kind, and the sum of the ranks."""
    ranks = [rank for _, rank in troops]
    if foggy:
        return sum(ranks)
    one_colour = len({colour for colour, _ in troops}) == 1
    one_rank = len(set(ranks)) == 1
    in_a_row = len(set(ranks)) == len(troops) and max(ranks) == min(ranks) + len(troops) - 1
    if one_colour and in_a_row:
        kind = 5
    elif one_rank:
        kind = 4
    elif one_colour:
        kind = 3
    elif in_a_row:
        kind = 2
    else:
        kind = 1
    return 100 * kind + sum(ranks)


def rate(cards: list[Card], foggy: bool) -> int:
    """Return the points of a formation, with the best troops for cards that stand for one."""
    for name, troops in STANDS_FOR.items():
        if name in cards:
            others = [card for card in cards if card != name]
            return max(rate([*others, troop], foggy) for troop in troops if troop not in cards)
    return rate_troops([card for card in cards if not isinstance(card, str)], foggy)


class Table:
    """The decks, the hands, the formations before the flags, and who has taken which flag."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.decisions = 0
        self.deck = TROOPS[:]
        self.tactics = TACTICS[:]
        rng.shuffle(self.deck)
        rng.shuffle(self.tactics)
        self.hands: list[list[Card]] = [[self.deck.pop() for _ in range(7)] for _ in range(2)]
        self.sides: list[list[list[Card]]] = [[[] for _ in FLAGS] for _ in range(2)]
        self.fog: int | None = None
        self.mud: int | None = None
        self.used: list[Card] = []
        self.first: list[int | None] = [None for _ in FLAGS]
        self.taken: list[int | None] = [None for _ in FLAGS]
        self.played = [0, 0]
        self.changed = False
        self.scouted = False

    def list_free_flags(self) -> list[int]:
        return [flag for flag in FLAGS if self.taken[flag] is None]

    def count_needed(self, flag: int) -> int:
        return 4 if flag == self.mud else 3

    def is_full(self, player: int, flag: int) -> bool:
        return len(self.sides[player][flag]) == self.count_needed(flag)

    def list_plays(self, me: int) -> list[Action]:
        free = self.list_free_flags()
        open_flags = [flag for flag in free if not self.is_full(me, flag)]
        mine, theirs = self.sides[me], self.sides[1 - me]
        has_leader = any(leader in cards for cards in mine for leader in LEADERS)
        may_play = self.played[me] <= self.played[1 - me]
        actions: list[Action] = []
        for card in self.hands[me]:
            if not isinstance(card, str):
                actions += [("lay", card, flag, flag) for flag in open_flags]
            elif not may_play:
                continue
            elif card in STANDS_FOR:
                if card not in LEADERS or not has_leader:
                    actions += [("morale", card, flag, flag) for flag in open_flags]
            elif card in ("fog", "mud"):
                actions += [(card, card, flag, flag) for flag in free]
            elif card == "scout":
                actions.append(("scout", card, 0, 0))
            elif card == "redeploy":
                for flag in free:
                    for laid in mine[flag]:
                        actions += [("redeploy", laid, flag, goal) for goal in open_flags if goal != flag]
                        actions.append(("withdraw", laid, flag, flag))
            elif card == "deserter":
                actions += [("deserter", laid, flag, flag) for flag in free for laid in theirs[flag]]
            elif card == "traitor":
                for flag in free:
                    for laid in theirs[flag]:
                        if not isinstance(laid, str):
                            actions += [("traitor", laid, flag, goal) for goal in open_flags]
        if not open_flags:
            actions.append(("pass", "", 0, 0))
        return actions

    def update_first(self, me: int, flag: int) -> None:
        """Remember who completed a formation first."""
        first = self.first[flag]
        if first is not None and not self.is_full(first, flag):
            self.first[flag] = None
        for player in (me, 1 - me):
            if self.first[flag] is None and self.is_full(player, flag):
                self.first[flag] = player

    def discard_tactic(self, me: int, card: str) -> None:
        self.played[me] += 1
        self.hands[me].remove(card)
        self.used.append(card)

    def draw(self, me: int) -> None:
        """Let the player draw a card from one of the decks that still have some."""
        decks = [deck for deck in (self.deck, self.tactics) if deck]
        if decks:
            self.decisions += 1
            self.hands[me].append(self.rng.choice(decks).pop())
            self.changed = True

    def scout(self, me: int) -> None:
        """Draw three cards, and put two back on top of their decks."""
        self.scouted = True
        for _ in range(3):
            self.draw(me)
        for _ in range(2):
            if self.hands[me]:
                self.decisions += 1
                card = self.rng.choice(self.hands[me])
                self.hands[me].remove(card)
                if isinstance(card, str):
                    self.tactics.append(card)
                else:
                    self.deck.append(card)

    def apply(self, me: int, action: Action) -> None:
        option, card, flag, goal = action
        mine, theirs = self.sides[me], self.sides[1 - me]
        if option == "pass":
            return
        self.changed = True
        if option == "lay" or option == "morale":
            self.hands[me].remove(card)
            mine[flag].append(card)
            if option == "morale":
                self.played[me] += 1
        elif option == "fog" or option == "mud":
            self.hands[me].remove(card)
            self.played[me] += 1
            if option == "fog":
                self.fog = flag
            else:
                self.mud = flag
        elif option == "scout":
            self.discard_tactic(me, "scout")
            self.scout(me)
            return
        elif option == "redeploy":
            self.discard_tactic(me, "redeploy")
            mine[flag].remove(card)
            mine[goal].append(card)
        elif option == "withdraw":
            self.discard_tactic(me, "redeploy")
            mine[flag].remove(card)
            self.used.append(card)
        elif option == "deserter":
            self.discard_tactic(me, "deserter")
            theirs[flag].remove(card)
            self.used.append(card)
        elif option == "traitor":
            self.discard_tactic(me, "traitor")
            theirs[flag].remove(card)
            mine[goal].append(card)
        self.update_first(me, flag)
        self.update_first(me, goal)

    def can_claim(self, me: int, flag: int, strength: int) -> bool:
        """Return whether a formation so strong is better, or can't be beaten by troops not laid yet."""
        theirs = self.sides[1 - me][flag]
        foggy = flag == self.fog
        if self.is_full(1 - me, flag):
            rival = rate(theirs, foggy)
            return strength > rival or strength == rival and self.first[flag] == me
        gone = set(self.used).union(*self.sides[0], *self.sides[1])
        unseen = [troop for troop in TROOPS if troop not in gone]
        missing = self.count_needed(flag) - len(theirs)
        return all(strength >= rate(theirs + list(rest), foggy) for rest in combinations(unseen, missing))

    def claim(self, me: int) -> None:
        """Let the player claim flags, one after the other, as long as the player likes."""
        strengths = {
            flag: rate(self.sides[me][flag], flag == self.fog)
            for flag in self.list_free_flags()
            if self.is_full(me, flag)
        }
        for _ in FLAGS:
            claims: list[int | None] = [
                flag
                for flag, strength in strengths.items()
                if self.taken[flag] is None and self.can_claim(me, flag, strength)
            ]
            self.decisions += 1
            claim = self.rng.choice([*claims, None])
            if claim is None:
                break
            self.taken[claim] = me
            self.changed = True

    def has_won(self, me: int) -> str | None:
        """Return the name of the end that the player has reached."""
        if self.taken.count(me) >= 5:
            return "five"
        if any(self.taken[flag] == self.taken[flag + 1] == self.taken[flag + 2] == me for flag in range(7)):
            return "breach"
        return None


def play(rng: random.Random) -> dict[str, float]:
    """Play one game of random players; return how long it was and who won."""
    table = Table(rng)
    turns = idle = 0
    me = 0
    while True:
        turns += 1
        table.changed = table.scouted = False
        plays = table.list_plays(me)
        if plays:
            table.decisions += 1
            table.apply(me, rng.choice(plays))
        table.claim(me)
        if not table.scouted:
            table.draw(me)
        idle = 0 if table.changed else idle + 1
        end = table.has_won(me)
        if end is None and idle == IDLE_TURNS:
            end = "locked"
        if end:
            break
        me = 1 - me
    flags = [table.taken.count(player) for player in range(2)]
    drawn = end == "locked" and flags[0] == flags[1]
    winner = flags.index(max(flags)) if end == "locked" else me
    return {
        "decisions": table.decisions,
        "turns": turns,
        "winner_1": 0.5 if drawn else float(winner == 0),
        "winner_2": 0.5 if drawn else float(winner == 1),
        "draw": float(drawn),
        "five": float(end == "five"),
        "breach": float(end == "breach"),
        "locked": float(end == "locked"),
    }
