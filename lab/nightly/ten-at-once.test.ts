import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { runCli } from '../../test/helpers/run-cli.ts';
import { defaultRecordingsFolders } from '../../recordings/default-folder.ts';
import { temporaryProject } from '../../test/helpers/temporary-project.ts';

const ten = Array.from({ length: 10 }, (_, number) => number);

test('ten recordings of one project that are started at once are all kept, and each is whole', async () => {
  const cwd = temporaryProject({
    'package.json': '{ "name": "ten" }',
    'hold.js': `function hold() { while (process.cpuUsage().user < 150_000) Math.sqrt(2); }
hold();
`,
  });
  const runs = await Promise.all(ten.map(async () => runCli(['record', '--quiet', '--', 'node', 'hold.js'], { cwd })));
  for (const { code, stdout, stderr } of runs) assert.deepEqual([code, stdout, stderr], [0, '', '']);
  const { stdout } = await runCli(['recordings'], { cwd });
  assert.equal(stdout.match(/hold\.js/g)?.length, ten.length, stdout);
  const [home = ''] = defaultRecordingsFolders(cwd);
  for (const name of readdirSync(home)) {
    const { code, stdout: table } = await runCli(['analyze', path.join(home, name)], { cwd });
    assert.equal(code, 0);
    assert.match(table, /^≈?\d+ ms worst · 1 × >10 ms · 1 stack  hold  hold\.js:1$/m);
  }
});
