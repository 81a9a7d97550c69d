import assert from 'node:assert/strict';
import { chmodSync, chownSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { runCli } from '../helpers/run-cli.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

const options = { skip: process.getuid?.() !== 0 };

test('what V8 compiled of the command is kept where nobody else may write, and else not', options, async () => {
  const home = temporaryProject({});
  const cache = path.join(home, '.cache', 'hotspan');
  const env = { ...process.env, HOME: home, XDG_CACHE_HOME: undefined, NODE_COMPILE_CACHE: undefined };
  const kept = async (spoil: () => void): Promise<boolean> => {
    rmSync(path.join(home, '.cache'), { recursive: true, force: true });
    mkdirSync(cache, { recursive: true, mode: 0o755 });
    spoil();
    assert.equal((await runCli(['--version'], { env })).code, 0);
    return readdirSync(cache, { recursive: true }).length > 1;
  };
  assert.equal(await kept(() => {}), true);
  assert.equal(await kept(() => chmodSync(cache, 0o777)), false);
  assert.equal(await kept(() => chownSync(cache, 12_345, 12_345)), false);
  assert.equal(await kept(() => chownSync(path.dirname(cache), 12_345, 12_345)), false);
});
