import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { test } from 'node:test';
import type { CommandHost } from '../../extension/commands/command-arguments.ts';
import { settings } from '../../protocol/ids.ts';
import { fake } from '../helpers/fake-vscode-module.ts';
import { is, keptResult, lateServices } from '../helpers/late-services.ts';

const { forgetResult } = await import('../../extension/commands/go-to.ts');
const { profileAgain } = await import('../../extension/commands/profile.ts');

/** The recordings on screen, the newest first. */
const shownIn = ({ results }: ReturnType<typeof lateServices>): readonly string[] =>
  results.all.map(({ summary }) => summary.recording);

const byFolder = { targetOf: (recording: string): string => recording.split('/')[1] ?? '' };

test('the result of another target stays, and the same target replaces its own', async () => {
  const services = lateServices(byFolder);
  const { results, written, open } = services;
  for (const recording of ['/core/1', '/web/1', '/core/2']) await open(recording);
  assert.deepEqual(shownIn(services), ['/core/2', '/web/1']);
  assert.equal(results.summary?.recording, '/core/2');
  assert.deepEqual(written, ['/core/1', '/web/1', '/core/2']);
});

test('two targets are read at once', async () => {
  const services = lateServices(byFolder);
  const opening = ['/core/1', '/web/1'].map(async (recording) => services.results.open(recording));
  services.answer('/web/1');
  services.answer('/core/1');
  await Promise.all(opening);
  assert.deepEqual(shownIn(services).toSorted(), ['/core/1', '/web/1']);
});

test('after a reload all results return, and one that cannot be read is only said in the log', async () => {
  const files = [keptResult('/a', 'a', 3), keptResult('/broken', 'b', 2), keptResult('/c', 'c', 1)];
  const services = lateServices({ read: async () => files });
  const { results, answer, logged } = services;
  const restoring = results.restore();
  await turn();
  answer('/a');
  await turn();
  answer('/broken', { type: 'failed', message: 'it is broken' });
  await turn();
  answer('/c');
  await restoring;
  assert.deepEqual(shownIn(services), ['/a', '/c']);
  assert.deepEqual(logged, ['/broken is not shown again: it is broken']);
  assert.deepEqual(fake.errors, []);
});

test('what another window shows or forgets is taken over, and read once', async () => {
  const files = [keptResult('/a', 'a', 1)];
  const services = lateServices({ read: async () => files });
  const { results, answer, asked, filesChanged } = services;
  const restoring = results.restore();
  await turn();
  answer('/a');
  await restoring;

  files.push(keptResult('/b', 'b', 2));
  filesChanged.fire();
  await turn();
  filesChanged.fire(); // While it is read.
  await turn();
  answer('/b');
  await turn();
  filesChanged.fire();
  await turn();
  assert.deepEqual(shownIn(services), ['/b', '/a']);
  assert.deepEqual(asked, ['/a', '/b']);

  files.shift();
  filesChanged.fire();
  await turn();
  await turn();
  assert.deepEqual(shownIn(services), ['/b']);
});

test('what this window has just shown is not read again because its file has come', async () => {
  const files: ReturnType<typeof keptResult>[] = [];
  const services = lateServices({ ...byFolder, read: async () => files });
  const { results, asked, filesChanged, open } = services;
  await results.restore();
  await open('/core/1');
  files.push(keptResult('/core/1', 'core', results.all[0]?.shownAt));
  filesChanged.fire();
  await turn();
  assert.deepEqual(asked, ['/core/1']);
});

test('clearing ends what is still to come of the results from before a reload', async () => {
  const files = [keptResult('/a', 'a', 2), keptResult('/b', 'b', 1)];
  const services = lateServices({ read: async () => files });
  const { results, answer, asked } = services;
  const restoring = results.restore();
  await turn();
  await results.clear();
  answer('/a');
  await restoring;
  assert.deepEqual(shownIn(services), []);
  assert.deepEqual(asked, ['/a']);
});

test('at another threshold, and with other open folders, each result is read again, and they keep their order', async () => {
  const services = lateServices(byFolder);
  const { answer, asked, open } = services;
  for (const recording of ['/core/1', '/web/1']) await open(recording);
  const before = shownIn(services);
  const threshold = { affectsConfiguration: (name: string) => name === settings.threshold };
  for (const change of [() => fake.changedConfiguration.fire(threshold), () => fake.changedFolders.fire()]) {
    change();
    for (const recording of before) {
      answer(recording);
      await turn();
      await turn();
    }
  }
  assert.deepEqual(asked.slice(2), [...before, ...before]);
  assert.deepEqual(shownIn(services), before);
});

test('what is left out to save memory is said in the log, and does not come back', async () => {
  const forgotten: string[] = [];
  const services = lateServices({ ...byFolder, forget: async (target) => void forgotten.push(target) });
  const { logged, open } = services;
  await open('/core/1');
  await open('/web/1', undefined, ['core']);
  assert.deepEqual(shownIn(services), ['/web/1']);
  assert.deepEqual(forgotten, ['core']);
  assert.match(
    logged.join('\n'),
    /The result of npm test is no longer shown, because there is memory for eight results, or fewer large ones: open its recording again\./,
  );
});

test('a second click on Forget Result leaves the other result, and Profile Again of a row that is gone, or of a profile that was opened, runs nothing else', async (t) => {
  const late = lateServices(byFolder);
  for (const recording of ['/core/1', '/web/1']) await late.open(recording);
  const started: unknown[] = [];
  const start = async (target: unknown): Promise<void> => void started.push(target);
  const runs = { lastTarget: { id: 'core' }, targetOf: () => undefined, start };
  const host = { services: late.services, runs };
  assert.ok(is<CommandHost>(host));
  await forgetResult(host, { target: 'web' });
  await forgetResult(host, { target: 'web' });
  assert.deepEqual(shownIn(late), ['/core/1']);

  t.after(() => fake.errors.splice(0));
  await profileAgain(host, { target: 'web' });
  const opened = { target: '/opened', isOurs: false, summary: { recording: '/opened' } };
  const other = { services: { ...late.services, results: { all: [opened] } }, runs };
  assert.ok(is<CommandHost>(other));
  await profileAgain(other, { recording: '/opened' });
  assert.deepEqual(started, []);
  await profileAgain(host, undefined);
  assert.deepEqual(started, [runs.lastTarget]);
});
