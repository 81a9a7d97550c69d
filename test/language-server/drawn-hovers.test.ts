import assert from 'node:assert/strict';
import path from 'node:path';
import { after, test } from 'node:test';
import { drawnStates as folder } from '../helpers/drawn-states.ts';
import { startLanguageClient } from '../helpers/language-client.ts';
import { lineOf } from '../helpers/source-line.ts';

const client = await startLanguageClient(folder);
after(client.close);

/** Checks what the hovers of lines say, each named by a text that it is the first to have. */
async function assertHovers(name: string, file: string, expected: readonly (readonly [string, RegExp])[]) {
  await client.openRecording(path.join(folder, name));
  const source = path.join(folder, file);
  for (const [line, text] of expected) assert.match(await client.hover(source, lineOf(source, line) - 1), text);
}

test('a hover says what a function waited for, loaded and collected, and what its line has of it', async () => {
  await assertHovers('facts', 'src/app.ts', [
    ['silent', /During its worst time it waited 25 ms for something that its stack does not show/],
    ['map', /≈30 ms of it on this line/],
    ['lazy', /Loading of modules: \d+ % of its time\./],
    ['garbage', /Garbage collection: \d+ % of its own time\./],
    ['held', /Its worst time took/],
  ]);
});

test('a hover has the remedy that fits its line, and how the line would be', async () => {
  await assertHovers('remedies', 'src/remedies.js', [
    ['return gzipSync', /The same function without `Sync` compresses in the thread pool/],
    ['return execSync', /The loop waits for the other process\./],
    ['return readFileSync', /return await readFile\(file\); \/\/ in an async function/],
    ['return buildSync', /This package has the same function without `Sync`, which leaves the loop free\./],
    ['socket.write', /await nextTurn\(\); \/\/ other code runs here: it must not change what you read/],
    ['bcrypt.hashSync', /`bcryptjs` computes in JavaScript, on the loop\./],
    ['CryptoJS.AES', /This package computes in JavaScript, on the loop\./],
    ['pako.deflate', /This package compresses in JavaScript, on the loop\./],
    ['return require', /Loading a module here makes the first caller wait\./],
    ['list.sort', /Sorting holds the loop until it is done\./],
    ['of rows) all', /\/\/ where no other code holds all yet/],
    ['return new Error', /Capturing a stack costs far more than a line of log\./],
    ['return JSON.parse', /\/\/ what lies deeper stays shared/],
  ]);
});
