import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { testedVersions } from '../../helpers/node-versions.ts';
import { bare, eventsOfType, program, recording } from './recorded.ts';

/** What a program can see of itself, each thing as one line. */
const looks = `
  const show = (name, value) => console.log(name, JSON.stringify(value));
  const stackOf = () => new Error('here').stack.replaceAll(__dirname, '');
  show('execArgv', process.execArgv);
  show('listeners', process.eventNames().map((name) => [String(name), process.listenerCount(name)]));
  show('keys of process', Object.keys(process));
  show('emit', [process.emit.name, process.emit.length]);
  show('cache', Object.keys(require.cache).map((file) => file.replace(__dirname, '')));
  show('module', [module.children.length, module.id, require.main === module]);
  show('stack', [typeof Error.prepareStackTrace, Error.stackTraceLimit, stackOf()]);
  show('functions', [require('child_process').ChildProcess.prototype.spawn, require('worker_threads').Worker, require('vm').Script, require('vm').compileFunction, require('vm').runInThisContext].map((f) => [f.name, f.length]));
  show('instanceof', new (require('vm').Script)('1') instanceof require('vm').Script);
  show('globals', Object.keys(globalThis));
  show('inspector', require('inspector').url() ?? null);
  show('maps', process.sourceMapsEnabled);
  process.on('exit', function late(code) { show('exit', [code, stackOf(), process.emit.name]); });
  process.on('own', () => show('own event', stackOf())); process.emit('own');
  setTimeout(() => show('timer', stackOf()), 1);
  Promise.resolve().then(() => show('promise', stackOf()));
`;

/** Flags of programs: of V8, and of a whole process, which no worker may get as its own. */
const flagsOf: Readonly<Record<string, readonly string[]>> = {
  'freezes the intrinsics': ['--frozen-intrinsics'],
  'is traced by a deprecation': ['--pending-deprecation'],
  'looks at itself in a worker, and starts a child there': [
    '--max-old-space-size=300',
    '--title',
    'own',
    '--no-warnings',
  ],
};

