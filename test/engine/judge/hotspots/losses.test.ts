import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lossesOfOwnCode } from '../../../../engine/judge/hotspots/losses.ts';
import { unseenProgram } from '../../../../engine/judge/hotspots/doubt-warnings.ts';
import {
  type DrawnOptions,
  drawnRecording,
  hotspotsIn,
  hotspotsOfProfiles,
  ms,
} from '../../../helpers/drawn-hotspots.ts';
import type { TestLine } from '../../../../protocol/recording-lines.ts';
import type { Microseconds } from '../../../../protocol/units.ts';
import { summaryOf } from '../../../../words/summary.ts';
import { profileOf } from '../../../helpers/drawn-profile.ts';

test('long operations without a sample are said, beside what is known', async () => {
  const profile = profileOf([['handle'], ['(idle)'], ['parse'], ['(idle)']], [1, 60, 20, 1]);
  const { analysis, culprits } = await hotspotsOfProfiles([profile], {
    turns: '0-1 5-50 51-60 61-81',
  });
  assert.deepEqual(culprits, ['parse']);
  const said = [{ type: 'unsampledOperations', operations: 2, worst: ms(45) }];
  assert.deepEqual(
    analysis.warnings.filter(({ type }) => type === 'unsampledOperations'),
    said,
  );
  assert.deepEqual(lossesOfOwnCode(analysis), said);
  assert.deepEqual(lossesOfOwnCode(analysis, ms(50)), []);
});

test('where own code may have run for long between two samples, not all was recorded', async () => {
  const lossOf = async (stacks: readonly (readonly string[])[], gap: number): Promise<Microseconds> => {
    const after = [...stacks.slice(1), ...Array.from({ length: 8 }, () => ['(idle)'])];
    const profile = profileOf([stacks[0] ?? [], ...after], [gap, ...after.map(() => 1)]);
    const { analysis } = await hotspotsOfProfiles([profile], {
      threshold: 10,
      turns: [[0, gap + stacks.length - 1]],
    });
    const [loss] = lossesOfOwnCode(analysis);
    return loss?.type === 'unsampledOperations' ? loss.worst : ms(0);
  };
  const run = 'mocha#run';
  assert.equal(await lossOf([[run], [run, 'test#case', 'quote']], 36), ms(35));
  assert.equal(
    await lossOf(
      [
        [run, 'test#case'],
        [run, 'test#case', 'quote'],
      ],
      36,
    ),
    ms(35),
  );
  assert.equal(await lossOf([[run]], 36), ms(35));
  assert.equal(await lossOf([[run], [run, 'test#case', 'quote']], 9), ms(0));
  assert.equal(await lossOf([['bcryptjs#hash'], ['bcryptjs#hash']], 36), ms(0));
  assert.equal(await lossOf([['quote'], ['quote', 'lodash#map']], 36), ms(0));
  assert.equal(await lossOf([['node:internal/modules/cjs/loader#wrapSafe'], ['quote']], 36), ms(0));
  const required = ['lodash#<module>', 'node:internal/modules/cjs/loader#require', 'ramda#<module>'];
  assert.equal(await lossOf([required, ['quote']], 36), ms(0));
  assert.equal(await lossOf([['(gc)'], ['quote']], 36), ms(36));
});

test('what only a gap is blamed on is said to be unknown', async () => {
  const nameOf = async (gap: number, after: number): Promise<string | undefined> => {
    const rest = [
      ...Array.from({ length: after }, () => ['(program)']),
      ['quote'],
      ...Array.from({ length: 8 }, () => ['(idle)']),
    ];
    const profile = profileOf([['(program)'], ...rest], [gap, ...rest.map(() => 1)]);
    const options = { threshold: 10, turns: [[0, gap + after + 1]] } as const;
    return summaryOf((await hotspotsOfProfiles([profile], options)).analysis, '').blame?.name;
  };
  assert.equal(await nameOf(36, 0), 'work that no sample shows');
  assert.equal(await nameOf(36, 12), 'native code');
  assert.equal(await nameOf(1, 20), 'native code');
});

test('where no sample shows what blocked, it is not said that own code was not reached', async () => {
  const profile = profileOf([['node:timers#list'], ['(idle)']], [240, 9]);
  const ended = async (exitCode: number) =>
    hotspotsOfProfiles([profile], { turns: [[0, 239]], manifest: { command: ['node', 'hash.test.js'], exitCode } });
  const typesOf = ({ analysis }: Awaited<ReturnType<typeof ended>>) => analysis.warnings.map(({ type }) => type);
  assert.deepEqual(typesOf(await ended(0)), ['unsampledOperations']);
  assert.deepEqual(typesOf(await ended(1)), ['nothingSeen', 'unsampledOperations'], 'what it printed says why');
  const { isUnseen, verdict } = summaryOf((await ended(0)).analysis, '');
  const said = 'Nothing that was recorded of your own code, but work that no sample shows blocks up to 238 ms (1 ×).';
  assert.deepEqual([isUnseen, verdict], [false, said]);
});

