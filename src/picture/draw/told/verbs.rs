//! The past of English verbs that options are called by, and how what they bind follows them.

/// How the parts of an action follow its verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VerbGrammar {
    /// Right after it: `pressed a2`.
    Plain,
    /// Something comes to a site: `placed on a2`.
    Place,
    /// Something leaves a site or comes to it: `moved from a2 to a3`.
    Move,
    /// Two sites change together: `swapped a2 and a3`.
    Both,
    /// A player, for something: `asked North for queens`.
    Ask,
    /// A player, something: `gave North the queen`.
    Give,
}

/// Verbs whose past isn't regular.
const IRREGULAR: [(&str, &str); 58] = [
    ("become", "became"),
    ("begin", "began"),
    ("bend", "bent"),
    ("bet", "bet"),
    ("bid", "bid"),
    ("bring", "brought"),
    ("build", "built"),
    ("buy", "bought"),
    ("catch", "caught"),
    ("choose", "chose"),
    ("cut", "cut"),
    ("deal", "dealt"),
    ("dig", "dug"),
    ("do", "did"),
    ("draw", "drew"),
    ("eat", "ate"),
    ("fall", "fell"),
    ("fly", "flew"),
    ("get", "got"),
    ("give", "gave"),
    ("go", "went"),
    ("grow", "grew"),
    ("have", "had"),
    ("hide", "hid"),
    ("hit", "hit"),
    ("hold", "held"),
    ("keep", "kept"),
    ("lay", "laid"),
    ("lead", "led"),
    ("leap", "leapt"),
    ("leave", "left"),
    ("let", "let"),
    ("lose", "lost"),
    ("make", "made"),
    ("pay", "paid"),
    ("put", "put"),
    ("redeal", "redealt"),
    ("run", "ran"),
    ("say", "said"),
    ("sell", "sold"),
    ("send", "sent"),
    ("set", "set"),
    ("shoot", "shot"),
    ("show", "showed"),
    ("shut", "shut"),
    ("slide", "slid"),
    ("sow", "sowed"),
    ("spend", "spent"),
    ("spin", "spun"),
    ("split", "split"),
    ("stand", "stood"),
    ("steal", "stole"),
    ("take", "took"),
    ("tell", "told"),
    ("throw", "threw"),
    ("win", "won"),
    ("withdraw", "withdrew"),
    ("write", "wrote"),
];

/// Other verbs.
const REGULAR: &str = "accept add agree aim allow answer approach ask attack battle block bluff burn call cancel capture carry \
     cast castle challenge change charge check chop claim clear climb close collect colour complete count cover cross \
     declare decline defend deliver demand deploy destroy discard dismiss divide double doubt drop enter exchange explore \
     fill finish fire flip fold follow gain gather grow guess harvest heal help hop hunt invade invest join jump kill land \
     leap lift link lock look lower march mark match meld miss mine move name offer open order paint pass peg pick place \
     plan plant play plough point press produce promote pull push raise reach recruit redeal redeploy refuse release \
     remove repair replace reroll reserve resign rest retreat return reveal roll rotate sacrifice sail save score scout \
     search set settle shift show shuffle signal skip slide slip sow spin split stack start stay step stop store \
     surrender swap switch tap tell test tick tile touch trade train transfer travel trick trump turn twist upgrade use \
     vacate vote wait walk warp win withdraw work";

/// Verbs with a short vowel before their last letter, which is doubled.
const DOUBLED: [&str; 15] = [
    "chop", "drop", "flip", "hop", "peg", "plan", "signal", "skip", "slip", "step", "stop", "swap", "tap",
    "grab", "transfer",
];

/// Returns how a word is followed if it is a verb, `None` for any other word.
pub(super) fn verb(word: &str) -> Option<VerbGrammar> {
    let is_irregular = IRREGULAR.iter().any(|(verb, _)| *verb == word);
    let is_regular = || DOUBLED.contains(&word) || REGULAR.split_whitespace().any(|verb| verb == word);
    (is_irregular || is_regular()).then_some(match word {
        "add" | "build" | "deploy" | "draw" | "drop" | "grow" | "land" | "lay" | "place" | "plant"
        | "play" | "put" | "set" | "settle" | "store" | "write" => VerbGrammar::Place,
        "carry" | "charge" | "climb" | "fly" | "go" | "hop" | "invade" | "jump" | "leap" | "march"
        | "move" | "retreat" | "run" | "sail" | "slide" | "step" | "travel" | "walk" | "withdraw" => {
            VerbGrammar::Move
        }
        "exchange" | "join" | "link" | "swap" | "switch" => VerbGrammar::Both,
        "ask" => VerbGrammar::Ask,
        "deal" | "give" | "pass" | "pay" | "sell" | "send" | "show" | "tell" => VerbGrammar::Give,
        _ => VerbGrammar::Plain,
    })
}

/// Returns the past of a verb.
pub(super) fn past(word: &str) -> String {
    if let Some((_, past)) = IRREGULAR.iter().find(|(verb, _)| *verb == word) {
        return (*past).to_owned();
    }
    let last = word.chars().last();
    let before = word.chars().rev().nth(1);
    match last {
        Some('e') => format!("{word}d"),
        Some('y') if !before.is_some_and(|letter| "aeou".contains(letter)) => {
            format!("{}ied", &word[..word.len() - 1])
        }
        Some(letter) if DOUBLED.contains(&word) => format!("{word}{letter}ed"),
        _ => format!("{word}ed"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_have_a_past() {
        let all = [
            ("play", "played"),
            ("carry", "carried"),
            ("move", "moved"),
            ("drop", "dropped"),
            ("turn", "turned"),
            ("draw", "drew"),
            ("lay", "laid"),
            ("show", "showed"),
            ("open", "opened"),
            ("enter", "entered"),
        ];
        for (word, said) in all {
            assert!(verb(word).is_some(), "{word}");
            assert_eq!(past(word), said);
        }
        assert_eq!(verb("left"), None);
        assert_eq!(verb("crossing"), None);
    }

    #[test]
    fn no_verb_has_two_pasts() {
        let listed: Vec<&str> = IRREGULAR.iter().map(|(verb, _)| *verb).collect();
        for (at, verb) in listed.iter().enumerate() {
            assert!(!listed[..at].contains(verb), "{verb}");
        }
    }
}
