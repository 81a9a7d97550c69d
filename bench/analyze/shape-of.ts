import { readFileSync } from 'node:fs';
import { isList, isRecord } from '../../protocol/json-value.ts';
import type { Shape } from './write-profile.ts';

/** The shape of a profile that `JSON.parse` can read, and whose nodes come after their parents, as V8 writes them. */
export function shapeOf(file: string): Shape {
  const profile: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const [nodes, samples] = ['nodes', 'samples'].map((key) =>
    isRecord(profile) && isList(profile[key]) ? profile[key] : [],
  );
  const depths = new Map<unknown, number>();
  let depth = 0;
  for (const node of nodes ?? []) {
    if (!isRecord(node)) continue;
    const own = depths.get(node['id']) ?? 0;
    depth = Math.max(depth, own);
    if (isList(node['children'])) for (const child of node['children']) depths.set(child, own + 1);
  }
  return { nodes: nodes?.length ?? 0, samples: samples?.length ?? 0, depth };
}