test('a process that was killed loses nothing of the own code where none of it was seen in the process', async () => {
  const drawn = profileOf(Array.from({ length: 20 }, () => ['handle']));
  const foreign = {
    ...drawn,
    nodes: drawn.nodes.map((node) => ({ ...node, callFrame: { ...node.callFrame, url: '' } })),
  };
  const lossesOf = async (profile: typeof drawn): Promise<readonly string[]> => {
    const { analysis } = await hotspotsOfProfiles([profile], { turns: [[0, 20]], isKilled: true });
    assert.ok(analysis.warnings.some(({ type }) => type === 'cutOff'));
    return lossesOfOwnCode(analysis).map(({ type }) => type);
  };
  assert.deepEqual([await lossesOf(drawn), await lossesOf(foreign)], [['cutOff'], []]);
});

test('a suite that was asked to end is not all recorded, unlike a server, which is usually ended so', async () => {
  const profile = profileOf(Array.from({ length: 9 }, () => ['test#case']));
  const lossesOf = async (manifest: object, tests?: DrawnOptions['tests']): Promise<readonly unknown[]> => {
    const options = { turns: [[0, 9]], manifest: { ...manifest }, ...(tests === undefined ? {} : { tests }) } as const;
    return lossesOfOwnCode((await hotspotsOfProfiles([profile], options)).analysis);
  };
  const tests = [['begin', 0, 1, '/app/test/app.test.ts', ['a'], -1]] as const;
  const stopped = { type: 'stoppedTests', signal: 'SIGINT' };
  assert.deepEqual(await lossesOf({ signal: 'SIGINT' }, tests), [stopped]);
  assert.deepEqual(await lossesOf({ exitCode: 130 }, tests), [stopped]);
  assert.deepEqual(await lossesOf({ exitCode: 1 }, tests), []);
  assert.deepEqual(await lossesOf({ signal: 'SIGINT' }), []);
});

test('a program of a package that left no profile is a loss only where it runs tests', async () => {
  const { analysis } = await hotspotsOfProfiles([profileOf([['handle']], [1])]);
  const lossOf = (command: string): number => {
    const lost = { type: 'noProfile', pid: 9, threadId: 0, command, args: [], outlived: false } as const;
    return lossesOfOwnCode({ ...analysis, warnings: [lost] }).length;
  };
  const commands = ['/app/src/child.js', 'mocha/bin/mocha.js', '.bin/jest', 'esbuild/bin/esbuild', '.bin/tsc'];
  const paths = commands.map((one) => (one.startsWith('/') ? one : `/app/node_modules/${one}`));
  assert.deepEqual(paths.map(lossOf), [1, 1, 1, 0, 0]);
  const store = '/app/node_modules/.pnpm/jest-worker@30/node_modules';
  assert.deepEqual(
    ['jest-worker/build/workers/processChild.js', 'esbuild/bin/esbuild'].map((one) => lossOf(`${store}/${one}`)),
    [1, 0],
  );
});

test('where a process of the own code left no profile, nothing else is guessed of why none was seen', async () => {
  const { analysis } = await hotspotsOfProfiles([profileOf([['node:timers#list']], [1])]);
  const lost = { type: 'noProfile', pid: 9, threadId: 0, command: '/app/long.js', args: [], outlived: true } as const;
  const recording = { ...analysis.recording, command: ['pm2', 'start', 'long.js'], exitCode: 0 };
  const unseen = (warnings: readonly (typeof lost)[]): readonly string[] =>
    unseenProgram({ recording, isolates: [], warnings, losses: [] }, [], []).map(({ type }) => type);
  assert.deepEqual([unseen([]), unseen([lost])], [['nothingSeen'], []]);
});

test('what follows the last line of a file that was not copied whole is inferred, and of no test', async () => {
  const drawing = `${'parse '.repeat(20)} (idle) (idle) ${'render '.repeat(20)} (idle) (idle)`;
  const tests: readonly TestLine[] = [
    ['begin', 0, 1, '/app/test/cart.test.ts', ['adds'], -1],
    ['end', 21, 1],
  ];
  const whole = drawnRecording('/rec', drawing, { turns: '0-20 22-42', tests });
  for (const [name, ...operations] of [
    ['7-0-x.turns.jsonl', 'measured in adds', 'inferred in nothing'],
    ['7-0-x.tests.jsonl', 'measured in nothing', 'measured in nothing'],
  ] as const) {
    const text = whole[`/rec/${name}`] ?? '';
    const { analysis } = await hotspotsIn({ ...whole, [`/rec/${name}`]: text.slice(0, -4) });
    const known = analysis.operations.map((one) => {
      return `${one.measured ? 'measured' : 'inferred'} in ${one.test?.name ?? 'nothing'}`;
    });
    assert.deepEqual([lossesOfOwnCode(analysis), known], [[{ type: 'linesCutOff', file: name }], operations]);
  }
});
