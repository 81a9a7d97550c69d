import type { BuildOptions, Metafile } from 'esbuild';

export const bundles: readonly BuildOptions[];
export function inputsOf(metafiles: readonly Metafile[]): ReadonlySet<string>;
