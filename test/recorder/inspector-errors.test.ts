import assert from 'node:assert/strict';
import inspector from 'node:inspector';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { setImmediate } from 'node:timers/promises';
import vm from 'node:vm';
import { call, replace } from '../../recorder/preload/host/host.ts';
import { openOutput } from '../../recorder/preload/host/output.ts';
import { textKeeper, collectLiveScripts } from '../../recorder/preload/loaded-scripts/live-scripts.ts';
import { collectSourceMaps } from '../../recorder/preload/loaded-scripts/source-maps.ts';
import { startProfiler } from '../../recorder/preload/profile/profiler.ts';
import { temporaryProject } from '../helpers/temporary-project.ts';
import { threadRun } from '../helpers/thread-run.ts';

const directory = temporaryProject({});
const run = threadRun({ directory, isolate: '9-0-x' });
const output = openOutput(directory, run.isolate);

/** What Node would print into the output of the program. */
async function warningsOf(work: () => void): Promise<readonly string[]> {
  const warnings: string[] = [];
  const note = ({ message }: Error): void => void warnings.push(message);
  process.on('warning', note);
  work();
  await setImmediate();
  process.off('warning', note);
  return warnings;
}

test('a profile that the inspector does not have leaves no warning', async () => {
  process.env['NODE_V8_COVERAGE'] = ''; // So parts are taken by Profiler.stop.
  const profiler = startProfiler(run, output);
  profiler.session()?.post('Profiler.stop');
  assert.deepEqual(await warningsOf(profiler.stop), []);
});

test('the source of a script that the inspector does not have leaves no warning', async () => {
  let refused = 0;
  replace(
    inspector.Session.prototype,
    'post',
    (original) =>
      function (method, params, answer) {
        const isSource = method === 'Debugger.getScriptSource';
        if (isSource) refused += 1;
        return call(original, this, isSource ? [method, { scriptId: 'none' }, answer] : [method, params, answer]);
      },
  );
  const url = pathToFileURL(`${directory}/gone.js`).href;
  const live: unknown = vm.runInThisContext('() => 1', { filename: url });
  const session = new inspector.Session();
  session.connect();
  const sampled = { urls: () => [url], textsOnDisk: () => null, hasFunctionsIn: () => false };
  const seen = { session: () => session, sampled };
  assert.deepEqual(await warningsOf(() => collectLiveScripts(seen, collectSourceMaps(run, output))), []);
  assert.deepEqual(await warningsOf(textKeeper(run, output, seen)), []);
  assert.equal(call(live, undefined, []), 1);
  assert.equal(refused, 2);
});

test('a recording that is over asks the inspector nothing more', () => {
  const profiler = startProfiler(run, output);
  profiler.discard();
  assert.equal(profiler.session(), null);
  collectLiveScripts(profiler, collectSourceMaps(run, output));
});
