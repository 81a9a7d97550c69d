import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { type CliOptions, type CliRun, runCli } from './run-cli.ts';
import { cacheIn } from './temporary-project.ts';

/** A repository with one commit, whose temporary files are in a folder of its own, so that what is left is seen. */
export class Repository {
  readonly folder: string;
  readonly temporary = newFolder();

  constructor(content: Files, name = 'shop') {
    this.folder = path.join(newFolder(), name);
    mkdirSync(this.folder);
    this.git('init', '--quiet', '--initial-branch=main');
    write(this.folder, { '.gitignore': 'node_modules\n', ...content });
    this.git('add', '-A');
    this.git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '-m', 'first');
  }

  git(...words: readonly string[]): string {
    return execFileSync('git', words, { cwd: this.folder, encoding: 'utf8' });
  }

  /** What is kept for later, such as recordings, is in the temporary folder, too. */
  get env(): NodeJS.ProcessEnv {
    const npm = { npm_config_offline: 'true', npm_config_cache: this.temporary, npm_config_loglevel: 'error' };
    return { ...process.env, ...npm, TMPDIR: this.temporary, ...cacheIn(this.temporary) };
  }

  /** Runs the command line there. */
  async run(words: readonly string[], { env = {}, ...options }: CliOptions = {}): Promise<CliRun> {
    return runCli(words, { cwd: this.folder, ...options, env: { ...this.env, ...env } });
  }

  async compare(...words: readonly string[]): Promise<CliRun> {
    return this.run(['compare', ...words]);
  }

  /** Nothing is left of the base: no work tree, no temporary folder, and the person's files are as they were. */
  assertClean(status = ''): void {
    assert.deepEqual(this.git('worktree', 'list', '--porcelain').match(/^worktree .*/gm), [`worktree ${this.folder}`]);
    assert.deepEqual(
      readdirSync(this.temporary).filter((name) => name.startsWith('hotspan-')),
      [],
    );
    assert.equal(this.git('status', '--porcelain'), status);
    assert.equal(this.git('stash', 'list'), '');
  }
}

export type Files = Readonly<Record<string, string>>;

/** Writes files below a folder, by their paths there. */
export function write(folder: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
}

const folders: string[] = [];
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** An empty folder, without links in its path, which is removed after the tests. */
export function newFolder(): string {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'hotspan-compare-')));
  folders.push(folder);
  return folder;
}
