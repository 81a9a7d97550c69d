import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import {
  functionIn,
  queryOf,
  twoFunctionsText,
  typedName,
  withChangedFiles,
} from '../../cli/commands/named-function.ts';
import { canonicalPath } from '../../protocol/path-spelling.ts';
import { line1, milliseconds } from '../../protocol/units.ts';
import { sideOf } from '../helpers/drawn-sides.ts';
import { shellText } from '../../words/formats/command-text.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';

test('a line is named as from the folder in which it is typed, or as results of the repository name it', async () => {
  const code = 'exports.price = function price(x) {\n  return x;\n};\n';
  const project = temporaryProject({
    '.git/HEAD': '',
    'packages/a/src/price.js': code,
    'packages/a/node_modules/b/index.js': code,
    'src/price.js': code,
  });
  const folder = path.join(project, 'packages', 'a');
  const fileOf = async (typed: string, recorded = project) => {
    const query = await queryOf(typed, folder);
    if (query.type === 'failed') return query;
    const known = { files: [], roots: [canonicalPath(recorded)], keptText: async () => null };
    const found = await withChangedFiles(query, known, folder);
    return found.type === 'place' ? found.file : found;
  };
  assert.equal(await fileOf('src/price.js:2'), 'packages/a/src/price.js', 'the nearest counts');
  assert.equal(await fileOf('packages/a/src/price.js:2'), 'packages/a/src/price.js');
  assert.equal(await fileOf('../../src/price.js:2'), 'src/price.js');
  assert.equal(await fileOf('src/price.js:2', '/ci/app'), path.join(folder, 'src', 'price.js'), 'recorded elsewhere');
  assert.match(JSON.stringify(await fileOf('lib/price.js:2')), /lib\/price\.js cannot be read: name a file/);
});

test('an answer names the function at a typed line, known or new', () => {
  const text = 'function price(x) {\n  return list.map(() => x);\n}\n';
  const place = (line: number) => ({ type: 'place', file: '/app/src/price.js', line: line1(line), text }) as const;
  const [known] = sideOf({ heavy: { runs: [12] } });
  assert.equal(typedName(place(2), 'src/price.js:2', undefined), 'price, src/price.js:2');
  assert.equal(typedName(place(9), 'src/price.js:9', undefined), 'src/price.js:9');
  assert.equal(typedName({ type: 'name', name: 'heavy' }, 'heavy', known), 'heavy');
  assert.equal(typedName(place(2), 'src/price.js:2', known), 'heavy, src/price.js:2');
});

test('a name that no function has, and a line in no function, are refused', () => {
  const known = sideOf({ quote: { runs: [12] } });
  const saidOf = (query: Parameters<typeof functionIn>[1], typed: string): string =>
    JSON.stringify(functionIn(known, query, typed, milliseconds(10)));
  assert.match(saidOf({ type: 'name', name: 'qoute' }, 'qoute'), /is called qoute\. Did you mean quote\?/);
  const outside = { type: 'place', file: '/app/src/shop.js', line: line1(999), text: 'let a;\n' } as const;
  assert.match(saidOf(outside, 'shop.js:999'), /shop\.js:999 is in no function: name a line/);
});

test('where another function was at a line, a sentence says how to name it', () => {
  const [fn, other] = sideOf({ quote: { runs: [12] }, 'map() callback in heavy': { runs: [40] } });
  assert.equal(
    twoFunctionsText('src/price.js:2', fn, other ?? assert.fail()),
    `src/price.js:2 is in quote now, and was in map() callback in heavy when it was recorded: for that, hotspan recheck ${shellText(['map() callback in heavy'])}.`,
  );
});
