import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { projectFile } from '../helpers/project.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';
import { assertEach } from '../helpers/assert-each.ts';

/** One file of each room, what it may import, and what it may not: each of these must be reported, and none of those. */
const rooms: Readonly<Record<string, readonly [right: string, wrong: string]>> = {
  'protocol/report.ts': [
    './units.ts',
    'node:fs vscode-languageserver-protocol source-map valibot ../engine/analyze.ts ../test/x.ts',
  ],
  'protocol/webview-guard.ts': ['./units.ts valibot', 'node:fs ../webview/state.ts'],
  'protocol/requests.ts': [
    './units.ts vscode-languageserver-protocol',
    'vscode-languageserver vscode ../language-server/main.ts',
  ],
  'words/summary.ts': [
    './formats/figures.ts ../engine/analysis.ts ../protocol/units.ts',
    'node:fs ../recordings/list.ts ../language-server/main.ts',
  ],
  'words/editor/notifications.ts': [
    '../formats/figures.ts ../../protocol/requests.ts',
    'vscode ../summary.ts ../../engine/analysis.ts ../../extension/main.ts',
  ],
  'engine/read/import/cpuprofile/decode.ts': [
    `./node.ts ../../files/world.ts ../../samples/call-tree.ts ../../../../protocol/formats/parse.ts
      ../../../../protocol/units.ts ../../../../words/warnings/warning-text.ts source-map`,
    `node:fs node:fs/promises fs vscode vscode-languageserver d3-selection source-map/lib/x
      ../../../judge/hotspots/judge-run.ts ../../../analyze.ts ../../../../words/summary.ts
      ../../../../words/formats/figures.ts ../../../../show/flame/prune.ts ../../../../recordings/read.ts
      ../../../../recorder/launch/run/record.ts ../../../../language-server/main.ts ../../../../extension/main.ts
      ../../../../webview/main.ts ../../../../cli/main.ts ../../../../test/x.ts ../../../../lab/x.ts`,
  ],
  'engine/judge/lines/hot-lines.ts': [
    '@babel/parser ../hotspots/judge-run.ts ../../read/source-code/syntax.ts',
    '../../../show/report/report.ts ../tiers/tiers.ts ../../analysis.ts',
  ],
  'show/report/report.ts': [
    '../../engine/analysis.ts ../../words/warnings/warning-text.ts',
    '../flame/flame.ts ../../cli/main.ts',
  ],
  'protocol/formats/parse.ts': [
    '../recording.ts ./json-lines.ts',
    'node:fs valibot ../../recordings/list.ts ../../words/formats/figures.ts ../../engine/read/files/world.ts',
  ],
  'recordings/read.ts': [
    'node:fs/promises ../protocol/formats/parse.ts ../engine/analyze.ts ../protocol/units.ts',
    'vscode source-map ../recorder/launch/run/record.ts ../language-server/main.ts ../cli/main.ts',
  ],
  'recorder/preload/main.ts': [
    'node:inspector node:fs/promises ./turns/turns.ts ../../protocol/recording.ts ../command-lines/redact.ts',
    'source-map autocannon ../launch/run/record.ts ../../engine/analyze.ts ../../recordings/read.ts',
  ],
  'recorder/preload/host/host.ts': ['node:fs ../../../protocol/recording.ts', '../turns/turns.ts ../main.ts'],
  'recorder/launch/run/record.ts': [
    `node:child_process ../targets/find-targets.ts ../../../recordings/list.ts
      ../../../protocol/formats/parse.ts ../../../protocol/recording.ts`,
    `autocannon vscode ../attach/attach.ts ../../preload/main.ts ../../../engine/analyze.ts
      ../../../extension/main.ts`,
  ],
  'recorder/launch/load/load.ts': ['autocannon node:http', 'vscode ../../../engine/analyze.ts'],
  'language-server/features/hover.ts': [
    'vscode-languageserver vscode-languageserver/node node:worker_threads ../../engine/analyze.ts',
    `vscode vscode-languageclient vscode-languageserver-protocol ../server.ts ../../extension/main.ts
      ../../cli/main.ts`,
  ],
  'extension/commands/profile.ts': [
    `vscode vscode-languageclient/node ../ui/failures.ts ../../words/editor/notifications.ts
      ../../recorder/launch/run/record.ts ../../protocol/ids.ts`,
    `vscode-languageserver ../main.ts ../../words/summary.ts ../../engine/analyze.ts
      ../../recorder/preload/main.ts`,
  ],
  'webview/page.ts': [
    './search.ts ../protocol/flame.ts ../words/formats/figures.ts',
    `d3-flame-graph d3-selection vscode node:path ../words/summary.ts ../show/flame/prune.ts
      ../extension/main.ts`,
  ],
  'webview/graph.ts': ['d3-flame-graph d3-selection', 'vscode ../show/flame/prune.ts'],
  'cli/commands/record.ts': [
    'node:fs ../../engine/analyze.ts ../../recordings/read.ts ../../recorder/launch/run/record.ts',
    `vscode ../main.ts ../../language-server/features/hover.ts ../../recorder/preload/main.ts
      ../../extension/main.ts ../../webview/x.ts`,
  ],
};

const words = (text: string): readonly string[] => text.split(/\s+/);

