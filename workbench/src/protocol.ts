// The messages between the page and the service: what the page asks, and what it is told.
// Places in texts are offsets in UTF-16 code units, as CodeMirror counts.

/** Values of params that differ from those of the rules: numbers, truth values and names. */
export type ParamSet = Record<string, number | boolean | string>;

export interface FileEntry {
  path: string;
  title: string;
  kind: "game" | "variant" | "script" | "broken";
  of?: string | null;
  family?: string | null;
  read_only?: boolean;
}

export interface AgentEntry {
  name: string;
  /** With the number that may follow, such as `mcts:N`. */
  form: string;
  help: string;
}

export interface Edit {
  path: string;
  /** The version of the open text in which the places are counted. None if the service knows the file on disk alone. */
  version?: number | null;
  from: number;
  to: number;
  text: string;
}

export interface TextPlace {
  path: string;
  from: number;
  to: number;
}

export interface Message {
  severity: "error" | "warning";
  code?: string | null;
  from: number;
  to: number;
  message: string;
  label?: string | null;
  notes?: string[];
  help?: string | null;
  /** The whole message as `check` prints it, without the source lines. */
  words?: string | null;
  related?: (TextPlace & { label: string })[];
  fixes?: { title: string; edits: Edit[] }[];
}

export interface Param {
  name: string;
  help?: string | null;
  kind: "number" | "truth" | "choice";
  value: number | boolean | string;
  /** The value of the base, or of the game as it is by itself. */
  usual?: number | boolean | string | null;
  least?: number | null;
  most?: number | null;
  values?: string[] | null;
  place?: TextPlace | null;
}

export interface OutlineEntry {
  name: string;
  detail?: string | null;
  kind: string;
  from: number;
  to: number;
  name_from: number;
  name_to: number;
  children?: OutlineEntry[];
}

/** From, to, class, and flags: 1 if the name is defined here, 2 if it is built in. */
export type Token = [number, number, string, number];

export interface CompletionItem {
  word: string;
  kind: string;
  detail?: string | null;
  help?: string | null;
  from: number;
  to: number;
}

export interface DiffLine {
  kind: "same" | "added" | "removed" | "gap";
  text: string;
}

/** An element that moves can name, such as `cell:12`. */
export type Thing = string;

export interface Move {
  action: number;
  name: string;
  words?: string | null;
  option: number;
  things: Thing[];
}

export interface Choices {
  seat: number;
  options: { name: string; help?: string | null; moves: number }[];
  moves: Move[];
  more?: number;
}

export interface TableSeat {
  name: string;
  agent?: string | null;
  person: boolean;
  score?: number | null;
}

export interface TableEvent {
  index: number;
  /** The number of decisions before it. */
  decision: number;
  seat?: number | null;
  /** The last three follow from the rules alone, so no record has them. */
  kind: "action" | "roll" | "pick" | "draw" | "certain" | "pass" | "moved";
  /** In the notation of journals. Nothing if it is hidden from who sits at the screen. */
  text?: string | null;
  /** The same with the names that the board shows. */
  said?: string | null;
  /** The zone to which an element was drawn. */
  zone?: string | null;
}

export interface TableLine {
  name: string;
  from_line?: number | null;
  from_decision?: number | null;
  decisions: number;
}

export interface SeatScore {
  seat: number;
  items: { name: string; points: number; words?: string | null; things?: Thing[] }[];
  total: number;
}

export interface Position {
  game: string;
  lines: TableLine[];
  line: number;
  decision: number;
  of: number;
  svg: string;
  heading?: string | null;
  seats: TableSeat[];
  seat?: number | null;
  viewer?: number | null;
  /** The screen goes to another seat. With `news` the seat before still has something to look at. */
  hand_over?: { from?: number | null; to: number; news: boolean } | null;
  choices?: Choices | null;
  chance?: { question: string; outcomes: { outcome: number | string; name: string }[] } | null;
  events: TableEvent[];
  scores?: SeatScore[];
  over?: string[] | null;
  differs?: { decision: number; words: string } | null;
  /** The agent that is to decide and has to be trained before. */
  to_train?: string | null;
}

export interface SampleSide {
  name: string;
  counts: number[];
  mean?: number | null;
  low?: number | null;
  high?: number | null;
}

export interface Quantity {
  name: string;
  players?: string | null;
  a?: number | null;
  b?: number | null;
  difference?: number | null;
  low?: number | null;
  high?: number | null;
  differs?: boolean | null;
}

/** What something costs random games. */
export interface Cost {
  /** Its share of the time, from 0 to 1. */
  share: number;
  /** How often it is evaluated or executed in a decision. */
  evaluations: number;
  /** Instructions a decision. */
  instructions: number;
  /** The share of these that compute again what was computed in the same decision, from 0 to 1. */
  repeated: number;
}

