// The rule language for CodeMirror: colours at once, brackets, comments, indentation. What a name stands for comes later
// from the service, so this tokeniser only goes by words and their places.

import { HighlightStyle, StreamLanguage, type StreamParser, type StringStream } from "@codemirror/language";
import { tags } from "@lezer/highlight";
import { ATOMS, CONTINUING, DECLARATIONS, EDITS, FUNCTIONS, HEADINGS, NAMES, RESERVED, STATEMENTS } from "./words.ts";

interface State {
  /** Inside of a script between `"""`. */
  script: boolean;
  /** A declaration, a statement or an edit can begin here. */
  begins: boolean;
  /** The number of open brackets at the end of the lines so far. */
  depth: number;
}

const UNIT = 2;

export const parser: StreamParser<State> = {
  name: "houserule",
  tokenTable: {
    builtIn: tags.standard(tags.variableName),
    called: tags.function(tags.variableName),
    doc: tags.docComment,
    note: tags.comment,
    sign: tags.operator,
    value: tags.atom,
    word: tags.keyword,
    quoted: tags.string,
    digits: tags.number,
  },
  startState: () => ({ script: false, begins: true, depth: 0 }),
  token: read,
  blankLine: (state) => void (state.begins = true),
  indent(state, after, context) {
    if (state.script) return null;
    return Math.max(0, state.depth - (/^\s*[})\]]/.test(after) ? 1 : 0)) * context.unit;
  },
  languageData: {
    commentTokens: { line: "//" },
    closeBrackets: { brackets: ["(", "[", "{", '"'] },
    indentOnInput: /^\s*[})\]]$/,
  },
};

function read(stream: StringStream, state: State): string | null {
  if (stream.sol()) state.begins = true;
  if (state.script) {
    if (stream.skipTo('"""')) {
      stream.match('"""');
      state.script = false;
    } else stream.skipToEnd();
    return "quoted";
  }
  if (stream.eatSpace()) return null;
  if (stream.match("//")) {
    const documents = stream.match(/^\/(?!\/)/);
    stream.skipToEnd();
    return documents ? "doc" : "note";
  }
  if (stream.match('"""')) {
    state.script = true;
    return "quoted";
  }
  const begins = state.begins;
  state.begins = false;
  if (stream.match(/^"[^"]*"?/)) return "quoted";
  if (stream.match(/^@\w+(:\w+)?/)) return "value";
  if (stream.match(/^(d\d+|\d+)\b/)) return "digits";
  const found = stream.match(/^[A-Za-z]\w*/);
  if (found && found !== true) return word(found[0], begins, stream, state);
  if (stream.match(/^(==|!=|<=|>=|\+=|-=|\.\.|[-+*/%&|=<>!?])/)) return "sign";
  const sign = stream.next();
  if (sign && "{[(".includes(sign)) state.depth++;
  if (sign && "}])".includes(sign)) state.depth = Math.max(0, state.depth - 1);
  state.begins = sign === "{" || sign === "}" || sign === ";";
  return null;
}

function word(word: string, begins: boolean, stream: StringStream, state: State): string | null {
  const called = stream.match(/^\s*\(/, false);
  const named = stream.match(/^\s*:(?!\w*:)/, false);
  if (ATOMS.has(word)) return "word";
  if (RESERVED.has(word)) return called && FUNCTIONS.has(word) ? "called" : "word";
  if (begins && named) return null;
  if (begins && !called) {
    if (DECLARATIONS.has(word) || STATEMENTS.has(word) || HEADINGS.has(word)) return "word";
    if (EDITS.has(word)) {
      // What an edit adds is a declaration.
      state.begins = true;
      return "word";
    }
  }
  if (called && FUNCTIONS.has(word)) return "called";
  if (CONTINUING.has(word) && !named && stream.match(/^\s+[\w@{("[-]/, false)) return "word";
  return NAMES.has(word) ? "builtIn" : null;
}

/** Names of CSS classes, the same as for the classes of the service. */
export const looks = HighlightStyle.define([
  { tag: tags.standard(tags.variableName), class: "t-variable t-built-in" },
  { tag: tags.function(tags.variableName), class: "t-function t-built-in" },
  { tag: [tags.comment, tags.docComment], class: "t-comment" },
  { tag: tags.operator, class: "t-operator" },
  { tag: tags.atom, class: "t-value" },
  { tag: tags.keyword, class: "t-keyword" },
  { tag: tags.string, class: "t-text" },
  { tag: tags.number, class: "t-number" },
]);

export const rulesLanguage = StreamLanguage.define(parser);
export const INDENT = " ".repeat(UNIT);
