import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { isRecord, parseJson } from '../../../protocol/json-value.ts';
import { projectFile } from '../../helpers/project.ts';
import { copyFixture } from '../../helpers/recording-fixtures.ts';

for (const mode of ['legacy', { pin: '2026-07-28' }] as const)
  test(`hotspan mcp answers a client of ${mode === 'legacy' ? '2025' : '2026'}, step by step`, async (t) => {
    const { project } = copyFixture('shop/first');
    const client = new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode } });
    const args = [projectFile('dist/cli.cjs'), 'mcp', '--root', project];
    await client.connect(new StdioClientTransport({ command: process.execPath, args }));
    t.after(async () => client.close());
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
