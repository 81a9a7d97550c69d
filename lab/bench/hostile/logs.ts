import path from 'node:path';
import { type HostileInput, root, times, writePieces } from './hostile-input.ts';

/** What a V8 log can contain. */
export const logs: readonly HostileInput[] = [
  log('2 000 000 functions', function* () {
    yield* times(2e6, (number) => creation(number, `f${number}`));
    yield* times(1e5, (number) => tick(number, [address(number)]));
  }),
  log('2 000 000 functions that are cut off', () => times(6e6, () => 'code-creation,JS,1,1,0x1\n')),
  log('a name of 100 MB', () => [creation(1, 'f'.repeat(1e8)), tick(1, [address(1)])]),
  log('stacks of 100 000 frames', function* () {
    yield* times(2000, (number) => creation(number, `f${number}`));
    for (let number = 0; number < 200; number++) {
      yield tick(number, [...times(1e5, (frame) => address((frame * 7 + number * 13) % 2000))]);
    }
  }),
  log('code of 1 000 000 positions', function* () {
    yield creation(1, 'f', 1e7);
    const positions = [...times(1e6, (number) => `C${number}O${number}`)].join('');
    yield `code-source-info,${address(1)},1,0,1000000,${positions},,\n`;
    yield* times(1e5, (number) => tick(number, [`0x${(addressOf(1) + 1e6 - number).toString(16)}`]));
  }),
  log('50 000 calls inlined into one another', function* () {
    yield creation(1, 'f', 100, '*');
    const calls = [...times(5e4, (number) => `F0O${number}${number > 0 ? `I${number - 1}` : ''}`)].join('');
    yield `code-source-info,${address(1)},1,0,1000000,C0O1I49999,${calls},S0x1000\n`;
    yield* times(2000, (number) => tick(number, [...times(50, (frame) => address(1, frame))]));
  }),
  log('code that moves 3 000 000 times', function* () {
    yield creation(1, 'f');
    yield* times(3e6, (number) => `code-move,${address(number + 1)},${address(number + 2)}\n`);
    yield tick(1, [address(3e6 + 1)]);
  }),
  log('a text of 200 MB', function* () {
    yield `script-source,1,file://${root}/a.js,${'x;\\n'.repeat(5e7)}\n`;
    yield creation(1, 'f');
    yield tick(1, [address(1)]);
  }),
  log('2 000 000 deopts', function* () {
    yield creation(1, 'f');
    yield* times(
      2e6,
      (number) => `code-deopt,${number},100,${address(1)},-1,${number},lazy,<file://${root}/a.js:${number}:1>,reason\n`,
    );
    yield* times(1000, (number) => tick(number, [address(1)]));
  }),
  log('stacks of 8 000 000 ticks, as of hours of a service', function* () {
    yield* times(2000, (number) => creation(number, `f${number}`));
    yield* times(8e6, (number) => tick(number, [address(number % 7), address(9), address(10), address(11)]));
  }),
  log('2 000 000 kinds of lines', () => times(2e6, (number) => `kind-${number},1\n`)),
];

function log(name: string, text: () => Iterable<string>): HostileInput {
  return {
    name: `a V8 log with ${name}`,
    write: (folder) =>
      writePieces(
        path.join(folder, 'isolate-0x1-7-v8.log'),
        (function* () {
          yield 'v8-version,13,6,233,17,-node.53,0\n';
          yield* text();
        })(),
      ),
  };
}

function addressOf(number: number): number {
  return 0x10000 + number * 256;
}

function address(number: number, offset = 0): string {
  return `0x${(addressOf(number) + offset).toString(16)}`;
}

function creation(number: number, name: string, size = 200, marker = '~'): string {
  return `code-creation,JS,10,${number},${address(number)},${size},${name} file://${root}/a.js:${(number % 1000) + 1}:1,0x1000,${marker}\n`;
}

function tick(number: number, [first = '', ...frames]: readonly string[]): string {
  return `tick,${first},${number * 1000},0,0x0,0${frames.map((frame) => `,${frame}`).join('')}\n`;
}
