import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';
import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { projectFile } from '../../test/helpers/project.ts';
import { temporaryProject } from '../../test/helpers/temporary-project.ts';
import { openFile, runCommand } from '../../test/helpers/vscode/commands.ts';
import { decorationWith, goToLine } from '../../test/helpers/vscode/editor.ts';
import { brightMarks, misplacedMarks, watchMarks } from './mark-watcher.ts';
import { vscodeForTests } from '../../test/helpers/vscode/open-vscode.ts';
import { profileTests } from '../../test/helpers/vscode/profile-tests.ts';

/** How many scripts are typed; `HOTSPAN_SCRIPTS=500 node --test lab/nightly/typing.test.ts` types more. */
const scripts = Number(process.env['HOTSPAN_SCRIPTS'] ?? 30);

const folder = temporaryProject({});
cpSync(projectFile('examples/shop'), folder, { recursive: true, verbatimSymlinks: true });
const file = path.join(folder, 'src/catalogue/catalogue.js');
const text = readFileSync(file, 'utf8');

const { page } = await vscodeForTests({ folder, settings: { 'editor.minimap.enabled': false, 'editor.fontSize': 8 } });

before(async () => {
  await profileTests(page);
  await openFile(page, 'src/catalogue/catalogue.js');
  await decorationWith(page, 'stack');
  expected.marks = await settledMarks(page);
});

/** What a person does somewhere in the file. Each is undone by as many undos as it takes. */
const edits = {
  typesAbove: async () => press('Home', 'Enter', 'ArrowUp', 'c', 'o', 'n', 's', 't', 'Space', 'x', ';', 'Enter', 'y'),
  typesComment: async () => press('Home', 'Enter', 'ArrowUp', '/', '/', 'Space', 'n', 'o', 't', 'e'),
  breaksTheLine: async () => press('End', 'Enter', 'a', 'Enter', 'b'),
  addsAtTheEnd: async () => press('End', 'Space', '+', 'Space', '1'),
  movesTheLineUp: async () => press('Alt+ArrowUp', 'Alt+ArrowUp', 'Alt+ArrowUp'),
  movesTheLineDown: async () => press('Alt+ArrowDown', 'Alt+ArrowDown'),
  duplicatesTheLine: async () => press('Shift+Alt+ArrowDown', 'Shift+Alt+ArrowDown'),
  deletesTheLine: async () => press('Control+Shift+K', 'Control+Shift+K'),
  pastesACopy: async () => press('Control+A', 'Control+C', 'Control+End', 'Control+V'),
  indents: async () => press('Control+]', 'Control+]', 'Control+['),
  undoes: async () => press('Control+Z', 'Control+Z', 'Control+Z'),
  waits: async () => page.waitForTimeout(1_200),
} as const;

const script = fc.record({
  line: fc.integer({ min: 1, max: text.split('\n').length }),
  edits: fc.array(fc.constantFrom(...Object.keys(edits)), { minLength: 1, maxLength: 4 }),
  pauseMs: fc.constantFrom(0, 20, 120),
});

for (const [number, { line, edits: names, pauseMs }] of fc.sample(script, { seed: 16, numRuns: scripts }).entries()) {
  test(`script ${number + 1}, line ${line}: ${names.join(', ')} (real clock)`, async () => {
    await goToLine(page, line);
    const watching = await watchMarks(page, expected.marks);
    pause.ms = pauseMs;
    for (const name of names) await Object.entries(edits).find(([key]) => key === name)?.[1]();
    await page.waitForTimeout(1_300);
    assert.deepEqual(await misplacedMarks(watching, graceMs), []);
    await putBack(page);
  });
}

/** How long a mark may be where VS Code has put it by itself. */
const graceMs = 250;
const pause = { ms: 0 };
const expected: { marks: readonly string[] } = { marks: [] };

/** The marks once they stay as they are: a run that ends brings them bright, one editor after the other. */
async function settledMarks(on: Page): Promise<readonly string[]> {
  const marks = await brightMarks(on);
  await on.waitForTimeout(1_500);
  const later = await brightMarks(on);
  return marks.length > 0 && marks.join() === later.join() ? later : settledMarks(on);
}

async function press(...keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key);
    if (pause.ms > 0) await page.waitForTimeout(pause.ms);
  }
}

/** As a checkout of what was there before. */
async function putBack(on: Page): Promise<void> {
  await runCommand(on, 'File: Revert File');
  writeFileSync(file, text);
  const wanted = expected.marks.join('\n');
  for (let attempt = 0; (await brightMarks(on)).join('\n') !== wanted; attempt++) {
    assert.ok(attempt < 50, `The marks of the file do not come back: ${(await brightMarks(on)).join('; ')}`);
    // The text may come after the key, which leaves the cursor at its end.
    await on.keyboard.press('Control+Home');
    await on.waitForTimeout(100);
  }
}
