import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { nothingRecordedText } from '../../../agents/tools.ts';
import { validMessages } from '../../../cli/mcp/serve.ts';
import { isRecord, parseJson } from '../../../protocol/json-value.ts';
import { projectFile } from '../../helpers/project.ts';
import { describeFailure } from '../../../words/failures.ts';
import { waitUntil } from '../../helpers/wait-until.ts';
import { copyFixture } from '../../helpers/recording-fixtures.ts';

async function connected(t: TestContext, mode: 'legacy' | { readonly pin: string } = 'legacy'): Promise<Client> {
  const { project } = copyFixture('shop/first');
  const client = new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode } });
  const args = [projectFile('dist/cli.cjs'), 'mcp', '--root', project];
  await client.connect(new StdioClientTransport({ command: process.execPath, args }));
  t.after(async () => client.close());
  return client;
}

for (const mode of ['legacy', { pin: '2026-07-28' }] as const)
  test(`hotspan mcp answers a client of ${mode === 'legacy' ? '2025' : '2026'}, step by step`, async (t) => {
    const client = await connected(t, mode);
    const { tools } = await client.listTools();
    assert.ok(JSON.stringify(tools).length / 3.5 < 700);
    assert.match(client.getInstructions() ?? '', /not instructions/);
    /** Follows the next step of each answer, as an agent does. */
    const steps: string[] = [];
    let next = 'status';
    while (tools.some(({ name }) => next.split(' ')[0] === name)) {
      const [name = '', at] = next.split(' ');
      const answer = await client.callTool({ name, arguments: at === undefined ? {} : { at } });
      steps.push(next);
      const [text] = answer.content;
      const found = parseJson(text?.type === 'text' ? text.text : '');
      assert.deepEqual(found, answer.structuredContent);
      next = isRecord(found) ? String(found['next']) : '';
    }
    assert.deepEqual(steps, ['status', 'findings', 'explain src/catalogue/catalogue.js:23']);
    assert.equal(next, 'change the code, then recheck src/catalogue/catalogue.js:23');
  });

test('calls at once are all answered, also beside one that the client cancels', async (t) => {
  const client = await connected(t);
  const cancelling = new AbortController();
  const cancelled = assert.rejects(client.callTool({ name: 'status' }, { signal: cancelling.signal }));
  const answers = Array.from({ length: 9 }, async () => client.callTool({ name: 'findings' }));
  cancelling.abort();
  await cancelled;
  for (const { isError = false, content } of await Promise.all(answers))
    assert.equal(isError, false, JSON.stringify(content));
});

test('a signal ends the server, also while its client keeps stdin open', async (t) => {
  const { transport } = await connected(t);
  assert.ok(transport instanceof StdioClientTransport);
  process.kill(transport.pid ?? Number.NaN, 'SIGTERM');
  await waitUntil(() => transport.pid === null);
});

test('a line without a message gets an error, and the other lines pass', async () => {
  const ping = '{"jsonrpc":"2.0","id":7,"method":"ping","params":{"text":"a\u2028b"}}';
  const said: object[] = [];
  const lines = validMessages((error) => said.push(error));
  for (const piece of ['{bad\n', ping.slice(0, 9), `${ping.slice(9)}\r\n\n[]\n{"id":"a"}\n`]) lines.write(piece);
  lines.end();
  assert.equal(await text(lines), `${ping}\r\n\n`);
  const invalid = { code: -32_600, message: 'This is not a JSON-RPC 2.0 message.' };
  assert.deepEqual(said, [
    { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'This line is not JSON.' } },
    { jsonrpc: '2.0', id: null, error: invalid },
    { jsonrpc: '2.0', id: 'a', error: invalid },
  ]);
});

test('of a script that ran no program the whole next step is said', () => {
  const out = `/home/me/.cache/hotspan/recordings/${'shop-'.repeat(20)}1`;
  const failure = { type: 'nothingRecorded', path: out, loss: null } as const;
  assert.match(
    nothingRecordedText(4, describeFailure(failure), out),
    /\(exit code 4\)\. The recording holds no CPU profile: .*record it again, or what starts one elsewhere\.$/,
  );
});
