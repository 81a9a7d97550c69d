import assert from 'node:assert/strict';
import test from 'node:test';
import { busyFor } from '../../helpers/busy-for.ts';
import { projectFile } from '../../helpers/project.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { temporaryProject } from '../../helpers/temporary-project.ts';
import {
  bare,
  eventsOfType,
  profilesWith,
  program,
  recorded,
  recordedAlike,
  recording,
  turnsOf,
} from '../recorder/recorded.ts';

const node = process.execPath;

/** Does what mock-fs does: replaces the C++ functions below `fs`, so that functions that were captured fail, too. */
const mock = `
  const binding = process.binding('fs');
  const real = { ...binding };
  const names = Object.keys(real).filter((name) => /^(open|close|read|write|rename|unlink|stat|lstat|fstat|access|mkdir)/.test(name));
  const hide = () => {
    for (const name of names)
      binding[name] = () => { throw Object.assign(new Error('mocked'), { code: 'ENOENT' }); };
  };
  const show = () => Object.assign(binding, real);
`;
/**
 * Does what memfs over `fs` does: puts functions that know only files in memory in the place of all of `fs`, which its own
 * functions call, too. Here they take whatever is written.
 */
const memory = `
  const fs = require('fs');
  const files = new Map(), open = [];
  const hide = () => {
    for (const one of [fs, fs.promises])
      for (const name of Object.keys(one).filter((key) => typeof one[key] === 'function' && /^[a-z]/.test(key)))
        one[name] = () => { throw Object.assign(new Error('memory'), { code: 'ENOENT' }); };
    fs.openSync = (file) => open.push(file) + 1e6;
    fs.closeSync = () => {};
    fs.existsSync = (file) => files.has(file);
    fs.statSync = fs.lstatSync = fs.fstatSync = () => ({ size: 0, mode: 0o600, isDirectory: () => true, isFile: () => true });
    fs.writeSync = (file, text) => text.length;
    fs.writeFileSync = fs.appendFileSync = (file, text) => void files.set(file, text);
    fs.renameSync = fs.mkdirSync = fs.unlinkSync = fs.chmodSync = () => {};
    fs.readFileSync = () => '';
    fs.readdirSync = () => [];
  };
`;
const busy = `const { busyTarget } = require('./busy');`;

/** Programs whose end, or whose changes to Node, once cost the whole recording. */
const programs: Readonly<Record<string, string>> = {
  'mocks the file system, and never restores it': `${busy} ${mock} hide(); setTimeout(() => busyTarget(50), 20);`,
  'puts a file system in memory over fs, and never restores it': `${busy} ${memory}
    hide();
    let left = 3;
    const test = () => { busyTarget(50); if (--left > 0) setTimeout(test, 5); };
    setTimeout(test, 5);`,
  'ends with all file descriptors in use': `${busy} busyTarget(50);
    try { for (;;) require('fs').openSync(__filename); } catch (error) { console.log(error.code); }`,
  'gives all objects a toJSON': `${busy} Object.prototype.toJSON = Array.prototype.toJSON = () => 'other'; busyTarget(50);`,
};

for (const [name, text] of Object.entries(programs)) {
  test(`a program that ${name} is recorded to its end, and notices nothing`, async (t) => {
    const folder = program(t, { 'program.js': text });
    const command = ['sh', '-c', `ulimit -n 64; exec "${node}" program.js`];
    const directory = await recordedAlike(folder, command);
    // On a busy machine it takes so long that the recording has a second part.
    assert.ok(profilesWith(directory, 'busyTarget') >= 1);
    assert.equal(eventsOfType(directory, 'end').length, 1);
    assert.ok((turnsOf(directory, 1)[0] ?? 0) >= 20);
  });
}

test('what cannot be written behind a mock that is not seen through waits until it is gone', async (t) => {
  const folder = program(t, {
    'program.js': `${busy} ${mock} hide(); busyTarget(50);
      // The recorder writes what it has at a signal that the program handles.
      const timer = setInterval(() => {}, 1000);
      process.on('SIGHUP', () => { show(); clearInterval(timer); });
      process.kill(process.pid, 'SIGHUP');`,
  });
  const { directory } = await recorded(folder, [node, '--pending-deprecation', '--no-warnings', 'program.js']);
  // The signal begins a second part, which V8 gives the samples that it is late with.
  assert.ok(profilesWith(directory, 'busyTarget') >= 1);
  assert.equal(eventsOfType(directory, 'end').length, 1);
});

test('a program whose handler of uncaught errors throws leaves what came before, and its error is as it was', async (t) => {
  const folder = program(t, {
    'program.js': `${busy}
      process.on('uncaughtException', () => { throw new Error('again'); });
      setImmediate(() => { busyTarget(400); throw new Error('first'); });`,
  });
  const without = await bare(folder, [node, 'program.js']);
  const { ended, directory } = recording(folder, [node, 'program.js']);
  const { exitCode, stderr } = await ended;
  assert.deepEqual([exitCode, stderr], [7, without.stderr]);
  assert.equal(profilesWith(directory, 'busyTarget'), 1);
});

test('a command that cleans its project, node_modules included, keeps its recording, and older ones', async () => {
  const cwd = temporaryProject({ 'package.json': '{}', 'node_modules/.cache/x': '', 'busy.js': busyProgram });
  const env = { ...process.env, HOTSPAN_RECORDINGS: temporaryProject({}) };
  const clean = ['sh', '-c', `"${node}" busy.js && rm -rf node_modules .hotspan && "${node}" busy.js`];
  for (let run = 0; run < 2; run += 1) {
    const { code, stderr } = await runCli(['record', '--', ...clean], { cwd, env });
    assert.equal(code, 0, stderr);
    assert.match(stderr, /2 × >10 ms .* work/);
  }
  const { stdout } = await runCli(['recordings'], { cwd, env });
  assert.equal(stdout.match(/busy\.js/g)?.length, 4, stdout);
  assert.match((await runCli(['analyze'], { cwd, env })).stdout, /2 × >10 ms .* work/);
});

test('where the folder of a recording is deleted nothing else is said, and the command ends as it does', async () => {
  const cwd = temporaryProject({});
  const { code, stderr } = await runCli(['record', '--out', 'out', '--', 'sh', '-c', 'rm -rf out; exit 5'], { cwd });
  assert.equal(code, 5);
  assert.match(stderr, /^hotspan: The recording is lost: .*out was deleted while the command ran, .*--out .*\.\n$/);
});

const busyProgram = `(function work() { ${busyFor(60)} })();`;

test('a record inside a record: the outer one names the recording of the inner one, and shows nothing of Hotspan', async () => {
  const cwd = temporaryProject({ 'busy.js': busyProgram });
  const inner = [node, projectFile('dist/cli.cjs'), 'record', '--out', 'in', '--', node, 'busy.js'];
  const { code, stderr } = await runCli(['record', '--out', 'out', '--', ...inner], { cwd });
  assert.equal(code, 0);
  assert.match(stderr, /out holds no CPU profile\. The command records itself, into .*in: analyze that/);
  assert.match((await runCli(['analyze', '--all', 'in'], { cwd })).stdout, /× >10 ms .* work/);
});
