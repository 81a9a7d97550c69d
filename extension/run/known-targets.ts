import type { Memento } from 'vscode';
import * as v from 'valibot';
import type { Target } from '../../recorder/launch/target.ts';

/** The targets that were run in this workspace, kept in its state. */
export class KnownTargets {
  readonly #state: Memento;

  constructor(state: Memento) {
    this.#state = state;
  }

  /** The target that was run last; undefined where there is none that this version can run. */
  get last(): Target | undefined {
    const kept = this.#state.get<unknown>(lastKey);
    return isTarget(kept) ? kept : undefined;
  }

  /** The targets that this version can run, the last one first. */
  get all(): readonly Target[] {
    return this.#state.get<readonly unknown[]>(allKey, []).filter(isTarget);
  }

  /** Ids of the targets, the last one first. */
  get ids(): readonly string[] {
    return this.#state.get<readonly string[]>(idsKey, []);
  }

  async remember(target: Target): Promise<void> {
    const others = this.ids.filter((id) => id !== target.id);
    await this.#state.update(idsKey, [target.id, ...others].slice(0, mostIds));
    const isOther = ({ id, folder }: Target): boolean => id !== target.id || folder !== target.folder;
    await this.#state.update(allKey, [target, ...this.all.filter(isOther)].slice(0, mostTargets));
    await this.#state.update(lastKey, target);
  }
}

const lastKey = 'runs.lastTarget';
const idsKey = 'runs.remembered';
const allKey = 'runs.targets';
const mostIds = 50;
/** As many as can be on screen. */
const mostTargets = 8;

/** Whether something that was kept in the workspace's state is a target that this version can run. */
export function isTarget(value: unknown): value is Target {
  return v.is(target, value);
}

const texts = v.array(v.string());

const target: v.GenericSchema<unknown, Target> = v.object({
  id: v.string(),
  kind: v.picklist(['tests', 'fileTests', 'script', 'file', 'app', 'process']),
  runner: v.nullable(v.picklist(['node:test', 'mocha', 'jest', 'vitest'])),
  label: v.string(),
  description: v.string(),
  folder: v.string(),
  command: texts,
  script: v.exactOptional(v.string()),
  env: v.custom<Target['env']>(isEnvironment),
  notes: texts,
  isOrchestrator: v.boolean(),
});

function isEnvironment(value: unknown): boolean {
  return v.is(v.object({}), value) && !Array.isArray(value) && v.is(texts, Object.values(value));
}
