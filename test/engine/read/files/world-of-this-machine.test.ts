import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type World, worldOfThisMachine } from '../../../../engine/read/files/world.ts';

const elsewhere = ['//h/s/a', '\\\\h\\s\\a', '/a'.repeat(600), `/${'a'.repeat(40_000)}`, '/a\0b', '/net/h/s/a'];

/** Says which questions reached the files, with what. */
function watched(): { readonly world: Required<World>; readonly asked: readonly (readonly [string, ...unknown[]])[] } {
  const asked: (readonly [string, ...unknown[]])[] = [];
  const note =
    (question: keyof World) =>
    async (...args: readonly unknown[]): Promise<undefined> =>
      void asked.push([question, ...args]);
  return {
    asked,
    world: {
      readFile: note('readFile'),
      readChunks: note('readChunks'),
      listFiles: note('listFiles'),
      listFolders: async (folder) => {
        await note('listFolders')(folder);
        return [];
      },
      sizeOf: note('sizeOf'),
      changedAt: note('changedAt'),
      writtenAt: note('writtenAt'),
      bornAt: note('bornAt'),
      realPath: note('realPath'),
      keptIndexes: null,
    },
  };
}

async function askAll(world: World, path: string): Promise<void> {
  await world.readFile(path, 7);
  await world.readChunks?.(path);
  await world.listFiles(path);
  await world.listFolders?.(path);
  await world.sizeOf?.(path);
  await world.changedAt?.(path);
  await world.writtenAt?.(path);
  await world.bornAt?.(path);
  await world.realPath?.(path);
}

for (const path of elsewhere) {
  test(`${JSON.stringify(path.slice(0, 20))} reaches no file`, async () => {
    const { world, asked } = watched();
    await askAll(worldOfThisMachine(world, ['/app']), path);
    assert.deepEqual(asked, []);
  });
}

test('what is here is asked for, by each question', async () => {
  const { world, asked } = watched();
  await askAll(worldOfThisMachine(world, ['/app']), '/b');
  const questions = 'readChunks listFiles listFolders sizeOf changedAt writtenAt bornAt realPath'.split(' ');
  assert.deepEqual(asked, [['readFile', '/b', 7], ...questions.map((question) => [question, '/b'])]);
});
