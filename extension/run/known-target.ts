import type { Target } from '../../recorder/launch/scripts/target.ts';

/** Whether something that was kept in the workspace's state is a target that this version can run. */
export function isTarget(value: unknown): value is Target {
  if (!isObject(value)) return false;
  const { id, label, folder, description, command, env, notes } = value;
  return (
    [id, label, folder, description].every(isText) &&
    isTexts(command) &&
    isTexts(notes) &&
    isObject(env) &&
    Object.values(env).every(isText)
  );
}

interface Fields {
  readonly [key: string]: unknown;
  readonly id?: unknown;
  readonly label?: unknown;
  readonly folder?: unknown;
  readonly description?: unknown;
  readonly command?: unknown;
  readonly env?: unknown;
  readonly notes?: unknown;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}
