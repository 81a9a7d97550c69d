import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { readFileSync } from 'node:fs';
import { assertNone } from '../helpers/assert-each.ts';
import { projectFile } from '../helpers/project.ts';
import { runCli } from '../helpers/run-cli.ts';
import { parseReport, schemaErrors } from '../helpers/report-schema.ts';
import { recordShop } from '../helpers/shop-recording.ts';

const shop = await recordShop();
after(shop.remove);
const { stdout: printed } = await runCli(['analyze', '--json', shop.profile], { cwd: shop.folder });

describe('hotspan analyze --json', () => {
  test('prints what docs/report.schema.json says', () => {
    assert.equal(parseReport(printed).version, 3);
  });

  test('the schema lets nothing else through', () => {
    const strange = { ...parseReport(printed), extra: 1, warnings: [1], version: 1 };
    assert.deepEqual(schemaErrors(strange).toSorted(), [
      ' must NOT have additional properties',
      '/version must be equal to constant',
      '/warnings/0 must be string',
    ]);
  });

  test('the schema has every key of the types', () => {
    const types = ['report', 'report-findings']
      .map((file) => readFileSync(projectFile(`protocol/${file}.ts`), 'utf8'))
      .join('');
    const schema = readFileSync(projectFile('docs/report.schema.json'), 'utf8');
    const keys = [...types.matchAll(/readonly (\w+)\??:/g)].map(([, key = '']) => key);
    assert.ok(keys.length > 50);
    assertNone(keys, (key) => !schema.includes(`"${key}"`));
  });
});
