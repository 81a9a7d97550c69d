import path from 'node:path';
import { type HostileInput, list, root, times, writePieces } from './hostile-input.ts';

/** What a trace of Chrome can contain. */
export const traces: readonly HostileInput[] = [
  trace('1 000 000 pieces of one profile', () => [
    head(1, 1, '0x1'),
    ...times(1e6, (number) => piece(1, '0x1', number)),
  ]),
  trace('50 000 profiles of one process', function* () {
    for (let number = 0; number < 5e4; number++) {
      yield head(1, number, `0x${number}`);
      yield piece(1, `0x${number}`, 0);
    }
  }),
  trace('50 000 processes', function* () {
    for (let number = 0; number < 5e4; number++) {
      yield head(number, number, '0x1');
      yield piece(number, '0x1', 0);
    }
  }),
  trace('an event of 300 MB', () => [
    head(1, 1, '0x1'),
    piece(1, '0x1', 0),
    `{"name":"ProfileChunk","x":"${'x'.repeat(3e8)}"}`,
  ]),
  trace('3 000 000 events of something else', () =>
    times(3e6, (number) => `{"name":"RunTask","ph":"X","pid":1,"ts":${number},"args":{}}`),
  ),
  {
    name: 'a trace of 100 000 000 brackets',
    write: (folder) =>
      writePieces(
        path.join(folder, 'trace.json'),
        (function* () {
          yield '{"traceEvents":[';
          for (let number = 0; number < 1000; number++) yield '[{"a":'.repeat(16_000);
        })(),
      ),
  },
];

function trace(name: string, events: () => Iterable<string>): HostileInput {
  return {
    name: `a trace with ${name}`,
    write: (folder) =>
      writePieces(
        path.join(folder, 'trace.json'),
        (function* () {
          yield '{"traceEvents":[';
          yield* list(events());
          yield ']}';
        })(),
      ),
  };
}

function head(pid: number, tid: number, id: string): string {
  return `{"name":"Profile","ph":"P","id":"${id}","pid":${pid},"tid":${tid},"ts":1000000,"args":{"data":{"startTime":1000000}}}`;
}

function piece(pid: number, id: string, number: number): string {
  const above = number === 0 ? '' : ',"parent":1';
  const node = `{"id":${number + 1},"callFrame":{"functionName":"f${number}","url":"file://${root}/a.js","scriptId":1,"lineNumber":${number},"columnNumber":0}${above}}`;
  return `{"name":"ProfileChunk","ph":"P","id":"${id}","pid":${pid},"tid":1,"ts":${1e6 + number},"args":{"data":{"cpuProfile":{"nodes":[${node}],"samples":[${number + 1}]},"timeDeltas":[1000],"lines":[${number + 1}]}}}`;
}
