import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import type { LogOutputChannel } from 'vscode';
import type { KeptResult, KeptResults } from '../../extension/results/kept-results.ts';
import type { Server } from '../../extension/results/server.ts';
import type { Services } from '../../extension/results/results.ts';
import type { OpenAnswer, Request } from '../../protocol/requests.ts';
import type { Summary } from '../../protocol/summary.ts';
import { fakeVscode } from './fake-vscode.ts';
import { FakeEmitter } from './fake-vscode-module.ts';

fakeVscode();
const { LastRun } = await import('../../extension/results/last-run.ts');
const { Results } = await import('../../extension/results/results.ts');

interface LateOptions {
  readonly isStarted?: boolean;
  /** What happens when the workspace is told to forget a result. */
  readonly forget?: (target: string) => Promise<void>;
  /** What the workspace shows, as its files say. */
  readonly read?: () => Promise<readonly KeptResult[]>;
  /** Names the target of a recording: by default all are of one. */
  readonly targetOf?: (recording: string) => string;
}

/** A result as a file of the workspace has it. */
export function keptResult(recording: string, target = 'tests', shownAt = 1): KeptResult {
  return { target, isOurs: true, shownAt, recordings: [recording] };
}

/** The results over a server that answers when it is told to. */
export function lateServices({
  isStarted = false,
  forget = async () => undefined,
  read = async () => [],
  targetOf = () => 'tests',
}: LateOptions = {}) {
  const asked: string[] = [];
  const logged: string[] = [];
  const questions: { recording: string; resolve: (answer: OpenAnswer) => void; reject: (error: Error) => void }[] = [];
  const ask = async (recording: string): Promise<OpenAnswer> =>
    new Promise((resolve, reject) => {
      asked.push(recording);
      questions.push({ recording, resolve, reject });
    });
  const server = {
    onDidChangeColumns: new FakeEmitter().event,
    isStarted,
    onDidRestart: new FakeEmitter().event,
    ask: async ({ method }: Request<unknown, unknown>, params: { readonly recording: string } | null) =>
      ask(params?.recording ?? method),
    about: async (recording: string, name: string) => ask(`${name} ${recording}`),
  };
  const write = (text: unknown): void => void logged.push(String(text));
  const log = { error: write, warn: write, info: write, debug: () => undefined };
  const filesChanged = new FakeEmitter();
  const written: string[] = [];
  const kept = {
    onDidChange: filesChanged.event,
    watch: async () => undefined,
    resultOf: ([recording]: KeptResult['recordings'], shownAt: number) =>
      keptResult(recording, targetOf(recording), shownAt),
    keep: async ({ recordings: [recording] }: KeptResult) => written.push(recording) > 0,
    forget,
    read,
  };
  assert.ok(is<Server>(server) && is<LogOutputChannel>(log) && is<KeptResults>(kept));
  const results = new Results(server, log, kept);
  const services = { server, results, log, lastRun: new LastRun(log), measuring: new Set() };
  assert.ok(is<Services>(services));
  const take = (recording: string) => {
    const index = questions.findIndex((one) => one.recording === recording);
    const [question] = index < 0 ? [] : questions.splice(index, 1);
    return question ?? assert.fail(`${recording} was not asked for`);
  };
  const summaryOf = (recording: string): Summary => {
    const texts = { recording, more: [], title: 'npm test', where: '', warnings: [] };
    const summary = { ...texts, opensAt: null, findingCount: 0, hotspotCount: 0 };
    assert.ok(is<Summary>(summary));
    return summary;
  };
  const answer = (recording: string, given?: OpenAnswer, dropped: readonly string[] = []): void =>
    take(recording).resolve(given ?? { type: 'opened', summary: summaryOf(recording), dropped });
  /** Opens a recording that is read at once. */
  const open = async (recording: string, ...answered: readonly [OpenAnswer?, (readonly string[])?]) => {
    const opening = results.open(recording);
    answer(recording, ...answered);
    return opening;
  };
  const fail = (recording: string): void => take(recording).reject(new Error('closed'));
  return { services, results, answer, open, fail, summaryOf, asked, logged, written, filesChanged };
}

/** Something that takes until it is told to end. */
export function waiting(): { readonly over: Promise<void>; readonly end: () => void } {
  const emitter = new FakeEmitter();
  const over = new Promise<void>((resolve) => {
    emitter.event(() => resolve());
  });
  return { over, end: () => emitter.fire() };
}

/** Waits until something is so. What never comes ends at the limit of the file. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await turn();
}

/** Stands in for something of which a test needs a part. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller says what it stands in for
export function is<Type>(value: unknown): value is Type {
  return value !== null;
}
