import type { OwnCode } from './boot.ts';
import { attempt, host } from './host/host.ts';
import { writeFile } from './host/output.ts';

/** Given by boot.ts, around the whole of the recorder. */
declare const hotspanCode: OwnCode;

/**
 * Keeps what V8 has compiled of the recorder so far, for the processes to come: at the end of one that was short, since V8
 * forgets what is not used for a while. Takes 2 ms, once for each Node.
 */
export function keepCode(): void {
  const { file, script } = hotspanCode;
  // Code that counts for a coverage is slower.
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
