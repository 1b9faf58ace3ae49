// The words of the rule language, for the colours that show before the service answers. Generated from `src/language/vocabulary`.

const list = (words: string) => new Set(words.split(" "));

/** Words that are keywords everywhere. */
export const RESERVED = list("again all and any as choose clear count deal done draw else ensuring false for if in is let lose max min move none not of or otherwise put repeat reveal roll shuffle sum then true union until where while win");

/** Reserved words that are values. */
export const ATOMS = list("false none true");

/** Words that begin a declaration. */
export const DECLARATIONS = list("allow board define dice domain edges end enum limit match param payoff piece players procedure require round score script setup table team ties turn var winner zone");

/** Words that begin a file's game or variant. */
export const HEADINGS = list("game variant");

/** Words that begin an edit of a variant. */
export const EDITS = list("after before extend fix new without");

/** Words that begin a statement. */
export const STATEMENTS = list("again as chance choose clear deal done draw each end for if let move next pick prefer put repeat reveal roll shuffle skip step swap together while");

/** Words that continue a declaration or a statement. They can be names in other places. */
export const CONTINUING = list("among at by each from given on ordered seen shown to when");

/** The functions. */
export const FUNCTIONS = list("above abs after around before beside bottom cell cells center column columns component components connected corners count crossing custodial d directions double edge edges empty enclosed faces fill graph grid hex hexagon highest leap least lines longest longest_chain lowest max min most nothing other owner ray reach repeated reverse row rows runs shift slide some star step sum team top toward track triangle");

/** Names that every game has. */
export const NAMES = list("cells corners direction edge empty game_number me mover nothing other payoff player players playing round score some starter team total turns");
