import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { busyFor } from '../../helpers/busy-for.ts';
import { keptTextSuffix, textsSuffix } from '../../../protocol/recording.ts';
import { assertEach } from '../../helpers/assert-each.ts';
import { nodeVersion } from '../../helpers/node-versions.ts';
import { reportOf } from '../../helpers/report-schema.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { waitUntil } from '../../helpers/wait-until.ts';
import { filesOf, program, recorded, recording } from './recorded.ts';

/** `work` holds the loop for 250 ms on its third line. */
const server = `function work() {
  // Busy:
  ${busyFor(250)}
}
setTimeout(() => { work(); console.log('worked'); }, 20);
setInterval(() => {}, 1000);
`;
const lines = '// new\n'.repeat(10);

/** The texts that a recording holds, by the file's name, in the order of processes. */
function keptIn(directory: string): readonly (readonly [file: string, text: string])[] {
  return filesOf(directory, textsSuffix)
    .filter((name) => !name.startsWith('read'))
    .toSorted()
    .flatMap((name) => readFileSync(path.join(directory, name), 'utf8').trim().split('\n'))
    .map((line) => {
      const [, url = '', name = ''] = /^\{"url":"(.*)","text":"(.*)"\}$/.exec(line) ?? [];
      const packed = readFileSync(path.join(directory, `${name}${keptTextSuffix}`));
      return [path.basename(url), gunzipSync(packed).toString()] as const;
    });
}

for (const { node, version } of ['20', '24'].map((major) => nodeVersion(major))) {
  test(`a file that is edited under node --watch has its figures where its text stands (Node ${version})`, async (t) => {
    const folder = program(t, { 'server.mjs': server });
    const file = path.join(folder, 'server.mjs');
    const { recorder, ended, directory } = recording(folder, [node, '--watch', 'server.mjs'], { detached: true });
    let seen = '';
    recorder.stdout?.on('data', (data: Buffer) => (seen += data.toString()));
    const untilWorked = async (times: number): Promise<void> => {
      await waitUntil(() => seen.split('worked').length > times || recorder.exitCode !== null);
    };
    await untilWorked(1);
    writeFileSync(file, `${lines}${server}`);
    await untilWorked(2);
    process.kill(-(recorder.pid ?? assert.fail()), 'SIGINT');
    await ended;
    const report = await reportOf(directory);
    const work = report.functions.filter(({ name }) => name === 'work');
    assertEach(work, ({ line, changed, culprit }) => [line, changed, culprit?.longCount], [[11, undefined, 2]]);
    const marked = report.lines.filter(({ url }) => url.endsWith('server.mjs')).map(({ line }) => line);
    assert.ok(marked.length > 0 && marked.every((line) => line > 11), String(marked));
    assert.equal(report.recording.changedFiles, undefined);
  });

  test(`the text that ran is kept, whatever became of its file (Node ${version})`, async (t) => {
    const busy = (name: string): string => `exports.${name} = (ms) => {
  ${busyFor('ms')}
};
`;
    const main = `const fs = require('fs');
const names = ['same', 'edited', 'deleted', 'folder', 'touched', 'node_modules/dependency'];
for (const name of names) Object.values(require('./' + name))[0](60);
const file = (name) => require('path').join(__dirname, name + '.js');
fs.writeFileSync(file('edited'), '// another');
fs.unlinkSync(file('deleted'));
fs.unlinkSync(file('folder'));
fs.mkdirSync(file('folder'));
fs.utimesSync(file('touched'), 0, 0);
`;
    const names = ['same', 'edited', 'deleted', 'folder', 'touched'];
    const files = Object.fromEntries(names.map((name) => [`${name}.js`, busy(name)]));
    const folder = program(t, { ...files, 'node_modules/dependency.js': busy('dependency'), 'main.js': main });
    const { directory } = await recorded(folder, [node, 'main.js']);
    const kept = new Map(keptIn(directory));
    for (const name of names) assert.equal(kept.get(`${name}.js`), busy(name));
    assert.equal(kept.has('dependency.js'), false);
    for (const name of filesOf(directory, keptTextSuffix))
      assert.equal(statSync(path.join(directory, name)).mode % 0o1000, 0o600);
  });

  test(`of what a loader made in memory the text in its map is kept, where the file was edited (Node ${version})`, async (t) => {
    const main = `const fs = require('fs');
require.extensions['.ts'] = (module, file) => {
  const text = fs.readFileSync(file, 'utf8');
  const map = { version: 3, sources: ['made.ts'], sourcesContent: [text], mappings: 'AAAA' };
  const data = Buffer.from(JSON.stringify(map)).toString('base64');
  const comment = '\\n//# source' + 'MappingURL=data:application/json;base64,' + data;
  module._compile(text.replaceAll(': number', '') + (file.endsWith('made.ts') ? comment : ''), file);
};
for (const name of ['made', 'without']) {
  require('./' + name + '.ts').work(60);
  fs.writeFileSync(require.resolve('./' + name + '.ts'), '// another');
}
`;
    const text = `exports.work = (ms: number) => {
  ${busyFor('ms')}
};
`;
    const folder = program(t, { 'made.ts': text, 'without.ts': text, 'main.js': main });
    const { directory } = await recorded(folder, [node, 'main.js']);
    const kept = new Map(keptIn(directory));
    assert.deepEqual([kept.get('made.ts'), kept.get('without.ts')], [text, undefined]);
  });
}