const programs: Readonly<Record<string, string>> = {
  'looks at itself': looks,
  'looks at itself in a worker, and starts a child there': `
    const { Worker, isMainThread } = require('worker_threads');
    if (isMainThread) new Worker(__filename);
    else {
      ${looks}
      // What it says comes after all of the worker's, not in between.
      const child = require('child_process').fork('./looks.js', { silent: true });
      const said = [];
      child.stdout.on('data', (data) => said.push(data)).on('close', () => console.log(String(Buffer.concat(said))));
    }`,
  'looks at itself in a child': `require('child_process').fork('./looks.js', { execArgv: ['--no-warnings'] })`,
  'has a sandbox that tells what is asked of it': `
    const vm = require('vm');
    const traps = ['get', 'has', 'ownKeys', 'getOwnPropertyDescriptor'];
    const tell = (trap) => (...args) => { console.log(trap, String(args[1])); return Reflect[trap](...args); };
    vm.createContext(new Proxy({}, Object.fromEntries(traps.map((trap) => [trap, tell(trap)]))));
    for (let i = 0; i < 3; i += 1) new vm.Script('1');`,
  'is called back by Node, with and without hooks of its own': `
    const { AsyncLocalStorage, createHook } = require('async_hooks');
    const { stat } = require('fs');
    const calledBack = (name) => new Promise((resolve) => {
      stat(__filename, function late() { show(name, new Error('here').stack); resolve(); });
    });
    const show = (name, value) => console.log(name, value);
    const flood = async () => { for (let i = 0; i < 1000; i += 1) await null; };
    const heard = { count: 0 };
    const hook = createHook({ before() { heard.count += 1; }, after() {} });
    const other = createHook({ init() {}, before() {}, destroy() {} });
    (async () => {
      await calledBack('without');
      await flood();
      await calledBack('after a flood');
      hook.enable();
      await calledBack('with');
      await flood();
      await calledBack('with, after a flood');
      other.enable();
      hook.disable();
      await calledBack('with another');
      other.disable();
      await calledBack('without again');
      await flood();
      await calledBack('without again, after a flood');
      show('heard', heard.count > 100);
      const storage = new AsyncLocalStorage();
      await storage.run(5, async () => { await calledBack('in a storage'); await flood(); show('stored', storage.getStore()); });
      storage.disable();
      await calledBack('after the storage');
      stat(__filename, function dies() { throw new TypeError('boom'); });
    })();`,
  'compiles what is wrong': `
    const vm = require('vm');
    const at = (depth, work) => (depth > 0 ? at(depth - 1, work) : work());
    const show = (work, depth = 0) => { try { at(depth, work); } catch (error) { console.log(error, Object.keys(error), Error.stackTraceLimit); } };
    const wrong = { filename: 'wrong.js' };
    const compilers = [
      (text) => new vm.Script(text, wrong),
      (text) => vm.compileFunction(text, [], wrong),
      (text) => vm.runInThisContext(text, wrong),
    ];
    for (const compile of compilers) for (const limit of [10, 0, 2, Infinity]) {
      Error.stackTraceLimit = limit;
      show(() => compile('let let'));
      show(() => compile('let a = ('), 20);
    }
    Error.stackTraceLimit = 10;
    show(() => new vm.Script('1', { cachedData: 5 }));
    show(() => new vm.Script('throw new Error("as ever")', wrong).runInThisContext());
    Error.prepareStackTrace = (error, sites) => sites.map((site) => site.getFunctionName()).length > 0 && 'none';
    show(() => vm.compileFunction('let let', [], wrong));
    Error.prepareStackTrace = undefined;
    setTimeout(() => {
      try { vm.runInNewContext('let let', {}, wrong); } catch (error) { console.log(error); }
      vm.compileFunction('let let', [], wrong);
    });`,
  'compiles what is wrong, and dies of it': `new (require('vm').Script)('let let', { filename: 'wrong.js' });`,
  'makes workers': `
    const threads = require('worker_threads');
    class Own extends threads.Worker {}
    const [worker, own] = [new threads.Worker('0', { eval: true }), new Own('0', { eval: true })];
    console.log(worker.constructor === threads.Worker, worker instanceof threads.Worker, Object.keys(worker.constructor.prototype));
    console.log(own.constructor === Own, own instanceof threads.Worker, Object.getPrototypeOf(Own) === threads.Worker);
    console.log(/^class\\s/.test(threads.Worker), Object.getOwnPropertyNames(threads.Worker), Object.getOwnPropertyNames(threads.Worker.prototype));
    for (const wrong of [null, { execArgv: 'x' }, { execArgv: ['--none'] }])
      try { new threads.Worker('0', wrong); } catch (error) { console.log(error.code, error.message); }
    class Options {
      #given = 'given';
      get workerData() { return this.#given; }
      get eval() { return true; }
    }
    worker.on('exit', () => {
      console.log(new Error('here').stack.split('at ')[1]);
      new threads.Worker('console.log(process.execArgv, require("worker_threads").workerData)', new Options());
    });`,
  'gets callbacks for objects that were collected': `
    class Own extends FinalizationRegistry {}
    const told = (held) => { console.log(held, new Error('here').stack); Promise.resolve().then(() => console.log('then')); };
    const all = (globalThis.kept = [new FinalizationRegistry(told), new Own(told)]);
    console.log(all, FinalizationRegistry, all.map((one) => [one.constructor.name, one instanceof FinalizationRegistry]));
    console.log(FinalizationRegistry.prototype.constructor === FinalizationRegistry, FinalizationRegistry.length);
    console.log(Object.getOwnPropertyDescriptors(FinalizationRegistry.prototype));
    all.forEach((one) => { one.register({}, 'first'); one.register({}, 'second'); });
    try { all[0].register(5); } catch (error) { console.log(error); }
    require('v8').setFlagsFromString('--expose-gc');
    setImmediate(require('vm').runInNewContext('gc'));
    setTimeout(() => {}, 50);`,
  'mocks its process': `
    const { mock } = require('node:test');
    const never = () => {};
    for (const name of ['emit', 'on', 'reallyExit']) mock.method(process, name, ...(name === 'on' ? [] : [never]));
    process.emit('x');
    process.on('SIGTERM', never).off('SIGTERM', never);
    console.log(['emit', 'on', 'reallyExit'].map((name) => process[name].mock.callCount()));
    mock.restoreAll();`,
  'dies of an error': `function dies() { throw new TypeError('boom', { cause: new Error('why') }); }\n setTimeout(dies, 1);`,
  'dies of a rejection': `(async function dies() { await null; throw new TypeError('boom'); })();`,
  'has listeners that remove themselves while they are called': `
    for (const name of ['exit', 'newListener', 'removeListener']) {
      process.once(name, () => console.log('once', name));
      process.on(name, () => console.log('next', name));
    }
    process.on('own', () => {});
    process.removeAllListeners('own');`,
  'dies in a handler of exit': `process.on('exit', () => { throw new Error('late'); });`,
  'hears who sets how its stacks look': `
    Object.defineProperty(Error, 'prepareStackTrace', { configurable: true, set() { console.log('set'); } });
    require('child_process').spawn(process.execPath, ['--version']);
    process.on('exit', () => console.log(Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace')));`,
  'freezes the intrinsics': `
    require('child_process').spawn(process.execPath, ['--version']);
    process.on('exit', () => console.log(Object.isFrozen(Error)));`,
  'is traced by a deprecation': `process.binding('fs'); new Buffer(1);`,
};

