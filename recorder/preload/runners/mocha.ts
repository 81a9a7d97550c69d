import { EventEmitter } from 'node:events';
import { call, internal, isFunction, isObject, realPath } from '../host/host.ts';
import { onLookup } from './lookups.ts';
import type { TestLog } from './test-log.ts';

/**
 * Watches the tests of mocha through the events of its `Runner`, an emitter that adds listeners to itself as soon as it
 * is made. Only where mocha's own command or worker runs: in a program that starts mocha itself tests have no names.
 */
export function watchMocha(log: TestLog): void {
  if (!isMocha(process.argv[1])) return;
  const undo = onLookup(EventEmitter.prototype, 'on', (self) => {
    if (!isRunner(self)) return;
    undo();
    const seen = new WeakSet();
    const see = (runner: object): void => {
      // The tests of this runner run in other processes.
      if (seen.has(runner) || internal(runner.constructor, 'name') === 'ParallelBufferedRunner') return;
      seen.add(runner);
      listen(runner, log);
    };
    const runnerClass = prototypeWith('runTests', self);
    if (runnerClass !== null) onLookup(runnerClass, 'on', see);
    see(self);
  });
}

const on = internal(EventEmitter.prototype, 'on');

function listen(runner: object, log: TestLog): void {
  const running: { id: number | null } = { id: null };
  const end = (): void => {
    if (running.id !== null) log.end(running.id);
    running.id = null;
  };
  const begin = (test: unknown): void => {
    end();
    if (isObject(test)) running.id = log.begin({ file: fileOf(test), titles: titlesOf(test), parent: null });
  };
  call(on, runner, ['test', begin]);
  for (const event of ['test end', 'retry', 'suite end', 'end']) call(on, runner, [event, end]);
}

function isRunner(emitter: object): boolean {
  return isFunction(internal(emitter, 'runTests')) && isFunction(internal(emitter, 'hookDown'));
}

/** Whether a script is mocha's: `mocha`, `_mocha` or its parallel worker, also through a link in `.bin`. */
function isMocha(script: string | undefined): boolean {
  if (script === undefined) return false;
  return realPath(script).replaceAll('\\', '/').includes('/node_modules/mocha/');
}

function prototypeWith(name: string, self: object): object | null {
  const chain: object[] = [self];
  for (const object of chain) {
    if (Object.hasOwn(object, name)) return object;
    const next: unknown = Object.getPrototypeOf(object);
    if (isObject(next)) chain.push(next);
  }
  return null;
}

function fileOf(test: object): string {
  const file = internal(test, 'file');
  return typeof file === 'string' ? file : '';
}

function titlesOf(test: object): readonly string[] {
  const titles = call(internal(test, 'titlePath'), test, []);
  return Array.isArray(titles) ? titles.filter((title) => typeof title === 'string') : [];
}
