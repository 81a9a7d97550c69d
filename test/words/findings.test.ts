import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Analysis } from '../../engine/analysis.ts';
import type { Finding, FindingCause } from '../../engine/judge/findings/finding.ts';
import { callersText, causeText, nextAction } from '../../words/findings.ts';
import { hottestLine } from '../../words/places.ts';
import { analysisOf } from '../engine/judge/lines/drawn-analysis.ts';

/** The finding of a drawn profile, with another cause. */
async function wordsFor(
  cause: Partial<FindingCause>,
  more: Partial<Analysis> = {},
): Promise<readonly [cause: string, next: string]> {
  const analysis = { ...(await analysisOf('f:3 f:3 f:3', { sampleMs: 20 })), ...more };
  const [found = assert.fail('no finding')] = analysis.findings.all;
  const finding: Finding = { ...found, cause: { ...found.cause, ...cause }, remedy: null };
  return [causeText(finding, analysis), nextAction(finding, analysis)];
}

for (const name of ['readFileSync', 'pbkdf2Sync', 'syncBufferWrapper', 'randomBytes'])
  test(`${name} has a form that does not wait, which is what to use`, async () => {
    const [cause, next] = await wordsFor({ kind: 'syncCall', name });
    assert.equal(cause, `all of it in the synchronous ${name}`);
    assert.match(next, /form of this call that does not wait/);
  });

for (const name of ['atob', 'inspect', 'concat', 'update', 'format'])
  test(`${name} has no other form, and none is promised`, async () => {
    const [cause, next] = await wordsFor({ kind: 'syncCall', name });
    assert.equal(cause, `all of it in ${name} of Node`);
    assert.equal(next, 'Call it less often or with less at a time, or in a worker.');
  });

test('V8 tiers are advised where there are none', async () => {
  const tiers = { secondRun: null, functions: new Map(), seen: new Set<number>() };
  const inlined = { kind: 'own', name: 'g' } as const;
  assert.match((await wordsFor(inlined))[1], /recording of V8's tiers/);
  assert.equal((await wordsFor(inlined, { tiers }))[1], 'Look there first.');
});

test('calls are said to be many and short only where that is known', async () => {
  const [spread] = await wordsFor({ kind: 'manyCalls' });
  const [named] = await wordsFor({ kind: 'manyCalls', name: 'g' });
  assert.deepEqual([spread, named], ['short calls of it and below it', 'its calls in a loop of g']);
});

test('a caller without a name is named by its place, once', async () => {
  const analysis = await analysisOf('main:3 main:3 main:3\nf:3 f:3 f:3', {
    sampleMs: 20,
    functions: { main: { name: '' } },
  });
  const finding = analysis.findings.all.find(({ callers }) => callers.length > 0) ?? assert.fail('no caller');
  assert.equal(callersText(finding, analysis), 'called by src/main.js:1');
});

test('a caller has the line of its declaration, whether a line of its own is hot or not', async () => {
  const functions = { main: { line: 1 }, f: {} };
  for (const own of ['. . .', 'main:5 main:5 main:5']) {
    const drawing = `main:3 main:3 main:3 ${own}\nf:3 f:3 f:3 . . .`;
    const analysis = await analysisOf(drawing, { sampleMs: 20, functions });
    const isOfF = ({ callers }: Finding): boolean => callers.length > 0;
    assert.equal(hottestLine(analysis, 0)?.line, own.startsWith('.') ? undefined : 5);
    const finding = analysis.findings.all.find(isOfF) ?? assert.fail('no caller');
    assert.equal(callersText(finding, analysis), 'called by main src/main.js:2');
  }
});

test('a caller has the line of the call, where its source has one by that name, and no frame is in between', async () => {
  const calledBy = async (calls: string, drawing = 'main main main main\nf f f f'): Promise<string | null> => {
    const main = { url: '/app/src/f.js', line: 1, column: 13 };
    const functions = { f: { line: 0, column: 10 }, main, g: { url: 'node:events' } };
    const text = `function f(x) {}\nfunction main() {\n  ${calls}\n}\n`;
    const analysis = await analysisOf(drawing, { sampleMs: 20, functions, text });
    const [first = assert.fail('no finding')] = analysis.findings.all;
    return callersText(first, analysis);
  };
  assert.equal(await calledBy('f(1);'), 'called by main src/f.js:3');
  assert.equal(await calledBy('f(1);\n  f(2);'), 'called by main src/f.js:2');
  assert.equal(await calledBy('f(1);', 'main main main main\ng g g g\nf f f f'), 'called by main src/f.js:2');
});
