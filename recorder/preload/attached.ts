import { threadId } from 'node:worker_threads';
import type { ThreadFacts } from '../../protocol/recording-lines.ts';
import {
  asText,
  attempt,
  call,
  host,
  internal,
  isLoaded,
  isObject,
  leaveProgram,
  now,
  stackBelow,
} from './host/host.ts';
import type { LineOutput } from './host/output.ts';
import { watchRequests } from './requests/requests.ts';
import { watchCollections } from './turns/collections.ts';
import { openTurnLog } from './turns/turn-log.ts';
import { measureTurns } from './turns/turns.ts';
import { systemThread } from './host/run.ts';

/** The recorder in a thread that ran before. The launcher calls these through the inspector. */
interface AttachedRecorder {
  readonly facts: ThreadFacts;
  /** The launcher takes the profile, until `resume`. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** The launcher is there. */
  readonly beat: () => void;
  /** Sends the rest and leaves the program as it was. */
  readonly end: () => void;
}

/**
 * Measures turns, collections and requests from here on, and sends their lines as JSON `[file, lines]`. Null where this
 * thread is recorded already. The profile is the launcher's. Without a beat for half a minute it ends by itself: then the
 * launcher was killed.
 */
export function begin(emit: (text: string) => void, isolate: string): AttachedRecorder | null {
  if (isLoaded()) return null;
  const state = { isOver: false, resume: nothing, missed: 0 };
  const recorded = record(isolate, {
    append: (file: string, lines: string) => attempt(() => emit(host.toJson([file, lines]))),
    isClosed: () => state.isOver,
  });
  const end = (): void => {
    if (state.isOver) return;
    host.clearInterval(watch);
    state.resume();
    recorded.end();
    state.isOver = true;
    leaveProgram();
  };
  const watch = host.setInterval(() => {
    state.missed += 1;
    attempt(state.missed > MAX_MISSED ? end : recorded.sumUp);
  }, 10_000);
  watch.unref();
  return {
    facts: { ...systemThread(), threadId, at: now(), machine: machine() },
    pause: () => {
      state.resume = recorded.beginOwn();
    },
    resume: () => {
      state.resume();
      state.resume = nothing;
      recorded.sumUp();
    },
    beat: () => {
      state.missed = 0;
    },
    end,
  };
}

function record(isolate: string, output: LineOutput) {
  const log = openTurnLog({ isolate }, output);
  const turns = measureTurns(log, watchCollections(log), hasInterrupted() ? 'within a turn' : 'between turns');
  const flushRequests = watchRequests({ isolate }, output, turns.own);
  return {
    beginOwn: turns.beginOwn,
    sumUp: () =>
      turns.own(() => {
        flushRequests();
        turns.sumUp();
      }),
    end: () => {
      attempt(turns.stop);
      attempt(turns.finish);
      attempt(flushRequests);
    },
  };
}

/** Whether the inspector has interrupted a callback: its frames are then below those of the evaluated script. */
function hasInterrupted(): boolean {
  const stack = stackBelow(hasInterrupted, 10);
  const sites = Array.isArray(stack) ? stack.filter(isObject) : [];
  const [own, ...scripts] = sites.map((site) => asText(call(internal(site, 'getScriptNameOrSourceURL'), site, [])));
  return scripts.some((script) => script !== own);
}

function nothing(): void {}

/** In periods of 10 s. */
const MAX_MISSED = 3;

/** The machine's boot and the process's namespace. */
function machine(): string {
  try {
    return host.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8') + host.readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