test('what two processes ran is kept once', async (t) => {
  const child = `if (!process.argv[2]) require('child_process').execFileSync(process.execPath, [__filename, 'child']);
    ${busyFor(60)}`;
  const folder = program(t, { 'main.js': child });
  const { directory } = await recorded(folder, [process.execPath, 'main.js']);
  assert.deepEqual(
    [keptIn(directory).map(([name]) => name), filesOf(directory, keptTextSuffix).length],
    [['main.js', 'main.js'], 1],
  );
});

test('TypeScript from which Node took the types is kept as it stands in the file', async (t) => {
  const last = nodeVersion('24');
  const text = `function work(ms: number): void {
  ${busyFor('ms')}
}
work(60);
process.getBuiltinModule('fs').utimesSync(import.meta.filename, 0, 0);
`;
  const folder = program(t, { 'main.mts': text });
  const { directory } = await recorded(folder, [last.node, 'main.mts']);
  assert.deepEqual(keptIn(directory), [['main.mts', text]]);
});

test('what is edited between the run and the look is shown as it ran, and said', async (t) => {
  const text = server.replace(/setInterval.*\n/, '');
  const folder = program(t, { 'a.mjs': text });
  const out = path.join(folder, 'out');
  const { stderr } = await runCli(['record', '--out', out, '--', process.execPath, 'a.mjs'], { cwd: folder });
  assert.doesNotMatch(stderr, /changed/);

  writeFileSync(path.join(folder, 'a.mjs'), `${lines}${text}`);
  const moved = (await runCli(['analyze', out], { cwd: folder })).stdout;
  assert.match(moved, /work {2}a\.mjs:[23]$/m);
  assert.match(moved, /3 │.*for \(let limit = 250/);
  assert.match(moved, /^a\.mjs changed since it was recorded: lines are those of the text that ran\.$/m);

  writeFileSync(path.join(folder, 'a.mjs'), text.replace('limit = 250', 'limit = 500'));
  const { stdout } = await runCli(['analyze', out], { cwd: folder });
  assert.match(stdout, /work.*\(changed since it was recorded\)/);
  const report = await reportOf(out);
  const { url, changed } = report.functions.find(({ name }) => name === 'work') ?? assert.fail();
  assert.deepEqual(
    [url, changed, report.recording.changedFiles],
    [pathToFileURL(path.join(folder, 'a.mjs')).href, true, [path.join(folder, 'a.mjs')]],
  );
});
