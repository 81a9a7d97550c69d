import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEach } from '../helpers/assert-each.ts';
import { verdictOf } from '../../language-server/queries/verdict.ts';
import { summaryOf } from '../../words/summary.ts';
import { readSources } from '../../cli/views/shown-code.ts';
import { resultView } from '../../cli/views/result-view.ts';
import { type DrawnOptions, hotspotsIn, hotspotsOf, ms } from '../helpers/drawn-hotspots.ts';
import { drawProfile } from '../helpers/drawn-profile.ts';
import { columns } from '../engine/judge/findings/drawn-findings.ts';
import { analyzedSuite } from '../../lab/public-suites/kept-suites.ts';

test('a long operation without a sample is not "nothing blocks"', async () => {
  const { analysis } = await hotspotsOf('(idle) (idle) parse', { turns: [[10, 20]] });
  const { blame, verdict } = summaryOf(analysis, '/rec');
  assert.deepEqual([blame?.worstUs, blame?.count], [ms(10), 1]);
  assert.doesNotMatch(verdict, /Nothing in your code/);
});

test('the sentence, and where the page opens, are of the first finding, not of the longest call', async () => {
  const often = Array.from({ length: 24 }, (_, index) => (index % 6 === 0 ? '(idle)' : 'often'));
  const { analysis } = await hotspotsOf(`ms ${'1 '.repeat(24)} 1 6\n${often.join(' ')} (idle) once`);
  const { headline, worst, opensAt, verdict } = summaryOf(analysis, '/rec');
  const nameOf = (id: number | null | undefined): string => analysis.functions.functions[id ?? -1]?.label ?? 'none';
  assert.deepEqual([headline?.label, nameOf(worst?.functionId), nameOf(opensAt)], ['often', 'once', 'often']);
  assert.match(verdict, /^≈5 ms worst in often, .* · 2 hotspots$/);
});

test('of date-fns the sentence names the loop that the verdict names, not what has most of it', async () => {
  const summary = summaryOf(await analyzedSuite('date-fns'), '/rec');
  assert.deepEqual(
    [summary.headline?.label, summary.worst?.label],
    ['eachMinuteOfInterval + 2 others', 'constructFrom'],
  );
  assert.match(summary.verdict, /^2\.09 s worst in eachMinuteOfInterval \+ 2 others, /);
});

const unless = ', unless the first call of connect, src/app.ts:703 (20 ms) has to be quick';

/** What is said of a first call of 20 ms, and what ran beside it. */
const saidBeside: readonly (readonly [string, DrawnOptions, string])[] = [
  ['', {}, `Nothing to do here${unless}.`],
  [
    '',
    { manifest: { exitCode: 1 } },
    `Nothing that ran needs an action${unless}, but the command failed (exit code 1).`,
  ],
  ['', { isKilled: true }, `Nothing that was recorded needs an action${unless}, but not all was recorded.`],
  [
    'node:fs#read '.repeat(9),
    { manifest: { exitCode: 1 } },
    `Nothing that ran of your own code needs an action${unless}, but Node.js itself blocks up to 9 ms (1 ×).`,
  ],
  [
    '(gc) '.repeat(9),
    {},
    `Nothing in your own code needs an action${unless}, but garbage collection blocks up to 9 ms (1 ×).`,
  ],
  [
    'parse check render',
    {},
    `No single function of yours needs an action${unless}, but short calls of your code together block up to 3 ms in one go (1 ×).`,
  ],
];

test('where no long call needs an action, each surface says so, and what else blocks', async () => {
  for (const [beside, options, said] of saidBeside) {
    const drawing = `${'connect '.repeat(20)} (idle) (idle) connect (idle) (idle) ${beside}`;
    const turns = `0-20 22-23${beside === '' ? '' : ` 25-${25 + beside.trim().split(' ').length}`}`;
    const { analysis } = await hotspotsOf(drawing, { turns, ...options });
    const { headline, verdict } = summaryOf(analysis, '/rec');
    assert.equal(headline, null);
    assert.equal(verdict, said);
    assert.equal(verdictOf(analysis, ['/app']).nothing, said);
    const view = resultView(analysis, { all: false, sources: await readSources([], async () => null, '/app') });
    assert.deepEqual([view.verdict, view.instead], beside === '' ? ['', said] : [verdict, '']);
    assert.equal(view.found.left, 'Not shown: first call only (1).');
  }
});

