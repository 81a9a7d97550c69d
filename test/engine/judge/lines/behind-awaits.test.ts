import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { linesOf } from './shown-lines.ts';

/** Lines on which time of `slow` below `f` is shown, by their numbers; `f` is an async function with this body. */
async function linesWith(
  body: string,
  drawing = 'g    g\nf    f\nslow slow',
  begin = 'async function f(x) {',
): Promise<string> {
  const text = `${begin}\n${body}\n}\nimport { slow } from 'dep';\n`;
  const files = { '/app/src/f.js': text, '/app/src/g.js': 'function g(x) { return f(x); }\n' };
  const lines = await linesOf(drawing, { files, functions: { slow: { url: '/app/node_modules/dep/index.js' } } });
  return lines.map((line) => line.replace(/: .* (\w+)( !)?$/, ' $1')).join(', ');
}

describe('what a function called before its first await', () => {
  for (const [where, body] of [
    ['a later statement', '  slow(x);\n  await x;\n  slow(x);'],
    ['a block', '  slow(x);\n  await x;\n  if (x) {\n    slow(x);\n  }\n  x.y = 1;'],
    ['a condition', '  slow(x);\n  if (await x) {\n    slow(x);\n  }'],
    ['the body of for await', '  slow(x);\n  for await (const y of x) {\n    slow(y);\n  }'],
    [
      'what follows a try that cannot be left without',
      '  slow(x);\n  try {\n    await x;\n  } catch {\n    return;\n  }\n  slow(x);\n  x();',
    ],
    ['a loop, which begins with an await', '  slow(x);\n  for (;;) {\n    await x;\n    slow(x);\n    x();\n  }'],
  ] as const)
    test(`is not in ${where}`, async () => assert.equal(await linesWith(body), '2 exact'));

  for (const [where, body] of [
    ['an await that may be left out', '  slow(x);\n  if (x) await x;\n  slow(x);\n  x();'],
    ['an await in a loop', '  slow(x);\n  for (const y of x) {\n    await y;\n  }\n  slow(x);\n  x();'],
    ['an await behind &&', '  slow(x);\n  x && (await x);\n  slow(x);\n  x();'],
    ['an error that is caught', '  slow(x);\n  try {\n    await x;\n  } catch {}\n  slow(x);\n  x();'],
    ['the next round of a loop', '  for (const y of x) {\n    slow(x);\n    await y;\n  }\n  slow(x);\n  x();'],
    ['a function of its own', '  slow(x);\n  x(async () => {\n    await x;\n  });\n  slow(x);\n  x();'],
  ] as const)
    test(`may be behind ${where}`, async () => assert.match(await linesWith(body), /^\d oneOf, \d oneOf$/));

  test('is never on a line that can only have run later, though no other names it', async () => {
    assert.equal(await linesWith('  x();\n  await x;\n  slow(x);'), '2 shared');
  });

  test('is not told apart where it may have gone on: at the top of a stack, and in a generator', async () => {
    const body = '  slow(x);\n  await x;\n  slow(x);\n  x();';
    assert.equal(await linesWith(body, 'f    f\nslow slow'), '2 oneOf, 4 oneOf');
    assert.equal(await linesWith(body, undefined, 'async function* f(x) {'), '2 oneOf, 4 oneOf');
  });
});
