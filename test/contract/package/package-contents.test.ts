import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { unzipSync } from 'fflate';
import { remedyPages } from '../../../protocol/ids.ts';
import { vsixFile } from '../../../scripts/setup.mjs';
import { assertNone } from '../../helpers/assert-each.ts';
import { projectFile, projectRoot } from '../../helpers/project.ts';

/** What a person installs, and nothing else: no sources, tests, examples, maps or configuration. */
const contents = [
  /^package(\.nls)?\.json$/,
  /^(README|CHANGELOG)\.md$/,
  /^LICENSE(\.txt)?$/,
  /^ThirdPartyNotices\.txt$/,
  /^dist\/(extension|client|server|analysis-worker|cli|command|reading|load|mcp|metrics|parse-source|recorder|attached|targets|thread|verify|commands|runs|flamegraphs|tracked-marks)\.cjs$/,
  /^dist\/metrics\.d\.cts$/,
  /^dist\/flamegraph\.(js|css)$/,
  /^dist\/mappings\.wasm$/,
  /^docs\/budget\.schema\.json$/,
  /^media\/[a-z-]+\.(svg|png|md)$/,
  /^docs\/remedies\/(?:README|[a-z-]+)\.md$/,
];
const needed = [
  'package.json',
  'package.nls.json',
  'README.md',
  'CHANGELOG.md',
  'ThirdPartyNotices.txt',
  'dist/cli.cjs',
  'dist/command.cjs',
  'dist/reading.cjs',
  'dist/mappings.wasm',
  'dist/metrics.cjs',
  'dist/metrics.d.cts',
  // The addresses of `schemaAddress` in cli/commands/check.ts, and of jsonValidation in package.json.
  'docs/budget.schema.json',
];

test('the npm package holds what it runs on, and nothing else', () => {
  const answer: unknown = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json', '--silent'], { cwd: projectRoot, encoding: 'utf8' }),
  );
  assertContents(pathsIn(answer));
});

test('the extension holds what it runs on, the pages that hovers link to, and nothing else', () => {
  const files = Object.keys(unzipSync(readFileSync(vsixFile)));
  for (const page of remedyPages) assert.ok(files.includes(`extension/docs/remedies/${page}.md`), page);
  const own = files.filter((file) => file.startsWith('extension/')).map((file) => file.slice('extension/'.length));
  for (const bundle of bundlesAskedFor()) assert.ok(own.includes(`dist/${bundle}`), bundle);
  // vsce writes these two in lower case.
  assertContents(
    own.map((file) => (/^(readme|changelog)\.md$/.test(file) ? `${file.slice(0, -3).toUpperCase()}.md` : file)),
  );
});

/** The bundles that those of the extension load on first need. */
function bundlesAskedFor(): readonly string[] {
  const asked = new Set(['extension.cjs']);
  for (const bundle of asked) {
    const text = readFileSync(projectFile(`dist/${bundle}`), 'utf8');
    for (const [, name = ''] of text.matchAll(/require\("\.\/([\w-]+\.cjs)"\)/g)) asked.add(name);
  }
  assert.ok(asked.has('runs.cjs') && asked.has('flamegraphs.cjs'));
  return [...asked];
}

function assertContents(files: readonly string[]): void {
  assertNone(files, (file) => !contents.some((pattern) => pattern.test(file)));
  assertNone(needed, (file) => !files.includes(file));
  assert.ok(files.some((file) => file.startsWith('LICENSE')));
}

/** The paths in what `npm pack --json` prints: a list of packages, or since npm 12 an object of them by name. */
function pathsIn(answer: unknown): readonly string[] {
  const text = JSON.stringify(answer);
  return [...text.matchAll(/"path":"([^"]+)"/g)].map(([, file = '']) => file);
}