const folder = temporaryProject({});
cpSync(projectFile('.oxlintrc.json'), path.join(folder, '.oxlintrc.json'));
for (const file of ['oxlint-plugin.mjs', 'rooms.mjs'])
  cpSync(projectFile(`scripts/${file}`), path.join(folder, 'scripts', file));
symlinkSync(projectFile('node_modules'), path.join(folder, 'node_modules'));

// oxlint takes a second to start, so it runs once for the files of all tests.
// Values, types and imports on demand in turn: all are imports.
const forms = ["export { x# } from '%'", "import type { x# } from '%'", "await import('%')"];
for (const [file, [right, wrong]] of Object.entries(rooms))
  write(
    file,
    [...words(right), ...words(wrong)].map((name, i) =>
      forms[i % forms.length]?.replace('#', `${i}`).replace('%', name),
    ),
  );

const clocks = {
  "import { setTimeout as wait } from 'node:timers/promises'": 'setTimeout',
  'Date.now()': 'Date.now',
  'performance.now()': 'performance.now',
  'new Date()': 'new Date()',
  'setTimeout(() => {}, 5)': 'setTimeout',
  'setInterval(() => {}, 5)': 'setInterval',
  'AbortSignal.timeout(5)': 'AbortSignal.timeout',
  'await page.waitForTimeout(5)': 'page.waitForTimeout',
  "test('quick', { timeout: 5000 }, () => {})": 'timeout',
  'const limit = { timeout: soon }': 'timeout',
};
const withoutClock = [
  "import { setImmediate } from 'node:timers/promises'",
  'new Date(0)',
  "t.mock.timers.enable({ apis: ['setTimeout'] })",
  "test('hangs', { timeout: 60_000 }, () => {})",
  "const program = 'setTimeout(() => {}, Date.now())'",
];
const helpers = ['test/helpers/wait.ts', 'lab/nightly/busy.test.ts', 'lab/bench/busy.ts'];
for (const file of ['test/engine/clock.test.ts', ...helpers]) write(file, [...withoutClock, ...Object.keys(clocks)]);

const prefixes = ['path.startsWith(`${root}/`)', 'file.startsWith(`${folder}\\\\`)'];
const beginnings = ["path.startsWith('/')", 'name.startsWith(`${one}-`)', 'text.startsWith(`//${host}/`)'];
const readers = ['engine/prefix.ts', 'language-server/prefix.ts', 'cli/prefix.ts'];
for (const [at, file] of readers.entries()) write(file, [...beginnings, prefixes[at % prefixes.length]]);
write('extension/prefix.ts', [...beginnings, ...prefixes]);

const buffers = ['engine/read/buffer.ts', 'engine/basics/bytes.ts', 'recordings/buffer.ts'];
for (const file of buffers) write(file, ["Buffer.from('')"]);

const spreads = ['all.push(...list)', 'all.unshift(...list)', 'Math.max(...list)', 'Math.min(0, ...list)'];
const ofRecordings = ['engine/spread.ts', 'show/spread.ts', 'language-server/spread.ts', 'webview/spread.ts'];
for (const [at, file] of ofRecordings.entries()) write(file, ['all.push({ ...list })', '[...list]', spreads[at]]);
write('cli/spread.ts', spreads);

const oxlint = projectFile('node_modules/.bin/oxlint');
const { stdout } = spawnSync(oxlint, ['-f', 'unix'], { cwd: folder, encoding: 'utf8' });

test('the linter reports every import against the direction of the rooms, and no other', () => {
  const reported = reports(/: '([^']+)' import is restricted/);
  for (const [file, [, wrong]] of Object.entries(rooms))
    assert.deepEqual(reported.get(file), new Set(words(wrong)), file);
});

test('the linter reports each clock in a test, but not in a helper, a fixture or what is measured at night', () => {
  const reported = reports(/: No (.+?)(?: below .+)? in a test\./);
  assert.deepEqual(reported.get('test/engine/clock.test.ts'), new Set(Object.values(clocks)));
  for (const file of helpers) assert.equal(reported.get(file), undefined, file);
});

test('the linter reports a path that is compared by its prefix, where paths of other systems are read', () => {
  const reported = reports(/: (No prefix of a path)/);
  for (const file of readers) assert.equal(reported.get(file)?.size, 1, file);
  assert.equal(reported.get('extension/prefix.ts'), undefined);
});

test("the linter reports Node's Buffer in the engine, which is to run in a browser, but not in its file for bytes", () => {
  const reported = reports(/: Unexpected use of '(Buffer)'/);
  assertEach(buffers, (file) => reported.has(file), [true, false, false]);
});

test('the linter reports a list that is spread into arguments, where lists are as long as recordings', () => {
  const reported = reports(/: (No spread of a list)/);
  for (const file of ofRecordings) assert.equal(reported.get(file)?.size, 1, file);
  assert.equal(reported.get('cli/spread.ts'), undefined);
});

function write(file: string, statements: readonly unknown[]): void {
  const target = path.join(folder, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, statements.join(';\n'));
}

/** What oxlint reports in this way, by file. */
function reports(way: RegExp): ReadonlyMap<string, ReadonlySet<string>> {
  const byFile = new Map<string, Set<string>>();
  for (const line of stdout.split('\n')) {
    const [file = ''] = /^[^:]+/.exec(line.replace('./', '')) ?? [];
    const what = way.exec(line)?.[1];
    if (what !== undefined) byFile.set(file, new Set([...(byFile.get(file) ?? []), what]));
  }
  return byFile;
}
