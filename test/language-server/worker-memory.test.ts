import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startAnalysis } from '../../language-server/recordings/analysis-process.ts';
import { milliseconds } from '../../protocol/units.ts';
import { projectFile } from '../helpers/project.ts';

const open = async (recording: string): Promise<unknown> => {
  const options = { thresholdUs: milliseconds(10), testPatterns: [] };
  const analysis = startAnalysis(projectFile('test/language-server/greedy-worker.ts'), 32);
  try {
    const asked = { recording, more: [], isOurs: false, isShown: false, marked: [], roots: [], options };
    return await analysis.open(asked, () => undefined);
  } finally {
    analysis.dispose();
  }
};

const tooLarge = {
  message: 'The recording is too large for the memory that there is: record a shorter run, or with a longer interval.',
};

test('a recording that needs all memory of the analysis ends it with one sentence, and nothing else', async () => {
  await assert.rejects(open('/objects'), tooLarge);
  await assert.rejects(open('/objects'), tooLarge);
});

test('so does one for whose arrays the system has no memory', async () => {
  await assert.rejects(open('/arrays'), tooLarge);
});
