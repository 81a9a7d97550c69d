import type { Target } from '../target.ts';

/** A process that runs already, by its inspector's address; the folder is where its sources are looked for. */
export function attachTarget(address: string, name: string, folder: string, notes: readonly string[]): Target {
  return {
    id: `attach:${name}`,
    kind: 'process',
    runner: null,
    label: name,
    description: address,
    folder,
    command: ['attach', address],
    env: {},
    notes,
    isOrchestrator: false,
  };
}
