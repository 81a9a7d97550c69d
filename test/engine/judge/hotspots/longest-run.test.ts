import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DrawnOptions, hotspotsOf, ms } from '../../../helpers/drawn-hotspots.ts';
import { longestRun } from '../../../../engine/judge/hotspots/function-details.ts';

async function runOf(name: string, drawing: string, options: DrawnOptions = {}): Promise<number> {
  const { analysis } = await hotspotsOf(drawing, options);
  const fn = analysis.functions.functions.find((one) => one.name === name) ?? assert.fail();
  return longestRun(analysis, fn.id);
}

test('a run goes on while sample after sample holds the function, whatever it calls', async () => {
  const drawing = `
    handler handler handler handler handler handler
    parse   parse   .       parse   parse   parse
    .       read    .       .       parse   read
  `;
  assert.equal(await runOf('parse', drawing), ms(3));
  assert.equal(await runOf('handler', drawing), ms(6));
});

test('a collection does not break it, the end of an operation does', async () => {
  assert.equal(await runOf('parse', 'parse (gc) parse'), ms(3));
  const turns = '0-2 2-5';
  assert.equal(await runOf('parse', 'parse parse parse parse parse', { turns }), ms(3));
});

test('it begins and ends with its operation, not with its samples', async () => {
  assert.equal(await runOf('parse', '(idle) parse parse (idle)', { turns: [[0.5, 3.5]] }), ms(2.5));
});

test('what a function does in a worker of the program counts where it does nothing else', async () => {
  assert.equal(await runOf('parse', 'parse parse parse', { worker: 'background' }), ms(3));
});
