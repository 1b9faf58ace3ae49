// The rule language for CodeMirror: colours at once, brackets, comments, indentation. What a name stands for comes later
// from the service, so this tokeniser only goes by words and their places.

import { StreamLanguage, type StreamParser, type StringStream } from "@codemirror/language";
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
    return "string";
  }
  if (stream.eatSpace()) return null;
  if (stream.match("//")) {
    const documents = stream.match(/^\/(?!\/)/);
    stream.skipToEnd();
    return documents ? "docComment" : "comment";
  }
  if (stream.match('"""')) {
    state.script = true;
    return "string";
  }
  const begins = state.begins;
  state.begins = false;
  if (stream.match(/^"[^"]*"?/)) return "string";
  if (stream.match(/^@\w+(:\w+)?/)) return "atom";
  if (stream.match(/^(d\d+|\d+)\b/)) return "number";
  const found = stream.match(/^[A-Za-z]\w*/);
  if (found && found !== true) return word(found[0], begins, stream, state);
  if (stream.match(/^(==|!=|<=|>=|\+=|-=|\.\.|[-+*/%&|=<>!?])/)) return "operator";
  const sign = stream.next();
  if (sign && "{[(".includes(sign)) state.depth++;
  if (sign && "}])".includes(sign)) state.depth = Math.max(0, state.depth - 1);
  state.begins = sign === "{" || sign === "}" || sign === ";";
  return null;
}

function word(word: string, begins: boolean, stream: StringStream, state: State): string {
  const called = stream.match(/^\s*\(/, false);
  const named = stream.match(/^\s*:(?!\w*:)/, false);
  if (ATOMS.has(word)) return "bool";
  if (RESERVED.has(word)) return called && FUNCTIONS.has(word) ? "function" : "keyword";
  if (begins && !named && !called) {
    if (DECLARATIONS.has(word) || STATEMENTS.has(word) || HEADINGS.has(word)) return "keyword";
    if (EDITS.has(word)) {
      // What an edit adds is a declaration.
      state.begins = true;
      return "keyword";
    }
  }
  if (called && FUNCTIONS.has(word)) return "function";
  if (CONTINUING.has(word) && !named && stream.match(/^\s+[\w@{("[-]/, false)) return "keyword";
  return NAMES.has(word) ? "standard" : "name";
}

/** What the names of token classes look like: CSS classes, the same as those of the service's classes. */
export const LOOKS: Record<string, string> = {
  atom: "t-value",
  bool: "t-keyword",
  comment: "t-comment",
  docComment: "t-comment t-doc",
  function: "t-function t-built-in",
  keyword: "t-keyword",
  number: "t-number",
  operator: "t-operator",
  standard: "t-variable t-built-in",
  string: "t-text",
};

export const rulesLanguage = StreamLanguage.define(parser);
export const INDENT = " ".repeat(UNIT);
