/** V8 logs drawn as text. */

/**
 * Draws a V8 log of Node 24. Each row of the drawing is one record:
 * - `~ add 1000 100`: code of that function, by its marker (`~ ^ + * o*`), address (hex) and size. Behind it may stand its
 *   positions, what is inlined into it, and the inlined functions: `* main 2000 100 C0O20C10O5I0 F0O25 add`
 * - `builtin 3000 100`, `regexp 4000 100`: other code
 * - `tick 1005 2010`: a tick in JavaScript, a millisecond after the one before: program counter, then frames. Other states:
 *   `tick:gc`, `tick:idle`, `tick:parser`
 * - `move 1000 5000`: of code
 * - anything with a comma stands in the log as it is
 *
 * Functions are of script 7, `/app/a.js`; `at` says where: offset, line, column.
 */
export function drawLog(drawing: string, at: Readonly<Record<string, readonly [number, number, number]>> = {}): string {
  let time = 0;
  const rows = drawing
    .split('\n')
    .map((row) => row.trim())
    .filter((row) => row !== '');
  const lines = rows.map((row) => {
    if (row.includes(',')) return row;
    const [word = '', ...rest] = row.split(/\s+/);
    if (word.startsWith('tick')) time += 1000;
    return lineOf(word, rest, time, at);
  });
  return `${['v8-version,13,6,233,17,-node.53,0', ...lines].join('\n')}\n`;
}

type Places = Parameters<typeof drawLog>[1];

function lineOf(word: string, rest: readonly string[], time: number, at: Places): string {
  const [first = '', second = '', third = ''] = rest;
  if (word === 'move') return `code-move,0x${first},0x${second}`;
  if (word === 'builtin') return `code-creation,Builtin,2,${time},0x${first},${second},Some_Builtin`;
  if (word === 'regexp') return `code-creation,RegExp,3,${time},0x${first},${second},a+`;
  if (word.startsWith('tick')) {
    const frames = rest.slice(1).map((frame) => `,0x${frame}`);
    return `tick,0x${first},${time},0,0x0,${stateNumbers[word.slice(5)] ?? 0}${frames.join('')}`;
  }
  const [offset, line, column] = at?.[first] ?? [0, 1, 1];
  const creation = `code-creation,JS,9,${time},0x${second},${third},${first} /app/a.js:${line}:${column},0x${sfiOf(first)},${word}`;
  const [positions = '', inlined = '', ...functions] = rest.slice(3);
  const sfis = functions.map((name) => `S0x${sfiOf(name)}`).join('');
  return `${creation}\ncode-source-info,0x${second},7,${offset},${offset + 100},${positions},${inlined},${sfis}`;
}

const stateNumbers: Readonly<Record<string, number>> = { gc: 1, parser: 2, external: 6, idle: 8 };

/** An address for each name. */
function sfiOf(name: string): string {
  return (
    0xf00000 +
    name.split('').reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 65_521, 7) * 16
  ).toString(16);
}
