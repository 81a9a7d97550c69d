import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { changeVerdicts, requestVerdicts } from '../../protocol/comparison.ts';
import { assertEach, assertNone } from '../helpers/assert-each.ts';
import { projectFile } from '../helpers/project.ts';
import { comparisonErrors, parseComparison } from '../helpers/report-schema.ts';
import { runCli } from '../helpers/run-cli.ts';
import { recordShop, shopProfile } from '../helpers/shop-recording.ts';

const shop = await recordShop();
after(shop.remove);
const profiles = async (name: string, ms: number): Promise<readonly string[]> => {
  const files = [1, 2, 3].map((run) => path.join(shop.folder, `${name}-${run}.cpuprofile`));
  for (const [run, file] of files.entries()) await writeFile(file, shopProfile(shop, ms + run));
  return files;
};
const sides = [...(await profiles('base', 312)), '--head', ...(await profiles('head', 40))];
const { stdout: printed } = await runCli(['compare', '--json', ...sides], { cwd: shop.folder });

describe('hotspan compare --json', () => {
  test('prints what docs/comparison.schema.json says', () => {
    const { version, order, functions } = parseComparison(printed);
    assert.deepEqual([version, order], [1, 'blocks']);
    assertEach(functions, ({ is, verdict }) => [is?.label, verdict], [['quote', 'faster']]);
  });

  test('the schema lets nothing else through', () => {
    const strange = { ...parseComparison(printed), extra: 1, warnings: [1], version: 2, order: 'turns' };
    assert.deepEqual(comparisonErrors(strange).toSorted(), [
      ' must NOT have additional properties',
      '/order must be equal to one of the allowed values',
      '/version must be equal to constant',
      '/warnings/0 must be string',
    ]);
  });

  test('the schema has every key and every verdict of the types, and no other key', () => {
    const types = readFileSync(projectFile('protocol/comparison.ts'), 'utf8');
    const schema = readFileSync(projectFile('docs/comparison.schema.json'), 'utf8');
    const keys = [...types.matchAll(/readonly (\w+)\??:/g)].map(([, key = '']) => key);
    assert.ok(keys.length > 30);
    assertNone(
      [...keys, ...changeVerdicts, 'tooNoisy', 'noChangeSeen', ...requestVerdicts],
      (word) => !schema.includes(`"${word}"`),
    );
    const inSchema = [...schema.matchAll(/^ {4,}"(\w+)": \{/gm)].map(([, key = '']) => key);
    const others = ['properties', 'items', 'us', 'side', 'place', 'function', 'request', 'times', 'counts'];
    const ofSchema = new Set([...keys, ...others]);
    assertNone(inSchema, (key) => !ofSchema.has(key));
  });
});
