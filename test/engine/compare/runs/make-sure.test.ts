import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyze } from '../../../../engine/analyze.ts';
import type { AnalyzedRun } from '../../../../engine/compare/runs/find-again.ts';
import { furtherRuns, seenAgainIn } from '../../../../engine/compare/runs/make-sure.ts';
import { seenAgainFile } from '../../../../protocol/recording.ts';
import { furtherRunsText, suretyText } from '../../../../words/findings.ts';
import { type DrawnOptions, drawnRecording, ms } from '../../../helpers/drawn-hotspots.ts';
import { memoryWorld } from '../../../helpers/memory-world.ts';
import { columns } from '../../judge/findings/drawn-findings.ts';

type Files = Readonly<Record<string, string>>;

async function read(files: Files): Promise<AnalyzedRun> {
  const options = { thresholdUs: ms(2), roots: ['/app'], sourceMaps: true };
  const result = await analyze(['/rec'], memoryWorld(files), options);
  return result.type === 'analyzed' ? { ...result, path: '/rec' } : assert.fail(result.failure.type);
}

/** Functions that hold the loop for so many ms, each in a turn of its own. */
function recording(held: Readonly<Record<string, number>>, more: DrawnOptions = {}): Files {
  let now = 0;
  const turns: [number, number][] = [];
  const runs = Object.entries(held).flatMap(([name, time]) => {
    turns.push([now, now + time]);
    now += time + 1;
    return [[time, name] as const, [1, '(idle)'] as const];
  });
  return drawnRecording('/rec', columns(...runs), { turns, ...more });
}

/** `open`, or why it is not. */
function stateOf({ analysis }: AnalyzedRun, name: string): string | null | undefined {
  const { findings, functions } = analysis;
  const finding = findings.all.find(
    ({ subject }) => subject.type === 'function' && functions.functions[subject.functionId]?.name === name,
  );
  return finding?.open === true ? 'open' : finding?.closedBecause;
}

test('further runs promote what is long again in one of them, and drop the rest', async () => {
  const files = recording({ often: 9, once: 8, sure: 20 });
  const first = await read(files);
  const states = (run: AnalyzedRun): unknown => ['often', 'once', 'sure'].map((name) => stateOf(run, name));
  assert.deepEqual(states(first), ['fewSamples', 'fewSamples', 'open']);
  const again = [await read(recording({ often: 9, sure: 20 })), await read(recording({ once: 1, sure: 20 }))];
  const surety = await seenAgainIn(first, furtherRuns(first.analysis)?.findings ?? [], again);
  assert.equal(suretyText(surety), '2 uncertain findings: 1 seen again, 1 not.');
  const judged = await read({ ...files, [`/rec/${seenAgainFile}`]: JSON.stringify(surety.seenAgain) });
  assert.deepEqual(states(judged), ['open', 'notAgain', 'open']);
  assert.equal(furtherRuns(judged.analysis), null);
});

test('an answer that is damaged, or is about something else, changes nothing', async () => {
  const files = recording({ often: 9 });
  for (const text of ['', '[]', '{"runs":0,"findings":[]}', '{"runs":2,"findings":[{"key":1,"seenIn":9}, null]}'])
    assert.equal(stateOf(await read({ ...files, [`/rec/${seenAgainFile}`]: text }), 'often'), 'fewSamples', text);
});

test('a file that changed since the recording is named, and nothing is said of its findings alone', async () => {
  const changed = 'changed since the recording: profile again to know about what is there.';
  const said = async (edited: string, held: Readonly<Record<string, number>>): Promise<string> => {
    const run = (body: string) => read({ ...recording(held), [`/app/${edited}`]: `function often() { ${body} }` });
    const first = await run('a()');
    return suretyText(await seenAgainIn(first, furtherRuns(first.analysis)?.findings ?? [], [await run('b()')]));
  };
  const own = { 'cart.js#often': 9 };
  assert.equal(await said('src/cart.js', own), `src/cart.js ${changed}`);
  assert.equal(await said('my src/é.js', { 'file:///app/my%20src/%C3%A9.js#often': 9 }), `my src/é.js ${changed}`);
  const both = { ...own, 'file:///app/lib/src/cart.js#other': 9 };
  assert.equal(await said('src/cart.js', both), `1 uncertain finding: 1 seen again, 0 not. src/cart.js ${changed}`);
});

test('the cost is that of the test files in which the findings were, or of the whole command', async () => {
  const told = (run: AnalyzedRun): string | null => {
    const further = furtherRuns(run.analysis);
    return further === null ? null : furtherRunsText(further);
  };
  assert.equal(told(await read(recording({ often: 9, rest: 1 }))), '2 × about 12 ms, the whole command');
  const tests: DrawnOptions['tests'] = [
    ['begin', 0, 0, '/app/cart.test.js', ['adds up'], -1],
    ['end', 9, 0],
  ];
  const shared = [...tests, ['begin', 10, 1, '/app/other.test.js', ['is quick'], -1] as const, ['end', 12, 1] as const];
  const beside = await read(recording({ often: 9, rest: 30 }, { tests: shared }));
  assert.equal(told(beside), '2 × about 41 ms, the whole command, as test files share a thread');
  const outside = await read(recording({ sure: 30, often: 9 }, { tests }));
  assert.equal(told(outside), '2 × about 41 ms, the whole command, as some are outside of tests');
  const inTest = await read(recording({ often: 9, rest: 30 }, { tests }));
  assert.equal(told(inTest), '2 × about 9 ms, 1 test file');
  assert.deepEqual(furtherRuns(inTest.analysis)?.files, ['cart.test.js'], 'below the root');
  assert.equal(told(await read(recording({ sure: 20 }))), null);
});
