import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** An environment in which no node is on the PATH. VS Code asks a login shell, too, which may have another one. */
export function environmentWithoutNode(folder: string): { readonly PATH: string; readonly SHELL: string } {
  const bin = path.join(folder, 'bin');
  mkdirSync(bin);
  for (const name of ['sh', 'ps', 'which', 'sed', 'cat']) symlinkSync(`/bin/${name}`, path.join(bin, name));
  const shell = path.join(bin, 'plain-shell');
  writeFileSync(shell, '#!/bin/sh\nfor last; do :; done\nexec /bin/sh -c "$last"\n', { mode: 0o755 });
  return { PATH: bin, SHELL: shell };
}
