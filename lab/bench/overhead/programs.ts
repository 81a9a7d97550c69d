/** Programs that are run with and without a recorder. Each prints what its work took, in ms, and its memory, in MB. */

/**
 * Some seconds of work as services do it between two answers: clones, sorts, matches and builds strings; a little of it
 * is asynchronous. 1800 answers take four seconds.
 */
export const computing = (answers: number): string =>
  reporting(`
  const items = Array.from({ length: 2000 }, (_, i) => ({ id: i, name: 'item ' + (i * 7919) % 2000, tags: ['a', 'b', String(i)] }));
  async function handle(i) {
    const copy = JSON.parse(JSON.stringify(items));
    copy.sort((a, b) => a.name.localeCompare(b.name));
    await null;
    return copy.filter((item) => /item (\\d+)$/.test(item.name)).map((item) => item.name + i).join(',').length;
  }
  (async () => { for (let i = 0; i < ${answers}; i++) { await handle(i); if (i % 10 === 0) await new Promise(setImmediate); } })().then(report);
`);

/** TypeScript, which has to be installed, checks its own declarations and those of the DOM: ten seconds. */
export const compiling = reporting(`
  const ts = require('typescript');
  for (let i = 0; i < 6; i++) {
    const host = ts.createCompilerHost({});
    const options = { noEmit: true, strict: true, lib: ['lib.esnext.full.d.ts'], types: [], skipLibCheck: false };
    const program = ts.createProgram([require.resolve('typescript/lib/typescript.d.ts')], options, host);
    if (ts.getPreEmitDiagnostics(program).length > 99) throw new Error('too many');
  }
  report();
`);

export const starting = reporting('report();');

/** Compiles 2000 modules with a map of 20 kB each, as a large suite does in one process. */
export const mapping = reporting(`
  const vm = require('vm');
  const names = Array.from({ length: 1500 }, (_, i) => 'name' + (i * 7919) % 1500);
  for (let i = 0; i < 2000; i++) {
    const map = { version: 3, sources: ['m' + i + '.ts'], names, mappings: 'AAAA;' + 'AACA;'.repeat(20) };
    const comment = '//# sourceMappingURL=data:application/json;base64,' + Buffer.from(JSON.stringify(map)).toString('base64');
    new vm.Script('(function f' + i + '(a) { return a + ' + i + '; })\\n' + comment, { filename: '/project/src/m' + i + '.ts' }).runInThisContext()(i);
  }
  setTimeout(report);
`);

/**
 * An Express server, which has to be installed: it reads the facts of a file and sends a JSON of fifty objects. It sends
 * its port to its parent; when asked for it, its CPU time so far, in ms, or its memory, in MB.
 */
export const serving = `
  const app = require('express')();
  const list = () => Array.from({ length: 50 }, (_, id) => ({ id, name: 'item ' + id }));
  app.get('/', (request, response) => require('fs').stat(__filename, () => response.json(list())));
  const server = app.listen(0, () => process.send(server.address().port));
  process.on('message', (wish) => {
    const { user, system } = process.cpuUsage();
    if (wish === 'cpu') process.send((user + system) / 1000);
    else if (wish === 'memory') process.send(process.memoryUsage().rss / 1e6);
    else { server.close(); server.closeAllConnections(); process.disconnect(); }
  });
`;

/** A server that asks itself for half a minute, and compiles a module now and then. It prints its memory ten times. */
export const hourly = `
  const http = require('http');
  const vm = require('vm');
  const list = (n) => Array.from({ length: n }, (_, id) => ({ id, name: 'item ' + id })).sort((a, b) => (a.name < b.name ? -1 : 1));
  const server = http.createServer(async (request, response) => {
    await null;
    response.end(JSON.stringify(list(Number(request.url.slice(1)))));
  });
  const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
  const state = { asked: 0 };
  const ask = () => {
    state.asked += 1;
    if (state.asked % 50 === 0) vm.runInThisContext('(function f' + state.asked + '(a) { return a; })', { filename: '/project/f' + state.asked + '.ts' });
    http.get({ port: server.address().port, agent, path: '/' + (state.asked % 300) }, (response) => response.resume().on('end', ask));
  };
  const tell = (left) => {
    gc();
    const { rss, heapUsed } = process.memoryUsage();
    console.log((rss / 1e6).toFixed(0) + '; ' + (heapUsed / 1e6).toFixed(1));
    if (left > 0) setTimeout(tell, 3000, left - 1);
    else process.exit();
  };
  server.listen(0, () => { for (let i = 0; i < 4; i++) ask(); setTimeout(tell, 3000, 9); });
`;

function reporting(text: string): string {
  return `
    const cpu = process.cpuUsage(), start = performance.now();
    function report() {
      const { user, system } = process.cpuUsage(cpu);
      console.log(JSON.stringify({ cpu: (user + system) / 1000, wall: performance.now() - start, memory: process.resourceUsage().maxRSS / 1024 }));
    }
    ${text}
  `;
}
