import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { reportOf } from '../../../../show/report/report.ts';
import { findElsewhere, textLike } from '../../../../engine/read/texts/find-elsewhere.ts';
import { line0 } from '../../../../protocol/units.ts';
import { summaryOf } from '../../../../words/summary.ts';
import { analyzedProcesses, functionsIn, linesIn, type RecordedProcess } from './recorded-texts.ts';
import { assertNone } from '../../../helpers/assert-each.ts';

const text = `function work() {
  const end = 120;
  spin(end);
  return end;
}
work();
`;
const ran: RecordedProcess = { name: 'work', start: 1, column: 13, hot: 3, text };
const api = '/ws/packages/api/src/a.js';
const rules = [{ from: '/app', to: '/ws/packages/api' }];

describe('a recording of a container, with a rule', () => {
  test('figures and lines are those of the file here, which is own code', async () => {
    const { analysis } = await analyzedProcesses([ran], { [api]: text }, { roots: ['/ws'], pathRules: rules });
    const report = reportOf(analysis, 'long');
    assert.deepEqual(functionsIn(report), [`work ${api}:1 1 ×`]);
    assert.deepEqual(linesIn(report), [`${api}:3`]);
    const { isForeign, worst } = summaryOf(analysis, '/rec');
    assert.deepEqual([isForeign, worst?.place], [false, 'packages/api/src/a.js:3']);
  });

  test('the text that ran is the one that the recording has kept', async () => {
    const edited = text.replace('120', '240');
    const { analysis, textOf, kept } = await analyzedProcesses(
      [ran],
      { [api]: edited },
      { roots: ['/ws'], pathRules: rules },
    );
    assert.deepEqual(functionsIn(reportOf(analysis, 'long')), [`work ${api}:1 1 × changed`]);
    assert.deepEqual([await textOf(api), await kept(api)], [text, text]);
  });

  test('so are the sources that a map of the recording names', async () => {
    const map = JSON.stringify({ version: 3, sources: ['/app/src/a.ts'], names: [], mappings: 'AAAA;AACA;AACA;AACA' });
    const { text: _, ...compiled } = ran;
    const script = { ...compiled, url: 'file:///app/dist/a.js', map };
    const here = '/ws/packages/api/src/a.ts';
    const { analysis } = await analyzedProcesses([script], { [here]: text }, { roots: ['/ws'], pathRules: rules });
    assert.deepEqual(linesIn(reportOf(analysis, 'long')), [`${here}:3`]);
  });

  test('and those of a map that lies beside the script here', async () => {
    const map = JSON.stringify({ version: 3, sources: ['../src/a.ts'], names: [], mappings: 'AAAA;AACA;AACA;AACA' });
    const { text: _, ...compiled } = ran;
    const files = {
      '/ws/packages/api/dist/a.js': `${text}//# sourceMappingURL=a.js.map\n`,
      '/ws/packages/api/dist/a.js.map': map,
      '/ws/packages/api/src/a.ts': text,
    };
    const script = { ...compiled, url: 'file:///app/dist/a.js' };
    const { analysis } = await analyzedProcesses([script], files, { roots: ['/ws'], pathRules: rules });
    assert.deepEqual(linesIn(reportOf(analysis, 'long')), ['/ws/packages/api/src/a.ts:3']);
  });

  test('an edited file has the functions of both of its texts', async () => {
    const moved = `// one\n// two\n${text}`;
    const later = { ...ran, start: 3, hot: 5, text: moved };
    const { analysis } = await analyzedProcesses([ran, later], { [api]: moved }, { roots: ['/ws'], pathRules: rules });
    assert.deepEqual(functionsIn(reportOf(analysis, 'long')), [`work ${api}:3 2 ×`]);
  });
});

describe('a recording of a container, without a rule', () => {
  const files = { [api]: text, '/ws/packages/web/src/a.js': "export const page = '';\n" };

  test('the rule that would help is found by the text that it has kept', async () => {
    const analyzed = await analyzedProcesses([ran], files, { roots: ['/ws'] });
    assert.equal(summaryOf(analyzed.analysis, '/rec').isForeign, true);
    assert.deepEqual(await elsewhere(analyzed), { files: 1, found: 1, rules, others: [] });
  });

  test('without a kept text by the functions at their lines', async () => {
    const { text: _, ...bare } = ran;
    const found = await elsewhere(await analyzedProcesses([bare], files, { roots: ['/ws'] }));
    assert.deepEqual(found?.rules, rules);
  });

  test('nothing is found where nothing is missing, or no text fits', async () => {
    const here = await analyzedProcesses([{ ...ran, url: `file://${api}` }], files, { roots: ['/ws'] });
    const other = await analyzedProcesses([ran], { [api]: 'const a = 1;\n' }, { roots: ['/ws'] });
    for (const analyzed of [here, other]) assert.equal(await elsewhere(analyzed), null);
  });

  test('nothing is asked of what ran on this machine: its files that are gone were its own', async () => {
    const onThisMachine = { ...files, '/app/package.json': '{}' };
    assert.equal(await elsewhere(await analyzedProcesses([ran], onThisMachine, { roots: ['/ws'] })), null);
    const ofBase = await analyzedProcesses([ran], files, { roots: ['/ws'] });
    assert.equal(await elsewhere(ofBase, '/tmp/hotspan-base-Ab12cd/app'), null);
  });

  test('of a hostile recording no file outside of the open folders is read', async () => {
    const asked: string[] = [];
    const hostile = { ...ran, url: 'file:///app/../../etc/a.js' };
    const analyzed = await analyzedProcesses([hostile], files, { roots: ['/ws'] });
    const readFile = async (path: string, most?: number) => {
      asked.push(path);
      return analyzed.world.readFile(path, most);
    };
    await elsewhere({ ...analyzed, world: { ...analyzed.world, readFile } });
    assertNone(asked, (path) => !path.startsWith('/ws/'));
  });
});

test('a text is like another where half of its lines stand there, or half of the functions at their lines', () => {
  const fn = (name: string, line: number) => ({ name, line: line0(line), moduleBody: false });
  assert.equal(textLike('a\r\nb\r\nc', 'a\nb\nd', []), 'like');
  assert.equal(textLike('a\nx\ny', 'a\nb\nd', []), 'unlike');
  assert.equal(textLike('function work() {}', null, [fn('work', 0), fn('Cart.gone', 9)]), 'like');
  assert.equal(textLike('function work() {}', null, [fn('play', 0)]), 'unlike');
  assert.equal(textLike('call(() => {})', null, [fn('', 0)]), 'unknown');
});

function elsewhere({ analysis, textOf, world }: Awaited<ReturnType<typeof analyzedProcesses>>, cwd = '/app') {
  return findElsewhere({ cwd, functions: analysis.functions.functions, textOf }, ['/ws'], world);
}
