import type { OwnCode } from './boot.ts';
import { attempt, host } from './host/host.ts';
import { writeFile } from './host/output.ts';

/** A parameter of the function that boot.ts puts around the recorder. */
declare const hotspanCode: OwnCode;

/**
 * Keeps the code that V8 has compiled of the recorder, for later processes. Only a short process does it, at its end,
 * since V8 drops code that was not used for a while. It takes 2 ms, once for each version of Node.
 */
export function keepCode(): void {
  const { file, script } = hotspanCode;
  // Code with counters for coverage is slower.
  if (file === null || host.performanceNow() > longestLife || process.env['NODE_V8_COVERAGE'] !== undefined) return;
  const unfinished = `${file}.${process.pid}-${host.wallClock().toString(36)}.tmp`;
  try {
    writeFile(unfinished, 'w', '');
    const code = script.createCachedData();
    for (let copy = 0; copy < 2; copy += 1) writeFile(unfinished, 'a', code);
    host.renameSync(unfinished, file);
  } catch {
    // The folder is read-only, or full.
    attempt(() => host.unlinkSync(unfinished));
  }
}

/** Time in ms since the start of the process after which no code is kept. */
const longestLife = 10_000;
