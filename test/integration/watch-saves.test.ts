import assert from 'node:assert/strict';
import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { blockingShop, shopFiles } from '../helpers/blocking-shop.ts';
import { projectFile } from '../helpers/project.ts';
import { Repository, write } from '../helpers/temporary-repository.ts';
import { waitUntil } from '../helpers/wait-until.ts';

test('recheck --watch re-checks what a save changed; a newer save stops it, and so does its own end', async () => {
  const repository = new Repository(shopFiles);
  const { folder, temporary } = repository;
  const env = { ...repository.env, NODE_TEST_CONTEXT: undefined };
  await repository.run(['record', '--quiet', '--', process.execPath, '--test', 'shop.test.js']);
  const save = (ms: number): void => write(folder, { 'shop.js': `// ${ms} ms.\n${blockingShop(ms)}` });
  const bases = (): number => readdirSync(temporary).filter((name) => name.startsWith('hotspan-base-')).length;

  const first = watching(['quote'], { cwd: folder, env });
  await waitUntil(() => first.text().includes('Watching quote in 1 file'));
  save(70); // A comment.
  save(15);
  await waitUntil(() => first.text().includes('quote, shop.js:3: '));
  save(20);
  await waitUntil(() => bases() > 0);
  save(70);
  await waitUntil(() => first.text().includes('quote: the recorded code again, nothing to judge.'));
  assert.equal(bases(), 0);
  assert.equal(first.text().match(/quote, shop/g)?.length, 1, first.text());
  save(25);
  await waitUntil(() => bases() > 0);
  first.child.kill('SIGINT');
  assert.deepEqual(await first.ended, [0, null]);
  repository.assertClean(' M shop.js\n');

  const second = watching([], { cwd: folder, env });
  await waitUntil(() => bases() > 0); // What is changed already is re-checked at once.
  // How many of the two functions are findings depends on the machine.
  assert.match(second.text(), /Watching (2 findings|\w+) in 1 file/);
  second.child.kill('SIGKILL');
  await waitUntil(() => bases() === 0);
  repository.assertClean(' M shop.js\n');

  const third = watching(['quote', '--at-most', '1ms'], { cwd: folder, env });
  await waitUntil(() => third.text().includes('more than 1 ms'));
  write(folder, { 'shop.test.js': `${shopFiles['shop.test.js']}1;` }); // What ran may be a build.
  await waitUntil(() => third.text().split('more than 1 ms').length === 3);
  third.child.kill('SIGKILL');
});

interface Watching {
  readonly child: ChildProcess;
  /** All that it has written so far. */
  readonly text: () => string;
  readonly ended: Promise<unknown[]>;
}

function watching(words: readonly string[], options: Pick<SpawnOptions, 'cwd' | 'env'>): Watching {
  const child = spawn(process.execPath, [projectFile('dist/cli.cjs'), 'recheck', '--watch', ...words], {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const pieces: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (piece: string) => pieces.push(piece));
  return { child, text: () => pieces.join(''), ended: once(child, 'close') };
}
