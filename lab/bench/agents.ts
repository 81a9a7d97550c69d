// Measures what an agent waits and pays for over MCP: a script that follows the `next` of each answer finds the deep clone of
// the shop, explains it, fixes it with the remedy's own code and re-checks it. Prints the whole session, for
// lab/docs/everywhere.md. `npm run bench -- agents`; with `--spinners 24` all but the recording is beside so many processes
// that spin.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { isList, isRecord, parseJson } from '../../protocol/json-value.ts';
import { projectFile } from '../../test/helpers/project.ts';
import { figure } from '../figure.mjs';
import { beside } from './busy/spinners.ts';

const { values } = parseArgs({ options: { spinners: { type: 'string', default: '0' } } });
const folder = mkdtempSync(path.join(os.tmpdir(), 'hotspan-agents-'));
const shop = path.join(folder, 'shop');
const cli = projectFile('dist/cli.cjs');
/** A client hands only some variables on. */
const env = { ...process.env, XDG_CACHE_HOME: path.join(folder, 'cache') };

try {
  cpSync(projectFile('examples/shop'), shop, { recursive: true, verbatimSymlinks: true });
  const git = (...words: readonly string[]): unknown => execFileSync('git', words, { cwd: shop });
  git('init', '--quiet');
  writeFileSync(path.join(shop, '.gitignore'), 'node_modules\n');
  git('add', '-A');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '-m', 'first');
  execFileSync(process.execPath, [cli, 'record', '--', 'npm', 'test'], { cwd: shop, env, stdio: 'ignore' });
  await beside(Number(values.spinners), session);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function session(): Promise<void> {
  const client = new Client({ name: 'agent', version: '1' });
  const begin = performance.now();
  const args = [cli, 'mcp', '--root', shop, '--allow-run'];
  const given = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value ?? '']));
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env: given }));
  figure('connected', performance.now() - begin);
  const { tools } = await client.listTools();
  figure('tokens of the list of tools', tokensOf(tools));
  const all = { calls: 0, tokens: 0, longest: 0 };
  const call = async (
    name: string,
    input: Record<string, unknown> = {},
  ): Promise<Readonly<Record<string, unknown>>> => {
    const asked = performance.now();
    const { content } = await client.callTool({ name, arguments: input }, { timeout: 60_000 });
    const ms = performance.now() - asked;
    const text = content[0]?.type === 'text' ? content[0].text : '';
    all.calls++;
    all.tokens += tokensOf(text);
    all.longest = Math.max(all.longest, ms);
    console.log(`${name} ${JSON.stringify(input)} → ${Math.round(ms)} ms, ${tokensOf(text)} tokens\n${text}\n`);
    if (['status', 'hotspots', 'explain'].includes(name)) figure(name, ms);
    const answer = parseJson(text);
    return isRecord(answer) ? answer : {};
  };
  await call('status');
  const { next } = await call('findings');
  const at = String(next).replace('explain ', '');
  const { remedies } = await call('explain', { at });
  fix(at, remedies);
  let answer = await call('recheck', { at });
  while (answer['job'] !== undefined) answer = await call('job');
  figure('calls of a session', all.calls);
  figure('tokens of a session', all.tokens);
  figure('longest call', all.longest / 1000);
  await call('hotspots', { limit: 10 });
  await client.close();
}

function tokensOf(value: unknown): number {
  return Math.ceil((typeof value === 'string' ? value : JSON.stringify(value)).length / 3.5);
}

/** Puts the code of the remedy in the place of the line. */
function fix(at: string, remedies: unknown): void {
  const [, file = '', line = ''] = /^(.*):(\d+)$/.exec(at) ?? [];
  const [remedy] = isList(remedies) ? remedies : [];
  const code = isRecord(remedy) ? String(remedy['code']) : '';
  const lines = readFileSync(path.join(shop, file), 'utf8').split('\n');
  lines[Number(line) - 1] = code;
  writeFileSync(path.join(shop, file), lines.join('\n'));
}
