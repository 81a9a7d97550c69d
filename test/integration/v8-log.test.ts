import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { nodeVersion } from '../helpers/node-versions.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';
import { compareWithV8, logOf } from '../../lab/tiers/compare-with-v8.ts';

/** `npm --prefix lab run tiers` does the same with public programs on every Node version. */
const { node } = nodeVersion('24');

const program = `
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
class Shape { area() { return this.side * this.side; } }
class Square extends Shape { constructor(side) { super(); this.side = side; } }
const sum = (shapes) => shapes.reduce((all, shape) => all + shape.area(), 0);
const evaluated = eval('(function evaluated(n) { let s = 0; for (let i = 0; i < n; i++) s += fib(8); return s; })');
function again() { return new Function('n', 'return n + 1')(1); }
while (process.cpuUsage().user < 700_000) {
  fib(18);
  sum(Array.from({ length: 2000 }, (_, side) => new Square(side)));
  evaluated(50);
  again();
  JSON.parse(JSON.stringify({ text: 'a,b'.repeat(500) })).text.replace(/a+,/g, '-').split('-').sort();
}
`;

const folder = temporaryProject({ 'program.cjs': program });
const logWith = (flags: readonly string[]): string =>
  logOf({ node, flags, command: ['program.cjs'], cwd: folder }, path.join(folder, 'logs'));

test("the engine reads the same stacks and tiers as V8's own tick processor", async () => {
  const { ticks, equal, frames, inlined, lines, differences, warnings } = await compareWithV8(logWith([]), node);
  assert.ok(ticks > 100, `${ticks} ticks`);
  assert.ok(equal >= ticks * 0.999, differences.slice(0, 3).join('\n'));
  assert.ok((frames['turbofan'] ?? 0) > 0 && inlined > 0);
  assert.ok(lines.known >= lines.all * 0.25, `${lines.known} of ${lines.all} lines`);
  assert.deepEqual(warnings, []);
});

const oneTier = {
  ignition: ['--no-opt', '--no-sparkplug', '--no-maglev'],
  sparkplug: ['--always-sparkplug', '--no-opt', '--no-maglev'],
};

for (const [tier, flags] of Object.entries(oneTier)) {
  test(`a run in which V8 has nothing but ${tier} shows nothing else`, async () => {
    const { frames } = await compareWithV8(logWith(flags), node);
    assert.deepEqual(Object.keys(frames), [tier]);
  });
}
