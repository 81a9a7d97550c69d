import { testsSuffix } from '../../../protocol/recording.ts';
import { now } from '../host/clock.ts';
import { host } from '../host/host.ts';
import { type Output, openLineLog } from '../host/output.ts';
import type { Run } from '../host/run.ts';
import type { TestLine } from '../../../protocol/recording-lines.ts';

/** Notes when each test ran in this isolate. */
export interface TestLog {
  /** Notes the begin of a test, and returns its id. */
  readonly begin: (test: RunningTest) => number;
  readonly end: (id: number) => void;
  /** Tests of this file run at the same time, and nothing tells which of them is running. Noted once for each file. */
  readonly cannotTell: (file: string) => void;
  /** All tests of a file are over: now the thread may be stopped at any time, without notice. */
  readonly endFile: () => void;
  /** Writes the collected lines. What cannot be written stays for the next time. */
  readonly flush: () => void;
}

export interface RunningTest {
  /** Absolute path; empty where it is not known. */
  readonly file: string;
  /** The titles of its suites and its own, outermost first. */
  readonly titles: readonly string[];
  /** Id of the test that waits for this one; null where there is none. */
  readonly parent: number | null;
}

/** `own` runs the recorder's own work. */
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

/** Later tests are not noted: some 20 MB are enough. */
const mostTests = 100_000;
const mostTitles = 20;
const longestTitle = 200;
