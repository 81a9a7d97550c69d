// Each command of Hotspan that runs in a repository, in each state of one, with each way to end: is every file of the
// repository and around it as it was? `-- WORD …` takes the states with a word in their name.
import { writeFileSync } from 'node:fs';
import { figure } from '../../figure.mjs';
import { untouched } from '../../../test/helpers/untouched.ts';
import { budgetOf, cellsOf, runCell } from './cells.ts';
import { type State, states } from './states.ts';
import { openWorld } from './world.ts';

const words = process.argv.slice(2);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
const chosen = Object.entries(states).filter(
  ([name]) => words.length === 0 || words.some((word) => name.includes(word)),
);
const counts = { cells: 0, traces: 0, ends: 0 };
for (const [name, state] of chosen) {
  await walk(name, state);
  console.log(`${name}: done`);
}
const { cells, traces, ends } = counts;
console.log(`${cells} cells of ${chosen.length} states: ${traces} with a trace, ${ends} with another end`);
figure('cells with a trace', traces);
figure('cells with another end', ends);
process.exitCode = traces + ends === 0 ? 0 : 1;

/** Runs all cells of a state, and prints what is wrong with each. */
async function walk(name: string, state: State): Promise<void> {
  const world = openWorld(state);
  const budget = budgetOf(world);
  writeFileSync(budget, '{ "version": 1, "whole": { "worstMs": 60000 } }\n');
  for (const cell of cellsOf(state, budget)) {
    const check = untouched(world.folder);
    const wrong = await runCell(cell, world);
    counts.cells += 1;
    if (wrong.length > 0) counts.ends += 1;
    for (const one of wrong) console.log(`${name}: ${cell.name}: ${one}`);
    try {
      check();
    } catch (error) {
      counts.traces += 1;
      console.log(`${name}: ${cell.name}: a trace: ${error instanceof Error ? error.message.slice(0, 3000) : ''}`);
    }
  }
  world.close();
}
