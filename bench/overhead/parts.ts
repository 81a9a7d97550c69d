// Parts of the recorder alone, chosen by HOTSPAN_PARTS: bundled and loaded in place of the whole one.
import { watchCollections } from '../../recorder/preload/turns/collections.ts';
import { openOutput } from '../../recorder/preload/host/output.ts';
import { startProfiler } from '../../recorder/preload/profile/profiler.ts';
import { watchRequests } from '../../recorder/preload/requests/requests.ts';
import { findRun } from '../../recorder/preload/host/run.ts';
import { collectLiveScripts } from '../../recorder/preload/loaded-scripts/live-scripts.ts';
import { collectSourceMaps } from '../../recorder/preload/loaded-scripts/source-maps.ts';
import { openTurnLog } from '../../recorder/preload/turns/turn-log.ts';
import { watchCompiling } from '../../recorder/preload/loaded-scripts/watch-compiling.ts';
import { measureTurns } from '../../recorder/preload/turns/turns.ts';

const parts = new Set((process.env['HOTSPAN_PARTS'] ?? '').split(','));
const run = findRun(process.env);
if (run !== null) {
  const output = openOutput(run.directory, run.isolate);
  const log = openTurnLog(run, output);
  const maps = collectSourceMaps(run, output);
  const profiler = parts.has('profiler') ? startProfiler(run, output) : null;
  const collections = parts.has('collections') ? watchCollections(log) : null;
  const turns = parts.has('hooks') ? measureTurns(log, null) : null;
  const flushRequests = parts.has('requests') ? watchRequests(run, output, turns?.own ?? ((work) => work())) : null;
  if (parts.has('maps'))
    watchCompiling(
      maps,
      (work) => work(),
      () => undefined,
    );
  process.on('exit', () => {
    turns?.finish();
    flushRequests?.();
    collections?.finish();
    profiler?.stop();
    if (profiler !== null && parts.has('pulse')) collectLiveScripts(profiler, maps);
  });
}
