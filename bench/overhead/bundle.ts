import * as esbuild from 'esbuild';

/** Bundles a file of the recorder as the build does, for every Node that a program may start. */
export async function bundleForPreload(entry: string, outfile: string, plugins: esbuild.Plugin[] = []): Promise<void> {
  await esbuild.build({
    entryPoints: [entry],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'es2015',
    minify: true,
    outfile,
    plugins,
  });
}
