import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { VscodeServer } from '../../../scripts/vscode-server.mjs';
import { projectFile } from '../../helpers/project.ts';
import { hashModule, temporaryProject } from '../../helpers/temporary-project.ts';
import { Repository } from '../../helpers/temporary-repository.ts';
import { launchBrowser, serverForTests } from '../../helpers/vscode/shared-vscode.ts';

const testsFolder = projectFile('test/e2e/api/tests-extension');
// A re-check compares with the sources of a commit.
const { folder } = new Repository({
  'package.json': '{ "name": "api", "type": "module", "scripts": { "test": "node --test" } }',
  'hash.js': hashModule,
  'test/hash.test.js': `import { test } from 'node:test';
import { hash } from '../hash.js';

test('hashes', () => { hash(); });
`,
});

test('inside the extension host', async (context) => {
  const resultsFile = path.join(temporaryProject({ 'results.json': '[]' }), 'results.json');
  const server = await serverForTests({
    settings: { 'hotspanTests.resultsFile': resultsFile },
    flags: ['--vscode-option', 'enable-smoke-test-driver'], // It tells the page when the tests are done.
  });
  try {
    context.signal.addEventListener('abort', () => console.log(`So far: ${readFileSync(resultsFile, 'utf8')}`));
    await runInExtensionHost(server);
    const results = parseResults(readFileSync(resultsFile, 'utf8'));
    assert.ok(results.length > 0);
    for (const { name, error } of results) await context.test(name, () => assert.equal(error, null, error ?? ''));
  } finally {
    await server.stop();
  }
});

/** Opens a page that has VS Code run the tests; resolves when they are done, rejects when they throw. */
async function runInExtensionHost(server: VscodeServer): Promise<void> {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    const ended = new Promise<number>((resolve) => {
      void page.exposeFunction('codeAutomationExit', (code: number) => resolve(code));
    });
    await page.exposeFunction('codeAutomationLog', () => undefined);
    await page.goto(pageUrl(server), { timeout: 0 });
    assert.equal(await ended, 0);
  } finally {
    await browser.close();
  }
}

function pageUrl({ url }: VscodeServer): string {
  const remote = (file: string): string => `vscode-remote://${new URL(url).host}${file}`;
  const payload = [
    ['extensionDevelopmentPath', remote(testsFolder)],
    ['extensionTestsPath', remote(`${testsFolder}/run.cjs`)],
  ];
  const query = new URLSearchParams({ folder, payload: JSON.stringify(payload) });
  return `${url}/?${query.toString()}`;
}

interface Result {
  readonly name: string;
  readonly error: string | null;
}

function parseResults(text: string): readonly Result[] {
  const results: unknown = JSON.parse(text);
  assert.ok(Array.isArray(results));
  return results.map(({ name, error }: Result) => ({ name, error }));
}
