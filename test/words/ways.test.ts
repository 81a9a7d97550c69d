import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { milliseconds } from '../../protocol/units.ts';
import {
  type EmptyState,
  emptyStates,
  noHotspot,
  nothingToRun,
  notAnalyzed,
  notRecorded,
  nothingProfiled,
  resultState,
  ways,
} from '../../words/editor/ways.ts';
import { projectFile } from '../helpers/project.ts';
import { bcrypt, nothing } from './result-facts.ts';

test('every state in which there is nothing has a button that leads on', () => {
  const states: readonly (EmptyState | null)[] = [
    ...Object.values(emptyStates),
    noHotspot(milliseconds(10)),
    notRecorded('pnpm', 127),
    notRecorded(null, 1),
    nothingProfiled('npm test', 127),
    notAnalyzed('It is too large.'),
    nothingToRun('There are no tests.', true),
    nothingToRun('No folder is open.', false),
    resultState(nothing),
    resultState({ ...nothing, isForeign: true }),
    resultState({ ...nothing, isUnseen: true }),
    resultState({ ...nothing, blame: bcrypt }),
  ];
  for (const state of states) {
    assert.ok(state !== null && state.ways.length > 0, state?.message);
    assert.ok(state.ways.length <= 3, 'a notification has room for three');
  }
});

test('what helps depends on what was found', () => {
  assert.deepEqual(resultState(nothing)?.ways, ['lowerThreshold', 'toggleMetric']);
  assert.deepEqual(resultState({ ...nothing, isForeign: true })?.ways, ['openFolder', 'openFlamegraph']);
  assert.equal(resultState({ ...nothing, blame: bcrypt })?.ways[0], 'openFlamegraph');
  assert.ok(nothingToRun('No folder is open.', false).ways.includes('openFolder'));
});

test('every button of ours is a command that there is', () => {
  const manifest = readFileSync(projectFile('package.json'), 'utf8');
  for (const { command } of Object.values(ways))
    if (command.startsWith('hotspan.')) assert.ok(manifest.includes(`"command": "${command}"`), command);
});

test('a command that is not there is named', () => {
  assert.match(notRecorded('pnpm', 127).message, /^pnpm could not be started: install it, or choose another target\./);
  assert.match(notRecorded('pnpm', 1).message, /^The command could not be recorded\./);
});
