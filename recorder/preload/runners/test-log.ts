import { testsSuffix } from '../../../protocol/recording.ts';
import type { TestLine, TestOutcome } from '../../../protocol/recording-lines.ts';
import { host, now } from '../host/host.ts';
import { type Output, openLineLog } from '../host/output.ts';
import type { Run } from '../host/run.ts';

/** Notes when each test ran in this isolate. */
export interface TestLog {
  /** Notes the begin of a test, and returns its id. */
  readonly begin: (test: RunningTest) => number;
  readonly end: (id: number, outcome: TestOutcome) => void;
  /** Notes, once for each file, that its tests run at the same time, so that the running one is not known. */
  readonly cannotTell: (file: string) => void;
  /** Notes, once, that a test file was loaded of whose tests nothing is known. */
  readonly unreported: () => void;
  /** Writes at once: after the last test of a file the thread may be stopped without notice. */
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
  const state = { count: 0, isUnreported: false };
  const untold = new Set<string>();
  return {
    begin: ({ file, titles, parent }) => {
      state.count += 1;
      const id = state.count;
      const names = titles.slice(0, 20).map((title) => title.slice(0, 200));
      if (id <= MAX_TESTS) log.add(['begin', now(), id, file, names, parent ?? -1]);
      return id;
    },
    end: (id, outcome) => {
      if (id <= MAX_TESTS) log.add(['end', now(), id, outcome]);
    },
    cannotTell: (file) => {
      if (untold.has(file)) return;
      untold.add(file);
      log.add(['untold', now(), file]);
    },
    unreported: () => {
      if (!state.isUnreported) log.add(['unreported', now()]);
      state.isUnreported = true;
    },
    endFile: log.flushNow,
    flush: log.flush,
  };
}

/** Some 20 MB; later tests are not noted. */
const MAX_TESTS = 100_000;
