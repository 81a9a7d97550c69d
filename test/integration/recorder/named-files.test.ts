import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { gunzipSync } from 'node:zlib';
import { busyFor } from '../../helpers/busy-for.ts';
import { keptTextSuffix } from '../../../protocol/recording.ts';
import { assertEach } from '../../helpers/assert-each.ts';
import { testedVersions } from '../../helpers/node-versions.ts';
import { filesOf, mapsOf, program, recorded, recording } from './recorded.ts';

const isWindows = process.platform === 'win32';

/** Everything that a recording holds, unpacked. */
function wholeOf(directory: string): string {
  return filesOf(directory, '')
    .map((name) => {
      const bytes = readFileSync(path.join(directory, name));
      return (name.endsWith(keptTextSuffix) ? gunzipSync(bytes) : bytes).toString();
    })
    .join('\n');
}

const section = { version: 3, sources: ['a.ts'], names: [], mappings: 'AAAA' };
const map = JSON.stringify(section);
const indexed = JSON.stringify({ version: 3, sections: [{ offset: { line: 0, column: 0 }, map: section }] });
const busy = busyFor(60);
/** In two pieces, so that it is not a comment of the program's own. */
const comment = (name: string, value: string): string => `'\\n//# ' + '${name}=' + ${JSON.stringify(value)}`;

for (const { node, version } of testedVersions()) {
  test(`a program that is read from a pipe ends (Node ${version})`, { skip: isWindows }, async (t) => {
    const folder = program(t, { 'text.js': `${busy} console.log('done');` });
    const pipe = path.join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const feeder = spawn('sh', ['-c', 'cat text.js > pipe'], { cwd: folder });
    t.after(() => feeder.kill());
    const { ended, recorder } = recording(folder, [node, 'pipe']);
    t.after(() => recorder.kill());
    const { exitCode, stdout } = await ended;
    assert.deepEqual([exitCode, stdout], [0, 'done\n']);
  });

  for (const [what, code] of Object.entries({
    'gives its script the name of one': `require('vm').runInThisContext(${JSON.stringify(busy)}, { filename: pipe });`,
    'evaluates what says that its map is one': `(0, eval)(${JSON.stringify(busy)} + ${comment('sourceURL', 'file:///x/a.js')} + ${comment('sourceMappingURL', 'PIPE')});`,
    'compiles what says that its map is one': `require('vm').runInThisContext(${JSON.stringify(busy)} + ${comment('sourceMappingURL', 'PIPE')}, { filename: pipe + '.js' });`,
    'takes all memory by naming a device': `require('vm').runInThisContext(${JSON.stringify(busy)} + ${comment('sourceMappingURL', 'file:///dev/zero')}, { filename: pipe + '.js' });`,
  })) {
    test(
      `no program waits for a pipe or a device because it ${what} (Node ${version})`,
      { skip: isWindows },
      async (t) => {
        const folder = program(t, {});
        const pipe = path.join(folder, 'pipe');
        const text = `const pipe = require('url').pathToFileURL(${JSON.stringify(pipe)}).href; ${code} console.log(process.resourceUsage().maxRSS < 400_000 ? 'done' : 'large');`;
        writeFileSync(path.join(folder, 'program.js'), text.replaceAll('PIPE', `file://${pipe}`));
        execFileSync('mkfifo', [pipe]);
        const limited = ['bash', '-c', `ulimit -v 4000000; exec "${node}" program.js`];
        const { exitCode, stdout } = await recording(folder, limited).ended;
        assert.deepEqual([exitCode, stdout], [0, 'done\n']);
      },
    );
  }

  test(`of the files that comments name only source maps get into a recording (Node ${version})`, async (t) => {
    const names = [
      ...['secret.txt', 'package.json', 'list.json', 'settings.json'],
      ...['plain.map', 'indexed.map', 'guarded.map', 'large.map'],
    ];
    const folder = program(t, {
      'secret.txt': 'hunter2 is not a map',
      'package.json': '{ "version": "3.1.0", "mappings": "hunter2" }',
      'list.json': '["hunter2"]',
      'settings.json': '{ "version": 3, "mappings": { "password": "hunter2" } }',
      'plain.map': map,
      'indexed.map': indexed,
      'guarded.map': `)]}'\n${map}`,
      'large.map': map,
      'program.js': `
        const vm = require('vm');
        for (const name of ${JSON.stringify(names)}) {
          vm.runInThisContext('1' + ${comment('sourceMappingURL', '')} + name, { filename: __dirname + '/' + name + '.js' });
        }`,
    });
    truncateSync(path.join(folder, 'large.map'), 70e6);
    const { directory } = await recorded(folder, [node, 'program.js']);
    assertEach(mapsOf(directory), (line) => 'map' in line && line.map, [map, indexed, `)]}'\n${map}`]);
    assert.doesNotMatch(wholeOf(directory), /hunter2/);
  });

  test(`a comment that gives an evaluated text the name of a file does not bring its text into a recording (Node ${version})`, async (t) => {
    const folder = program(t, {
      'secret.txt': `const password = 'hunter2';`,
      'other.js': `exports.password = 'hunter2';\n`,
      '.env': 'PASSWORD=hunter2',
      'ran.mjs': `export function ranHere() { ${busy} }\n`,
      'main.js': `
        const evaluate = (name) => {
          const url = require('url').pathToFileURL(require('path').join(__dirname, name)).href;
          (0, eval)(${JSON.stringify(busy)} + ${comment('sourceURL', '')} + url);
          (0, eval)('() => {' + ${JSON.stringify(busy)} + '}' + ${comment('sourceURL', '')} + url)();
        };
        for (const name of ['secret.txt', 'other.js', '.env']) evaluate(name);
        import('./ran.mjs').then(({ ranHere }) => ranHere());`,
    });
    const { directory } = await recorded(folder, [node, 'main.js']);
    const whole = wholeOf(directory);
    assert.doesNotMatch(whole, /hunter2/);
    assert.match(whole, /const evaluate = /);
    assert.match(whole, /export function ranHere/);
  });
}
