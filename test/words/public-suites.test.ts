import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { agentQuestions } from '../../agents/answers.ts';
import type { Analysis } from '../../engine/analysis.ts';
import { hotFunctions } from '../../engine/hot-functions.ts';
import type { Finding } from '../../engine/judge/findings/finding.ts';
import { callersText, causeText, findingName, leftText } from '../../words/findings.ts';
import { analyzedSuite as analyzed, keptSuites, type SuiteName } from '../../lab/public-suites/kept-suites.ts';
import { noKeptMarks } from '../../language-server/queries/file-annotations.ts';
import { assertEach } from '../helpers/assert-each.ts';

/** What the verdict says of a public project, whose recorded findings test/fixtures/suites has. */

const analyses = new Map<string, Promise<Analysis>>();

/** Each is analyzed once for all tests of the file. */
async function analyzedSuite(name: SuiteName, run = 'recording'): Promise<Analysis> {
  const key = `${name} ${run}`;
  const known = analyses.get(key) ?? analyzed(name, run);
  analyses.set(key, known);
  return known;
}

const isOpen = ({ open }: Finding): boolean => open;

function openNames(analysis: Analysis): readonly string[] {
  return analysis.findings.all.filter(isOpen).map((finding) => findingName(finding, analysis));
}

test('mathjs has at most five open rows, the first is number, all of it in fraction.js, with its callers', async () => {
  const analysis = await analyzedSuite('mathjs', 'calm-1');
  const [first] = analysis.findings.all;
  const names = openNames(analysis);
  assert.ok(names.length <= 5 && first !== undefined, names.join(', '));
  assert.equal(names[0], 'number');
  assert.match(causeText(first, analysis), /^all of it in the package fraction\.js/);
  assert.match(
    callersText(first, analysis) ?? '',
    /^called by _exactFraction src\/function\/algebra\/simplifyConstant\.js:\d+/,
  );
});

test('zod has at most five open rows, and isValidBase64URL is one of the first two', async () => {
  const names = openNames(await analyzedSuite('zod'));
  assert.ok(names.length <= 5, names.join(', '));
  assert.ok(names.slice(0, 2).includes('isValidBase64URL'), names.join(', '));
});

test('date-fns has one open row for one cause, named after the loop, with what has most of it', async () => {
  const analysis = await analyzedSuite('date-fns');
  const [first] = analysis.findings.all;
  assert.deepEqual(openNames(analysis), ['eachMinuteOfInterval + 2 others']);
  assert.match(first === undefined ? '' : causeText(first, analysis), /in constructFrom/);
});

test('ajv has one open row for time that is spread over many short functions', async () => {
  const analysis = await analyzedSuite('ajv');
  const [first] = analysis.findings.all;
  assert.deepEqual(openNames(analysis), ['_compileSchemaEnv + 57 others']);
  assert.ok((first?.worstUs ?? 0) > 1_000_000, String(first?.worstUs));
});

for (const name of ['express', 'dayjs', 'marked', 'hono'] as const)
  test(`${name} has no open row in its own code, and is told what was left out`, async () => {
    const { findings, ...analysis } = await analyzedSuite(name);
    const own = findings.all.filter((finding) => isOpen(finding) && finding.subject.type === 'function');
    assertEach(own, (finding) => findingName(finding, { findings, ...analysis }), []);
    assert.match(leftText(findings) ?? '', /^Not shown: .+\.$/);
  });

test('express has one open row, a large body whose package reads it by another one, which is named', async () => {
  const analysis = await analyzedSuite('express');
  const [first] = analysis.findings.all;
  assert.deepEqual(openNames(analysis), ['raw-body']);
  assert.equal(first === undefined ? '' : causeText(first, analysis), 'most of it in the package qs');
});

test('mathjs has the same three rows calm, beside four busy processes, and on another Node', async () => {
  for (const run of keptSuites.mathjs.runs) {
    const names = openNames(await analyzedSuite('mathjs', run)).map((name) => name.replace(/ \+ \d+ others?$/, ''));
    assert.deepEqual(names, ['number', 'resolver', '_simplify'], run);
  }
});

describe('no open row is mostly garbage, a first call, or sleep in no call that can sleep', () => {
  const names: readonly SuiteName[] = ['mathjs', 'zod', 'date-fns', 'ajv', 'express', 'dayjs', 'marked', 'hono'];
  for (const name of names)
    for (const run of keptSuites[name].runs)
      test(`${name}, ${run}`, async () => {
        const analysis = await analyzedSuite(name, run);
        for (const { subject, closedBecause, cause, estimated, operations } of analysis.findings.all.filter(isOpen)) {
          assert.ok(subject.type === 'function' || subject.type === 'package', subject.type);
          assert.equal(closedBecause, null);
          assert.ok(!estimated || operations.length > 1 || subject.type === 'function');
          if (subject.type !== 'function' || cause.kind === 'allocation') continue;
          assertIsNoMark(analysis, subject.functionId);
        }
      });
});

test('no answer for an agent about the largest of them is larger than 1,500 tokens', async () => {
  const { agentExplain, agentFindings, agentHotspots, agentStatus } = agentQuestions;
  for (const [suite, run] of [
    ['mathjs', 'calm-1'],
    ['ajv', 'recording'],
    ['zod', 'recording'],
  ] as const) {
    const analysis = await analyzedSuite(suite, run);
    const recording = { analysis, folders: analysis.roots, kept: noKeptMarks, texts: new Map() };
    const answers: unknown[] = [await agentStatus(recording, '/r'), await agentFindings(recording, '/r')];
    answers.push(await agentHotspots(recording, { limit: 50 }));
    for (const { functionId } of hotFunctions(analysis).slice(0, 20))
      answers.push(await agentExplain(recording, analysis.functions.functions[functionId]?.label ?? ''));
    const longest = Math.max(...answers.map((answer) => JSON.stringify(answer).length));
    assert.ok(longest <= 1500 * 3.5, `${suite}: ${longest} characters, a token is 3.5`);
  }
});

/** The function computes, and not only in its first call. */
function assertIsNoMark({ figures, ownParts, thresholdUs }: Analysis, functionId: number): void {
  const { presence } = figures[functionId] ?? assert.fail(`no function ${functionId}`);
  assert.ok(presence.worstWarm === 0 || presence.worstWarm > thresholdUs, 'its first call only');
  const parts = Array.from({ length: ownParts.size }, (_, part) => part).filter(
    (part) => ownParts.functionOf(part) === functionId,
  );
  const asleep = parts.reduce((sum, part) => sum + asleepIn(ownParts.waitedOf(part)), 0);
  const all = parts.reduce((sum, part) => sum + ownParts.weightOf(part), 0);
  assert.ok(asleep * 2 <= all, 'asleep in no known call');
}

function asleepIn(waited: ReturnType<Analysis['ownParts']['waitedOf']>): number {
  return waited?.in === null ? waited.us : 0;
}