/** A named part of the rules, with all that it uses. */
export interface PartCost {
  kind: string;
  name: string;
  place: TextPlace;
  line: number;
  /** Its share of the time without what it uses from other parts. */
  own_share: number;
  cost: Cost;
}

/** A line, without what it uses from other lines. */
export interface LineCost {
  place: TextPlace;
  line: number;
  text: string;
  cost: Cost;
}

/** An expression or a statement, with all that it uses. */
export interface ExpressionCost {
  place: TextPlace;
  line: number;
  column: number;
  text: string;
  cost: Cost;
}

/** Asks with an answer of their own have a number, which the answer repeats. */
export const UNNUMBERED = new Set<Ask["ask"]>(["hello", "text", "close", "cancel"]);

export type Ask =
  | { ask: "hello"; token: string }
  | { ask: "open"; path: string }
  | { ask: "save"; path: string; text: string; base: string | null }
  | { ask: "text"; path: string; version: number; text: string }
  | { ask: "close"; path: string }
  | { ask: "hover" | "complete" | "define" | "references"; path: string; at: number }
  | { ask: "rename"; path: string; at: number; new: string }
  | { ask: "format"; path: string }
  | { ask: "diff"; path: string; set: ParamSet }
  | { ask: "house-rule"; of: string; title: string; set: ParamSet }
  | {
      ask: "table";
      path: string;
      set: ParamSet;
      players?: number | null;
      seats?: string[];
      seed: number;
      dice: "drawn" | "reported";
      form?: "wide" | "narrow";
      events?: TableEvent[];
    }
  | { ask: "act"; action: number }
  | { ask: "type"; text: string }
  | { ask: "settle"; outcome: number | string }
  | { ask: "step"; one?: boolean }
  | { ask: "take-screen" }
  | { ask: "go"; line: number; decision: number | "undo" | "redo" }
  | { ask: "other-dice" }
  | { ask: "arrange"; form: "wide" | "narrow" }
  | { ask: "seat"; seat: number; agent: string }
  | {
      ask: "measure";
      path: string;
      set: ParamSet;
      /** Without one, what the rules change, or their params as they usually are. */
      base: { path: string; set: ParamSet } | null;
      /** Compare with nothing. */
      alone?: boolean;
      agents: string[];
      players: number | null;
      games: number;
      seed: number;
    }
  | { ask: "profile"; path: string; set: ParamSet; games?: number | null; seed: number }
  | { ask: "report"; path: string; set: ParamSet }
  | { ask: "train" }
  | { ask: "cancel"; id: number };

export interface Tells {
  welcome: {
    version: string;
    folder: string;
    start: string;
    files: FileEntry[];
    games: FileEntry[];
    agents: AgentEntry[];
    first: boolean;
  };
  file: { path: string; text: string; hash: string; read_only?: boolean; of?: string | null };
  saved: { path: string; hash: string };
  conflict: { path: string; text?: string | null; hash?: string | null };
  changed: { path: string; text?: string | null; hash?: string | null };
  files: { files: FileEntry[] };
  messages: {
    path: string;
    version: number;
    title?: string | null;
    of?: string | null;
    messages: Message[];
    /** Fixes are being looked for: the messages are told again once all are found. */
    fixing?: boolean;
  };
  /** They follow the messages of the same version, unless a newer one comes first. */
  facts: {
    path: string;
    version: number;
    tokens: Token[];
    params: Param[];
    outline: OutlineEntry[];
    hints?: { at: number; text: string }[];
    folds?: [number, number][];
  };
  hovered: { from?: number | null; to?: number | null; code?: string | null; help?: string | null };
  completions: { items: CompletionItem[] };
  places: { places: TextPlace[] };
  edits: { edits: Edit[] };
  differences: { of?: string | null; changes: string[]; lines: DiffLine[] };
  drafted: { name: string; text: string };
  position: Position;
  samples: {
    games: number;
    of: number;
    bins: number[];
    /** The first bin counts values below it too, the last bin values above it. */
    beyond?: [boolean, boolean];
    sides: SampleSide[];
    quantities: Quantity[];
    players?: string | null;
    about?: string | null;
  };
  /** With `more`, players are trained next and then play. */
  measured: { sentences: string[]; quantities: Quantity[]; players?: string | null; games: number; more?: boolean };
  profiled: { played: string; decision: string; cautions: string[]; parts: PartCost[]; lines: LineCost[]; expressions: ExpressionCost[] };
  progress: { done: number; of: number; words?: string | null };
  reported: { address: string };
  done: { cancelled?: boolean };
  wrong: { message: string };
}

export type TellKind = keyof Tells;

/** A message of the service. Answers carry the number of their question. */
export type Tell = { [K in TellKind]: { tell: K; id?: number | null } & Tells[K] }[TellKind];

export type TellOf<K extends TellKind> = Extract<Tell, { tell: K }>;
