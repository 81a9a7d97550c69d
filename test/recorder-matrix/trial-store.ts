import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectFile } from '../helpers/project.ts';
import type { Trial } from './try-setup.ts';

/** A row, and which build of Hotspan it was tried with. */
interface StoredTrial {
  readonly build: string;
  /** ISO 8601. */
  readonly at: string;
  readonly trial: Trial;
}

/** The rows of earlier runs, the newest of each, so that a run can go on where another was stopped. */
export class TrialStore {
  static readonly #file = projectFile('.cache/recorder-matrix/trials.jsonl');
  readonly #build = currentBuild();
  readonly #trials = new Map<string, StoredTrial>();

  constructor() {
    const text = existsSync(TrialStore.#file) ? readFileSync(TrialStore.#file, 'utf8') : '';
    for (const line of text.split('\n')) {
      const stored: unknown = line === '' ? null : JSON.parse(line);
      if (isStored(stored)) this.#trials.set(keyOf(stored.trial), stored);
    }
  }

  get all(): readonly StoredTrial[] {
    return [...this.#trials.values()];
  }

  /** A right row of this same build. */
  rightOne(row: Pick<Trial, 'name' | 'version'>): Trial | null {
    const stored = this.#trials.get(keyOf(row));
    return stored?.build === this.#build && stored.trial.wrong.length === 0 ? stored.trial : null;
  }

  add(trial: Trial): void {
    const stored = { build: this.#build, at: new Date().toISOString(), trial };
    this.#trials.set(keyOf(trial), stored);
    mkdirSync(path.dirname(TrialStore.#file), { recursive: true });
    appendFileSync(TrialStore.#file, `${JSON.stringify(stored)}\n`);
  }
}

const keyOf = ({ name, version }: Pick<Trial, 'name' | 'version'>): string => `${name}, node ${version}`;
const isStored = (value: unknown): value is StoredTrial =>
  typeof value === 'object' && value !== null && 'trial' in value;

function currentBuild(): string {
  const hash = createHash('sha256');
  for (const file of ['dist/recorder.cjs', 'dist/command.cjs', 'dist/reading.cjs'])
    hash.update(readFileSync(projectFile(file)));
  return hash.digest('hex').slice(0, 12);
}
