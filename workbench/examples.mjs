// Writes what the program really says, recorded by its own tests, as TypeScript: the check of the types then fails where
// src/protocol.ts says something else.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = dirname(fileURLToPath(import.meta.url));
const OUT = join(ROOT, "build-tests");

const recorded = ["conversation", "host"].flatMap((name) =>
  JSON.parse(readFileSync(join(ROOT, `../tests/data/workbench/${name}.json`), "utf8")),
);
const list = (of) => `[\n${of.map((one) => `  ${JSON.stringify(one)},\n`).join("")}]`;

mkdirSync(OUT, { recursive: true });
writeFileSync(
  join(OUT, "examples.ts"),
  `import type { Ask, Tell } from "../src/protocol.ts";

export const asks: (Ask & { id?: number })[] = ${list(recorded.flatMap(({ ask }) => ask ?? []))};

export const tells: Tell[] = ${list(recorded.flatMap(({ tells }) => tells))};
`,
);
