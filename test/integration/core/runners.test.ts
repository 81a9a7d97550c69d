import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileReaders } from '../../../recorder/launch/packages/readers.ts';
import { targetForFile } from '../../../recorder/launch/targets/file-targets.ts';
import { busyFor } from '../../helpers/busy-for.ts';
import { compareOutputs } from '../../helpers/comparable-output.ts';
import { installedNode } from '../../helpers/node-versions.ts';
import { projectFile } from '../../helpers/project.ts';
import { reportOf } from '../../helpers/report-schema.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { temporaryProject } from '../../helpers/temporary-project.ts';
import { bare } from '../recorder/recorded.ts';

const { node, version } = installedNode();

/** Where `HOLD_MS` says so it holds the loop, on its third line: longer than V8's sampler waits for a busy processor. */
const work = `function quote() {
  // Busy:
  ${busyFor('process.env.HOLD_MS ?? 1')}
}
`;
const required = `const { quote } = require('../src/shop.js');\n`;
const suite = (it: string): string => `describe('cart', () => { ${it}('adds up', () => { quote(); }); });\n`;

const folder = temporaryProject({
  'package.json': '{ "name": "shop", "jest": { "testMatch": ["**/jest/*.js"], "cache": false, "testTimeout": 60000 } }',
  'src/shop.js': `${work}module.exports = { quote };\n`,
  'src/shop.ts': `interface Cart { readonly name: string }\n\nexport ${work}`,
  'node-test/cart.js': `const { describe, it } = require('node:test');\n${required}${suite('it')}`,
  'mocha/cart.js': `${required}${suite('it')}`,
  'jest/cart.js': `${required}${suite('test')}`,
  'vitest/cart.test.ts': `import { describe, it } from 'vitest';\nimport { quote } from '../src/shop.ts';\n${suite('it')}`,
});
linkPackages(path.join(folder, 'node_modules'));

const runners = [
  { name: 'node:test', command: ['--test', '--test-reporter=spec', 'node-test/cart.js'], line: 3 },
  { name: 'mocha', command: ['node_modules/mocha/bin/mocha.js', '--timeout=0', 'mocha/cart.js'], line: 3 },
  { name: 'jest, two workers', command: ['node_modules/jest/bin/jest.js', '--ci', '--maxWorkers=2'], line: 3 },
  {
    name: 'vitest',
    command: ['node_modules/vitest/vitest.mjs', 'run', '--reporter=verbose', '--testTimeout=60000'],
    file: 'src/shop.ts',
    line: 5,
  },
];

for (const { name, command, file = 'src/shop.js', line } of runners) {
  test(`${name} under the recorder: the same output, and the slow line with its test (Node ${version})`, async () => {
    const out = path.join(folder, 'recordings', name.replaceAll(/\W/g, ''));
    const words = ['record', '--quiet', '--out', out, '--', node, ...command];
    const recorded = await runCli(words, { cwd: folder, env: { ...process.env, HOLD_MS: '400' } });
    const plain = await bare(folder, [node, ...command]);
    assert.deepEqual([recorded.code, plain.exitCode], [0, 0], recorded.stderr);
    assert.deepEqual(compareOutputs(plain.stdout, recorded.stdout).lines, []);

    const { functions, lines, operations, warnings } = await reportOf(out, folder);
    const quote = functions.find((fn) => fn.name === 'quote' && fn.culprit !== null) ?? assert.fail('not seen');
    assert.equal(quote.url.replace('file://', ''), path.join(folder, file));
    assert.ok((quote.culprit?.worstUs ?? 0) >= 20_000, `${quote.culprit?.worstUs} µs`);
    assert.deepEqual([quote.culprit?.longCount, quote.tests], [1, 1]);
    const isSlow = lines.some((one) => one.url === quote.url && one.line === line);
    assert.ok(isSlow, `not on line ${line}`);
    assert.ok(operations.some((operation) => operation.test === 'cart > adds up'));
    assert.doesNotMatch(warnings.join('\n'), /lost|missing|killed|no profile/);
  });
}

test('mocha runs one test file alone, although its configuration names others', async () => {
  const own = temporaryProject({
    'package.json': '{ "scripts": { "test": "mocha" } }',
    '.mocharc.cjs': "module.exports = { spec: ['./test/b.js', `${__dirname}/test/*.js`] };",
    'test/a.js': suite('it').replace('quote()', ''),
    'test/b.js': "throw new Error('loaded');",
  });
  linkPackages(path.join(own, 'node_modules'));
  const found = await targetForFile(path.join(own, 'test', 'a.js'), own, fileReaders(process.env));
  assert.match((await bare(own, found.type === 'found' ? found.target.command : [])).stdout, /1 passing/);
});

/** The runners of the repository, each package a link, as pnpm installs them. */
function linkPackages(modules: string): void {
  mkdirSync(modules);
  for (const name of readdirSync(projectFile('node_modules')).filter((one) => !one.startsWith('.')))
    symlinkSync(projectFile('node_modules', name), path.join(modules, name), 'junction');
}