/** Without process ids, and without what cannot be hidden (docs/recorder.md): which of Node's own lines calls a listener, and what Node is without its snapshot. */
function plain(said: string): string {
  return said
    .replaceAll(/\(node:\d+\)/g, '(node)')
    .replaceAll(/node:events:\d+:\d+/g, 'node:events')
    .replaceAll(/(Object|Module\._extensions)(?=\.\.js)|(Function|Module)(?=\._load)/g, '')
    .replaceAll('"chdir",', '');
}

for (const { node, version } of testedVersions()) {
  for (const [name, text] of Object.entries(programs))
    test(`a program that ${name} sees and says the same, in a recording of either kind (Node ${version})`, async (t) => {
      const folder = program(t, { 'program.js': text, 'looks.js': looks });
      const command = [node, ...(flagsOf[name] ?? []), 'program.js'];
      const without = await bare(folder, command);
      for (const kind of ['profile', 'tiers'] as const) {
        const { directory, ended } = recording(folder, command, { kind });
        const { exitCode, signal, stdout, stderr } = await ended;
        assert.equal(plain(stdout), plain(without.stdout), kind);
        assert.equal(plain(stderr), plain(without.stderr), kind);
        assert.deepEqual([exitCode, signal], [without.exitCode, without.signal], kind);
        assert.deepEqual(eventsOfType(directory, 'failed'), [], kind);
        rmSync(directory, { recursive: true });
      }
    });

  test(`a worker that cannot be made is an error of Node's own line (Node ${version})`, async (t) => {
    const folder = program(t, { 'program.js': `new (require('worker_threads').Worker)(5);` });
    const without = await bare(folder, [node, 'program.js']);
    const { exitCode, stderr } = await recording(folder, [node, 'program.js']).ended;
    const head = (said: string): string => said.slice(0, said.indexOf('    at Object.'));
    assert.equal(head(stderr.replaceAll(/ +at .*recorder-.*\n/g, '')), head(without.stderr));
    assert.equal(exitCode, without.exitCode);
  });

  test(`a program with source maps switched on has its errors at the same lines (Node ${version})`, async (t) => {
    const map = Buffer.from(
      JSON.stringify({ version: 3, sources: ['source.ts'], names: [], mappings: 'AASA', sourcesContent: ['1'] }),
    ).toString('base64');
    const folder = program(t, {});
    const text = `throw new Error('mapped');\n//# sourceMappingURL=data:application/json;base64,${map}`;
    writeFileSync(path.join(folder, 'program.js'), text);
    const command = [node, '--enable-source-maps', 'program.js'];
    const without = await bare(folder, command);
    const { exitCode, stderr } = await recording(folder, command).ended;
    assert.match(stderr, /source\.ts:10/);
    assert.deepEqual([exitCode, stderr], [without.exitCode, without.stderr]);
  });
}