test('where a finding is uncertain, neither the sentence nor the view says that there is nothing to do', async () => {
  const { analysis } = await hotspotsOf(`${'parse '.repeat(9)} (idle) (idle)`, { turns: [[0, 9]] });
  assert.match(summaryOf(analysis, '/rec').verdict, /^9 ms worst in parse, .* · few samples · 1 hotspot$/);
  assert.equal(verdictOf(analysis, ['/app']).nothing, null);
});

test('what held the loop longer than an uncertain finding is said before it, and that it may be one', async () => {
  const { analysis } = await hotspotsOf(`${'parse '.repeat(9)} (idle) (idle) ${'node:fs#read '.repeat(20)}`, {
    turns: '0-9 11-31',
  });
  const { headline, verdict } = summaryOf(analysis, '/rec');
  const said = 'Nothing in your own code surely needs an action, but Node.js itself blocks up to 20 ms (1 ×).';
  assert.equal(headline, null);
  assert.ok(verdict.startsWith(`${said} 9 ms worst in parse, `), verdict);
  assert.equal(verdictOf(analysis, ['/app']).nothing, said);
});

test('short calls that an uncertain finding explains are not said in its place', async () => {
  const short = ['a', 'b', 'c'].map((name) => [2, name, 'list', `${name}${name}`] as const);
  const { analysis } = await hotspotsOf(columns(...short, [2, 'd', 'dd']), { turns: '0-8', threshold: 3 });
  const { headline, blame } = summaryOf(analysis, '/rec');
  assert.deepEqual([headline?.label, headline?.us, headline?.doubt], ['list', ms(6), 'few samples']);
  assert.deepEqual([blame?.isOwn, blame?.worstUs], [true, ms(8)]);
});

test('a package is named where it is the first finding, with its own worst', async () => {
  const { analysis } = await hotspotsOf(`${'bcryptjs#hash '.repeat(30)} (idle) ${'answer '.repeat(12)}`, {
    turns: '0-30 31-43',
  });
  const { headline, opensAt, verdict } = summaryOf(analysis, '/rec');
  assert.deepEqual([headline?.label, headline?.us, opensAt], ['bcryptjs', ms(30), null]);
  assert.match(verdict, /^30 ms worst in bcryptjs · 1 hotspot$/);
  const drawing = `${'bcryptjs#hash '.repeat(12)} (idle) a b c d e f g h i j k l m`;
  const beside = await hotspotsOf(drawing, { turns: '0-12 13-26' });
  assert.equal(summaryOf(beside.analysis, '/rec').verdict, '12 ms worst in bcryptjs', 'not in short calls');
});

test('what nobody sampled in a worker of the program is none of the loop', async () => {
  const { analysis } = await hotspotsOf('(idle) (idle) parse', { turns: [[10, 20]], worker: 'background' });
  assert.match(summaryOf(analysis, '/rec').verdict, /^Nothing in your code blocks/);
});

test('of a command that failed only what ran is judged', async () => {
  const verdictOf = async (exitCode: number): Promise<string> => {
    const { analysis } = await hotspotsOf('parse', { manifest: { exitCode } });
    return summaryOf(analysis, '/rec').verdict;
  };
  assert.match(
    await verdictOf(1),
    /^Nothing that ran of your code blocks for more than 2 ms, but the command failed \(exit code 1\)\. Longest: /,
  );
  for (const code of [0, 130]) assert.match(await verdictOf(code), /^Nothing in your code blocks/);
});

