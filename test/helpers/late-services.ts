import assert from 'node:assert/strict';
import type { LogOutputChannel } from 'vscode';
import type { LastRecording } from '../../extension/results/last-recording.ts';
import type { Server } from '../../extension/results/server.ts';
import type { Services } from '../../extension/results/services.ts';
import type { OpenAnswer, Request } from '../../protocol/requests.ts';
import { fakeVscode } from './fake-vscode.ts';
import { FakeEmitter } from './fake-vscode-module.ts';

fakeVscode();
const { Results } = await import('../../extension/results/results.ts');

interface LateOptions {
  readonly isStarted?: boolean;
  readonly forget?: () => Promise<void>;
  readonly read?: () => Promise<string>;
}

/** The results over a server that answers when it is told to. */
export function lateServices({ isStarted = false, forget = async () => undefined, read }: LateOptions = {}) {
  const asked: string[] = [];
  const logged: string[] = [];
  const questions: { recording: string; resolve: (answer: OpenAnswer) => void; reject: (error: Error) => void }[] = [];
  const server = {
    isStarted,
    onDidRestart: new FakeEmitter().event,
    ask: async (
      { method }: Request<unknown, unknown>,
      params: { readonly recording: string } | null,
    ): Promise<OpenAnswer> =>
      new Promise((resolve, reject) => {
        const recording = params?.recording ?? method;
        asked.push(recording);
        questions.push({ recording, resolve, reject });
      }),
  };
  const write = (text: unknown): void => void logged.push(String(text));
  const log = { error: write, warn: write };
  const last = { targetOf: () => null, remember: async () => undefined, forget, read };
  assert.ok(is<Server>(server) && is<LogOutputChannel>(log) && is<LastRecording>(last));
  const results = new Results(server, log, last);
  const services = { server, results, log };
  assert.ok(is<Services>(services));
  const take = (recording: string) => {
    const index = questions.findIndex((one) => one.recording === recording);
    const [question] = index < 0 ? [] : questions.splice(index, 1);
    return question ?? assert.fail(`${recording} was not asked for`);
  };
  const answer = (recording: string, given?: OpenAnswer): void => {
    const opened = { type: 'opened', summary: { recording, title: 'npm test', warnings: [], hotspotCount: 0 } };
    assert.ok(is<OpenAnswer>(opened));
    take(recording).resolve(given ?? opened);
  };
  const fail = (recording: string): void => take(recording).reject(new Error('closed'));
  return { services, results, answer, fail, asked, logged };
}

/** Something that takes until it is told to end. */
export function waiting(): { readonly over: Promise<void>; readonly end: () => void } {
  const emitter = new FakeEmitter();
  const over = new Promise<void>((resolve) => {
    emitter.event(() => resolve());
  });
  return { over, end: () => emitter.fire() };
}

/** Stands in for something of which a test needs a part. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller says what it stands in for
export function is<Type>(value: unknown): value is Type {
  return value !== null;
}
