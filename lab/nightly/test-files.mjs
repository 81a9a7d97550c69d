// A test file, or all test files of a folder, for `npm run nightly`: how many tests failed, on every Node version.
import { readdirSync, statSync } from 'node:fs';
import { figure } from '../figure.mjs';
import { runTests } from '../../scripts/test-runner.mjs';

const [, , given, limitMinutes] = process.argv;
const files = statSync(given).isDirectory()
  ? readdirSync(given).flatMap((name) => (name.endsWith('.test.ts') ? [`${given}/${name}`] : []))
  : [given];
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1)); // Ends the file, too.
const { failed, failures } = await runTests(files, {
  concurrency: 1,
  timeoutMs: Number(limitMinutes) * 60_000,
  environment: { HOTSPAN_NODES: 'all' },
});
figure('failed tests', failed);
for (const failure of failures) console.log(failure);
process.exitCode = failed === 0 ? 0 : 1;
