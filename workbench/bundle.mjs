// Bundles the page into dist, or with --tests the tests into build-tests. With --compare, compares dist with what it
// would write.

import { build } from "esbuild";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const ROOT = dirname(fileURLToPath(import.meta.url));
const DIST = join(ROOT, "dist");
/** The most that the page may weigh, in bytes of all its files as gzip packs them. */
const MOST = 200_000;

const shared = { absWorkingDir: ROOT, bundle: true, target: "es2022", logLevel: "warning", jsx: "automatic", jsxImportSource: "preact" };

async function page() {
  const result = await build({
    ...shared,
    entryPoints: [
      { in: "src/main.tsx", out: "page" },
      { in: "src/style/page.css", out: "page" },
    ],
    outdir: "dist",
    format: "esm",
    minify: true,
    legalComments: "none",
    metafile: true,
    write: false,
  });
  const files = new Map(result.outputFiles.map((file) => [relative(DIST, file.path), Buffer.from(file.contents)]));
  files.set("index.html", readFileSync(join(ROOT, "src/index.html")));
  files.set("LEGAL.txt", Buffer.from(legal(Object.keys(result.metafile.inputs))));
  return files;
}

/** The licences of the packages whose code is in the bundle. */
function legal(inputs) {
  const found = new Set(inputs.map((input) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1]).filter(Boolean));
  const parts = [...found].sort().map((name) => {
    const folder = join(ROOT, "node_modules", name);
    const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
    if (!file) throw new Error(`${name} has no licence file`);
    const text = readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim();
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  return `The page contains code of these packages.\n\n${parts.join(`\n${"-".repeat(80)}\n\n`)}`;
}

async function tests() {
  const out = join(ROOT, "build-tests");
  rmSync(out, { recursive: true, force: true });
  const files = readdirSync(join(ROOT, "test")).filter((file) => file.endsWith(".test.ts"));
  await build({
    ...shared,
    entryPoints: files.map((file) => `test/${file}`),
    outdir: out,
    format: "esm",
    platform: "node",
    outExtension: { ".js": ".mjs" },
    packages: "external",
    sourcemap: "inline",
  });
}

function compare(files) {
  const committed = new Set(existsSync(DIST) ? readdirSync(DIST) : []);
  const differing = [...files].filter(([name, contents]) => !committed.delete(name) || !readFileSync(join(DIST, name)).equals(contents));
  const wrong = [...differing.map(([name]) => name), ...committed];
  if (wrong.length) throw new Error(`dist is not what the sources give: ${wrong.join(", ")}. Run ./build.`);
}

const size = (files) => [...files.values()].reduce((sum, contents) => sum + gzipSync(contents, { level: 9 }).length, 0);

if (process.argv.includes("--tests")) await tests();
else {
  const files = await page();
  const bytes = size(files);
  if (bytes > MOST) throw new Error(`The page is ${bytes} bytes compressed; the most is ${MOST}.`);
  if (process.argv.includes("--compare")) compare(files);
  else {
    rmSync(DIST, { recursive: true, force: true });
    mkdirSync(DIST);
    for (const [name, contents] of files) writeFileSync(join(DIST, name), contents);
  }
  console.log(`The page is ${Math.round(bytes / 1000)} kB compressed.`);
}