test('what a process was killed in is not known, so it is not said that nothing blocks', async () => {
  const { analysis } = await hotspotsOf('parse', { turns: [[0, 1]], isKilled: true });
  assert.match(
    summaryOf(analysis, '/rec').verdict,
    /^Nothing that was recorded of your code blocks for more than 2 ms, but not all was recorded\. Longest: /,
  );
});

test('what ran in the workspace is not of another one, though packages alone were seen that are linked from elsewhere', async () => {
  const foreign = async (cwd: string): Promise<boolean> => {
    const { analysis } = await hotspotsOf(
      'file:///cache/hotspan/node_modules/hotspan/recorder-0123456789ab.cjs#start file:///store/node_modules/mocha/index.js#run',
      { manifest: { cwd } },
    );
    return summaryOf(analysis, '/rec').isForeign;
  };
  assert.deepEqual(
    [await foreign('/app'), await foreign('/app/packages/api'), await foreign('/other')],
    [false, false, true],
  );
});

test('a file of one’s own that lies elsewhere is of another workspace, wherever its command ran', async () => {
  const { analysis } = await hotspotsOf('file:///other/server.js#serve', { manifest: { cwd: '/app' } });
  assert.equal(summaryOf(analysis, '/rec').isForeign, true);
});

test('hotspots of workers are not counted with those that somebody waits for', async () => {
  const { analysis } = await hotspotsIn({
    '/rec/recording.json': JSON.stringify({ version: 2, cwd: '/app' }),
    '/rec/events.jsonl': JSON.stringify({ type: 'worker', pid: 7, threadId: 1, kind: 'background' }),
    '/rec/7-0-x.0.cpuprofile': JSON.stringify(drawProfile('parse parse parse')),
    '/rec/7-1-x.0.cpuprofile': JSON.stringify(drawProfile('render render render')),
  });
  assert.match(summaryOf(analysis, '/rec').verdict, /^≈3 ms worst in parse, .* · few samples · 1 hotspot$/);
});

test('of a long operation no part of which is long alone, the whole is named', async () => {
  const drawing = 'bcryptjs#hash bcryptjs#hash qs#parse native#now';
  const { analysis } = await hotspotsOf(drawing, { turns: [[0, 4]] });
  const { verdict } = summaryOf(analysis, '/rec');
  assert.match(
    verdict,
    /your own code, but a mix of work \(mostly bcryptjs, none alone over 2 ms\) blocks up to 4 ms /,
  );
});

test('a run in which no own code was seen is not a run in which nothing blocks', async () => {
  const { analysis } = await hotspotsOf('node:fs#read', { turns: [[0, 1]] });
  const { isUnseen, verdict } = summaryOf(analysis, '/rec');
  assert.ok(isUnseen);
  assert.equal(verdict, 'None of your code was seen in this run.');
});

test('what held the loop is said even where no JavaScript was seen', async () => {
  const { analysis } = await hotspotsOf('(idle) (program) (program) (gc) (program) (idle)');
  const text =
    'None of your code was seen in this run. Without it, native code without any JavaScript blocks up to ≈4 ms (1 ×).';
  assert.equal(summaryOf(analysis, '/rec').verdict, text);
});

test('the rows of collections and loading say where most of them was', async () => {
  const drawing = `
    ms 1       9                              1      1           9
    (idle)     main.ts#<module>               (idle) parse       (gc)
    .          node:internal/modules/cjs#load .      node:fs#read .
  `;
  const { analysis } = await hotspotsOf(drawing, { turns: '1-10 11-21' });
  const rows = verdictOf(analysis, ['/app']).closed.slice(0, 2);
  assertEach(rows, ({ label, description, tooltip }) => [label, description, tooltip.split('\n')[0]], [
    ['garbage collection', 'garbage collection · 1 × · most in app.ts:650', 'most in src/app.ts:650'],
    ['loading of modules', 'loading · 1 × · most in main.ts:1', 'most in src/main.ts:1'],
  ]);
});
