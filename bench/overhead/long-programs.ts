/** Programs of about ten seconds. Each prints the CPU time of its process, all threads together, in ms. */

/** TypeScript checks its own declarations and those of the DOM several times. */
export const compiling = reporting(`
  const ts = require('typescript');
  for (let i = 0; i < 6; i++) {
    const host = ts.createCompilerHost({});
    const options = { noEmit: true, strict: true, lib: ['lib.esnext.full.d.ts'], types: [], skipLibCheck: false };
    const program = ts.createProgram([require.resolve('typescript/lib/typescript.d.ts')], options, host);
    if (ts.getPreEmitDiagnostics(program).length > 99) throw new Error('too many');
  }
`);

/** Clones, sorts, matches and builds strings; a little of it is asynchronous. */
export const handling = reporting(`
  const items = Array.from({ length: 2000 }, (_, i) => ({ id: i, name: 'item ' + (i * 7919) % 2000, tags: ['a', 'b', String(i)] }));
  async function handle(i) {
    const copy = JSON.parse(JSON.stringify(items));
    copy.sort((a, b) => a.name.localeCompare(b.name));
    await null;
    return copy.filter((item) => /item (\\d+)$/.test(item.name)).map((item) => item.name + i).join(',').length;
  }
  (async () => { for (let i = 0; i < 4000; i++) { await handle(i); if (i % 10 === 0) await new Promise(setImmediate); } })();
`);

function reporting(text: string): string {
  return `
    process.on('exit', () => { const { user, system } = process.cpuUsage(); console.log((user + system) / 1000); });
    ${text}
  `;
}
