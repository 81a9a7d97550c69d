import assert from 'node:assert/strict';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import path from 'node:path';
import { column0, line0 } from '../../../protocol/units.ts';
import { openSourceMaps } from '../../../engine/read/texts/open-mappers.ts';
import { diskWorld } from '../../../recordings/disk-world.ts';
import { assertEach } from '../../helpers/assert-each.ts';
import { testedVersions } from '../../helpers/node-versions.ts';
import { filesOf, mapsOf, profilesWith, program, recorded, recording } from './recorded.ts';

const inline = (text: string): string =>
  `//# sourceMappingURL=data:application/json;base64,${Buffer.from(text).toString('base64')}`;

for (const { node, version } of testedVersions()) {
  test(`source maps are kept of what vm compiles, and of TypeScript without one the text, once, though it is collected (Node ${version})`, async (t) => {
    const text = `
      const vm = require('vm');
      const file = (name) => require('path').join(__dirname, name);
      const map = (name) => ${JSON.stringify(inline('MAP')).replace('Mapping', 'M" + "apping')}.replace('TUFQ', Buffer.from(name).toString('base64'));
      for (let i = 0; i < 3; i++) new vm.Script('1\\n' + map('aaa'), { filename: file('script.ts') }).runInNewContext();
      vm.runInThisContext('1\\n' + map('bbb'), { filename: file('this.ts') });
      vm.runInNewContext('1\\n' + map('ccc'), {}, file('context.ts'));
      vm.compileFunction('1\\n' + map('ddd'), [], { filename: file('function.ts') });
      vm.runInThisContext('1', file('none.ts'));
      vm.runInThisContext('1', file('none.js'));
    `;
    const folder = program(t, { 'program.js': text });
    const { directory } = await recorded(folder, [node, 'program.js']);
    const url = (name: string): string => pathToFileURL(path.join(folder, name)).href;
    assert.deepEqual(mapsOf(directory), [
      { url: url('script.ts'), map: 'aaa' },
      { url: url('this.ts'), map: 'bbb' },
      { url: url('context.ts'), map: 'ccc' },
      { url: url('function.ts'), map: 'ddd' },
      { url: url('none.ts'), text: '1' },
    ]);
  });

  test(`a module of the command line has no file that can have been deleted (Node ${version})`, async (t) => {
    const text = `import { busyTarget } from './busy.js'; busyTarget(400);`;
    const { directory } = await recorded(program(t, {}), [node, '--input-type=module', '-e', text]);
    assert.equal(profilesWith(directory, 'busyTarget'), 1);
    assert.deepEqual(mapsOf(directory), []);
  });

  const common = '{"version":3,"sources":["common.ts"],"names":[],"mappings":"AAAA"}';
  const onDisk = [`common.js: ${common}`, 'module.mjs: module'];
  const cases: Readonly<Record<string, { readonly more: string; readonly kept: readonly string[] }>> = {
    'of files as they ran are kept where they were sampled': { more: '', kept: onDisk },
    'of what was evaluated are found at the end, with those of all scripts': {
      more: `const evaluated = 'globalThis.f = (work) => work(400)\\n//# sourceURL=made-up.js\\n' + ${JSON.stringify(inline('eval'))};
        (0, eval)(evaluated); f(busyTarget);`,
      kept: [...onDisk, 'idle.js: idle', 'made-up.js: eval'],
    },
    'of a file that was changed since it ran are found at the end': {
      more: `require('fs').writeFileSync(__filename, 'nothing');`,
      kept: [...onDisk, 'idle.js: idle'],
    },
  };
  for (const [name, { more, kept }] of Object.entries(cases)) {
    test(`source maps ${name} (Node ${version})`, async (t) => {
      const folder = program(t, {
        'common.js': `exports.a = (work) => work(400);\n//# sourceMappingURL=common.js.map`,
        'common.js.map': common,
        'idle.js': inline('idle'),
        'module.mjs': `export const b = async (work) => work(400);\n${inline('module')}`,
        'program.js': `
          require('./idle');
          const { busyTarget } = require('./busy');
          require('./common').a(busyTarget);
          import('./module.mjs').then(async ({ b }) => { await b(busyTarget); ${more} console.log('done'); });`,
      });
      const { ended, directory } = recording(folder, [node, 'program.js']);
      assert.equal((await ended).stdout, 'done\n');
      const found = mapsOf(directory).map(
        (line) => `${line.url.split('/').at(-1) ?? ''}: ${'map' in line ? line.map : ''}`,
      );
      assert.deepEqual(found.toSorted(), [...kept].toSorted());
    });
  }
}

test('a long source map is written once, whichever process compiles the text, and has its lines in each', async (t) => {
  const map = { version: 3, sources: ['script.ts'], names: [], mappings: 'AAAA', sourcesContent: [' '.repeat(5000)] };
  const folder = program(t, {
    'program.js': `
      const { spawnSync } = require('child_process');
      require('vm').runInThisContext('1\\n' + ${JSON.stringify(inline(JSON.stringify(map)))}, __dirname + '/script.ts');
      if (process.argv[2] !== '0') spawnSync(process.execPath, [__filename, Number(process.argv[2] ?? 3) - 1]);`,
  });
  const { directory } = await recorded(folder, [process.execPath, 'program.js']);
  const url = pathToFileURL(path.join(folder, 'script.ts')).href;
  const lines = mapsOf(directory);
  assertEach(lines, (line) => line.url, [url, url, url, url]);
  assert.equal(lines.filter((line) => 'map' in line).length, 1);
  const files = filesOf(directory, '.maps.jsonl').map((file) => path.join(directory, file));
  for (const first of files) {
    const mapper = await openSourceMaps([first, ...files.filter((file) => file !== first)], diskWorld, { roots: [] });
    const [origin] = await mapper.functions(url, [{ line: line0(0), column: column0(0), name: '' }]);
    assert.equal(origin?.type, 'original', first);
  }
});

test('a stack trace shows nothing of the recorder', async (t) => {
  const text = `
    const vm = require('vm');
    const show = (run) => { try { run(); } catch (error) { console.log(error.stack); } };
    const boom = 'throw new Error("boom")';
    show(() => vm.runInThisContext(boom)); show(() => vm.runInNewContext(boom)); show(() => new vm.Script(boom).runInThisContext());
    show(() => require('child_process').execSync('exit 3'));
    process.on('custom', () => show(() => { throw new Error('in a listener'); })); process.emit('custom');
  `;
  const folder = program(t, { 'program.js': text });
  const { ended } = recording(folder, [process.execPath, 'program.js']);
  const { stdout } = await ended;
  assert.match(stdout, /boom/);
  assert.doesNotMatch(stdout, /recorder/);
});
