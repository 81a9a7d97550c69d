import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import test from 'node:test';
import { assertEach } from '../../helpers/assert-each.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { testedVersions } from '../../helpers/node-versions.ts';
import { eventsOfType, program, recorded, recordedAlike, recording, tiersWith, v8LogsOf } from './recorded.ts';

for (const { node, version } of testedVersions()) {
  const tiers = tiersWith(node);
  const busy = `require('./busy').busyTarget(5);`;

  test(`what V8 wrote until a SIGKILL is there (Node ${version})`, async (t) => {
    const folder = program(t, {
      'program.js': `require('./busy').busyTarget(300); process._rawDebug('now'); process.kill(process.pid, 'SIGKILL');`,
    });
    const killer = `const child = require('child_process').fork('./program.js', { silent: true }); child.stderr.once('data', () => child.kill('SIGKILL')); child.on('exit', (_, signal) => console.log(signal));`;
    const { ended, directory } = recording(folder, [node, '-e', killer], tiers);
    assert.equal((await ended).stdout, 'SIGKILL\n');
    const killed = v8LogsOf(directory).find(({ text }) => text.includes(',busyTarget '));
    assert.ok((killed?.ticks ?? 0) > 30, `${killed?.ticks} ticks`);
  });

  test(`a program with a log or profile of its own keeps it, and is named (Node ${version})`, async (t) => {
    for (const flags of [
      ['--prof', '--no-logfile-per-isolate', '--logfile=own.log'],
      ['--cpu-prof', '--cpu-prof-name=own.log'],
    ]) {
      const folder = program(t, { 'program.js': busy });
      const { directory } = await recorded(folder, ['sh', '-c', `node ${flags.join(' ')} program.js`], tiers);
      assert.ok(readdirSync(folder).includes('own.log'));
      assert.deepEqual(v8LogsOf(directory), []);
      const [told] = eventsOfType(directory, 'unprofiled');
      assert.match(told?.reason ?? '', new RegExp(`^it was started with ${flags[0]}, `));
    }
  });

  test(`under Node's permissions a program runs as it is (Node ${version})`, async (t) => {
    const folder = program(t, {
      'program.js': `console.log(process.permission !== undefined, process.execArgv.length)`,
    });
    const flag = version.startsWith('20') ? '--experimental-permission' : '--permission';
    const command = ['node', '--no-warnings', flag, '--allow-fs-read=*', 'program.js'];
    const { directory, stdout, stderr } = await recorded(folder, command, tiers);
    assert.deepEqual([stdout, stderr], ['true 3\n', '']);
    assert.deepEqual(v8LogsOf(directory), []);
  });

  test(`a folder that goes away never sends V8's log to stdout, and ends no program (Node ${version})`, async (t) => {
    const text = `
      const { Worker, isMainThread } = require('worker_threads');
      if (isMainThread) require('fs').rmSync('out', { recursive: true });
      function plusOne(o) { return o.x + 1; }
      for (let i = 0; i < 3e5; i++) plusOne(i < 2e5 ? { x: i } : { y: i, x: 1 });
      require('child_process').execFileSync(process.execPath, ['-e', '0'], { stdio: 'inherit' });
      require('child_process').execSync('node -e 0', { stdio: 'inherit' });
      if (isMainThread) new Worker(__filename); else console.log('done');`;
    const folder = program(t, { 'program.js': text });
    const { exitCode, stdout, stderr } = await recording(folder, [node, 'program.js'], tiers).ended;
    assert.deepEqual([exitCode, stdout, stderr], [0, 'done\n', '']);
  });

  test(`a program that sets V8's flags itself does so, and is named (Node ${version})`, async (t) => {
    const folder = program(t, { 'program.js': `require('v8').setFlagsFromString('--no-opt'); ${busy}` });
    const { directory } = await recorded(folder, [node, 'program.js'], tiers);
    assertEach(eventsOfType(directory, 'flag'), ({ flag }) => flag, ['--no-opt']);
    assert.equal(v8LogsOf(directory).length, 1);
  });

  test(`a full recording holds V8's log, and the program goes on (Node ${version})`, async (t) => {
    // A signal that the program handles makes the recorder look at the size, which it else does every 10 s.
    const text = `
      const { readdirSync, statSync } = require('fs');
      const size = () => readdirSync('out').filter((file) => file.endsWith('.v8.log')).map((file) => statSync('out/' + file).size)[0];
      const alive = setInterval(() => {}, 1000);
      process.on('SIGHUP', () => setTimeout(() => {
        const before = size();
        require('./busy').busyTarget(60);
        console.log(size() - before);
        clearInterval(alive);
      }, 50));
      require('child_process').execSync('kill -HUP ' + process.pid);`;
    const folder = program(t, { 'program.js': text });
    const command = ['record', '--tiers', '--quiet', '--out', 'out', '--max-size', '0.001', '--', node, 'program.js'];
    const { code, stdout } = await runCli(command, { cwd: folder });
    assert.deepEqual([code, stdout], [0, '0\n']);
  });

  test(`a program ends and says the same, and leaves its log (Node ${version})`, async (t) => {
    const kill = (name: string): string =>
      `setInterval(() => {}, 1000); require('child_process').spawn('kill', ['-s', '${name}', String(process.pid)]);`;
    const endings = [
      `process.on('exit', (code) => console.log('exit', code)); setTimeout(() => process.exit(5), 1);`,
      `setTimeout(() => { throw new Error('boom'); }, 1);`,
      `process.kill(process.pid, 'SIGTERM');`,
      kill('TERM'),
      `process.on('SIGINT', () => process.exit(42)); ${kill('INT')}`,
      kill('KILL'),
      `new (require('worker_threads').Worker)(\`process.exit(3)\`, { eval: true }).on('exit', console.log);`,
    ];
    for (const text of endings) {
      const folder = program(t, { 'program.js': `${busy} ${text}` });
      const directory = await recordedAlike(folder, [node, 'program.js'], tiers);
      const hasLog = v8LogsOf(directory).some((log) => log.text.includes(',busyTarget '));
      assert.ok(hasLog, text);
    }
  });
}
