//! The pictures that rules name and drawings know.

/// Makes the pictures from their names.
macro_rules! pictures {
    ($($name:literal $icon:ident)*) => {
        /// A picture by its name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Icon {
            $(
                #[doc = concat!("`", $name, "`")]
                $icon,
            )*
        }

        impl Icon {
            /// All names, in the order of the pictures.
            pub const NAMES: [(&'static str, Icon); 45] = [$(($name, Icon::$icon)),*];
        }
    };
}

pictures! {
    "pawn" Pawn "knight" Knight "bishop" Bishop "rook" Rook "queen" Queen "king" King
    "clubs" Clubs "diamonds" Diamonds "hearts" Hearts "spades" Spades
    "disc" Disc "ring" Ring "square" Square "triangle" Triangle "diamond" Diamond "star" Star "cross" Cross
    "crown" Crown "coronet" Coronet "shield" Shield "flag" Flag "house" House "meeple" Meeple "train" Train
    "rocket" Rocket "ticket" Ticket "eye" Eye "hand" Hand "tick" Tick "arrow" Arrow
    "ship" Ship "car" Car "coin" Coin "gem" Gem "wheat" Wheat "wood" Wood "brick" Brick "sheep" Sheep "ore" Ore
    "tower" Tower "tree" Tree "fish" Fish "flower" Flower "skull" Skull "wedge" Wedge
}

impl Icon {
    /// The name of the picture.
    pub fn name(self) -> &'static str {
        Icon::NAMES[self as usize].0
    }

    /// Returns the picture that rules name with a word: `rook`, but not `rooks`.
    pub fn in_rules(word: &str) -> Option<Icon> {
        Icon::NAMES.iter().find(|(own, _)| *own == word).map(|(_, icon)| *icon)
    }

    /// Returns the picture called `name`, in the singular or plural: `rook`, `club`, `♣`.
    pub fn named(name: &str) -> Option<Icon> {
        let find = Icon::in_rules;
        let mut characters = name.chars();
        match (characters.next(), characters.next()) {
            (Some(character), None) => Icon::in_character(character),
            _ => find(name)
                .or_else(|| name.strip_suffix('s').and_then(find))
                .or_else(|| find(&format!("{name}s"))),
        }
    }

    /// Returns the picture that a character is: a suit or a chessman.
    pub fn in_character(character: char) -> Option<Icon> {
        match character {
            '♣' | '♧' => Some(Icon::Clubs),
            '♦' | '♢' => Some(Icon::Diamonds),
            '♥' | '♡' => Some(Icon::Hearts),
            '♠' | '♤' => Some(Icon::Spades),
            '♔' | '♚' => Some(Icon::King),
            '♕' | '♛' => Some(Icon::Queen),
            '♖' | '♜' => Some(Icon::Rook),
            '♗' | '♝' => Some(Icon::Bishop),
            '♘' | '♞' => Some(Icon::Knight),
            '♙' | '♟' => Some(Icon::Pawn),
            _ => None,
        }
    }

    /// Returns the character of a suit of a French pack. Returns `None` for other pictures.
    pub fn suit_character(self) -> Option<char> {
        ['♣', '♦', '♠', '♥'].get(self.suit_place()? as usize).copied()
    }

    /// Returns the place of a suit of a French pack in a hand, where black and red alternate. Returns `None` for other pictures.
    pub fn suit_place(self) -> Option<u32> {
        match self {
            Icon::Clubs => Some(0),
            Icon::Diamonds => Some(1),
            Icon::Spades => Some(2),
            Icon::Hearts => Some(3),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_have_names() {
        for (at, (name, icon)) in Icon::NAMES.into_iter().enumerate() {
            assert_eq!((Icon::named(name), icon as usize), (Some(icon), at), "{name}");
        }
        let others = [
            ("club", Icon::Clubs),
            ("rooks", Icon::Rook),
            ("♠", Icon::Spades),
            ("♞", Icon::Knight),
            ("diamond", Icon::Diamond),
            ("diamonds", Icon::Diamonds),
        ];
        for (name, icon) in others {
            assert_eq!(Icon::named(name), Some(icon), "{name}");
        }
        for name in ["", "s", "Rook", "rookie", "red", "k"] {
            assert_eq!(Icon::named(name), None, "{name}");
        }
    }
}
