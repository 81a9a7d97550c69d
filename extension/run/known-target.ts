import * as v from 'valibot';
import type { Target } from '../../recorder/launch/target.ts';

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
  env: v.custom<Target['env']>(isEnvironment),
  notes: texts,
  isOrchestrator: v.boolean(),
});

function isEnvironment(value: unknown): boolean {
  return v.is(v.object({}), value) && !Array.isArray(value) && v.is(texts, Object.values(value));
}
