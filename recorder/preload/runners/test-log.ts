import { testsSuffix } from '../../../protocol/recording.ts';
import { now } from '../host/clock.ts';
import { host } from '../host/host.ts';
import { openLineLog } from '../host/line-log.ts';
import type { Output } from '../host/output.ts';
import type { Run } from '../host/run.ts';
import type { TestLine } from '../../../protocol/recording-lines.ts';

/** When which test ran in this isolate. */
export interface TestLog {
  /** `titles` outermost first; `parent`: the test that waits for this one, of {@link TestLog.begin}. */
  readonly begin: (test: RunningTest) => number;
  readonly end: (id: number) => void;
  /** Tests of this file run at the same time, and nothing tells which of them has the thread. Said once for each. */
  readonly cannotTell: (file: string) => void;
  /** All tests of a file are over: the thread may be stopped now, without a word. */
  readonly endFile: () => void;
  /** Writes what is there; what cannot be written waits for the next time. */
  readonly flush: () => void;
}

export interface RunningTest {
  /** Absolute path; `''` where it is not known. */
  readonly file: string;
  readonly titles: readonly string[];
  readonly parent: number | null;
}

/** `own` marks the recorder's work. */
export function openTestLog(run: Run, output: Output, own: (work: () => void) => void): TestLog {
  const log = openLineLog<TestLine>(`${run.isolate}${testsSuffix}`, output, own, (line) => host.toJson(line));
  const state = { count: 0 };
  const untold = new Set<string>();
  return {
    begin: ({ file, titles, parent }) => {
      state.count += 1;
      const id = state.count;
      const names = titles.slice(0, mostTitles).map((title) => title.slice(0, longestTitle));
      if (id <= mostTests) log.add(['begin', now(), id, file, names, parent ?? -1]);
      return id;
    },
    end: (id) => {
      if (id <= mostTests) log.add(['end', now(), id]);
    },
    cannotTell: (file) => {
      if (untold.has(file)) return;
      untold.add(file);
      log.add(['untold', now(), file]);
    },
    endFile: log.flushNow,
    flush: log.flush,
  };
}

/** What comes later has no test: some 20 MB are enough. */
const mostTests = 100_000;
const mostTitles = 20;
const longestTitle = 200;
