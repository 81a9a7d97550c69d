import path from 'node:path';
import { chmod, readText, rename, remove, writeFile } from '../../../recordings/files-at-once.ts';
import { makeFolders } from '../../../recordings/private-files.ts';
import { codeTracesFile, v8LogVariable } from '../../../protocol/recording.ts';
import { againstTiers } from '../../command-lines/tier-flags.ts';

/**
 * Makes a folder with a `node` that passes its words on to the next `node` on the PATH, and switches V8's log on while
 * a recording of tiers runs. Shells, npm scripts and `#!/usr/bin/env node` find it first. Like the recorder's copy it
 * lasts, in the same folder; where nothing can be written there, in `elsewhere`. Throws where both fail.
 */
export async function installShim(home: string, elsewhere: string): Promise<string> {
  const { createHash } = await import('node:crypto');
  const name = `shim-${createHash('sha256').update(shellShim).update(batchShim).digest('hex').slice(0, 12)}`;
  return putShim(path.join(home, name)).catch(async () => putShim(path.join(elsewhere, name)));
}

async function putShim(folder: string): Promise<string> {
  makeFolders(folder, 0o755);
  makeFolders(path.dirname(path.join(folder, codeTracesFile)));
  await put(path.join(folder, 'node'), shellShim);
  await put(path.join(folder, 'node.cmd'), batchShim);
  return folder;
}

/** Whether `installShim` made a folder, also for an outer recording. */
export function isShimFolder(folder: string): boolean {
  return /[\\/]shim-[0-9a-f]{12}$/.test(folder);
}

async function put(file: string, text: string): Promise<void> {
  if ((await readText(file).catch(() => null)) === text) return;
  const unfinished = `${file}.${process.pid}.tmp`;
  await remove(unfinished);
  await writeFile(unfinished, text, { mode: 0o700, flag: 'wx' });
  await chmod(unfinished, 0o755);
  await rename(unfinished, file);
}

/** For POSIX shells. It only starts Node to ask for its version, and skips other shims, which would call it. */
const shellShim = String.raw`#!/bin/sh
# Hotspan: the next node on the PATH, with V8's log on while "hotspan record --tiers" runs.
here=${'$'}{0%/*}
next=
set -f
IFS=:
for folder in $PATH; do
  case $folder in */shim-????????????) continue ;; esac
  file=${'$'}{folder:-.}/node
  if [ "$folder" != "$here" ] && [ -f "$file" ] && [ -x "$file" ]; then next=$file; break; fi
done
unset IFS
set +f
if [ -z "$next" ]; then echo "node: not found" >&2; exit 127; fi

logged=
case ${'$'}{NODE_OPTIONS-} in *recorder*)
  if [ -n "${'$'}{${v8LogVariable}-}" ] && [ -w "${'$'}{HOTSPAN_DIR-}" ] && [ -f "$HOTSPAN_DIR/recording.json" ]; then
    while read -r line; do
      case $line in '"endedAt": null,') logged=1 ;; esac
    done < "$HOTSPAN_DIR/recording.json"
  fi
esac
for word do
  case $word in
    ${againstTiers.join('|')}) logged= ;;
    -*) ;;
    *) break ;;
  esac
done
if [ -n "$logged" ]; then
  case $("$next" --version 2>/dev/null) in v1[89].*|v[2-9][0-9].*) ;; *) logged= ;; esac
fi
[ -n "$logged" ] || exec "$next" "$@"
exec "$next" --prof --no-node-snapshot --no-log-source-code --log-deopt --redirect-code-traces \
  "--redirect-code-traces-to=$here/${codeTracesFile}" "--prof-sampling-interval=$HOTSPAN_INTERVAL" \
  "--logfile=$${v8LogVariable}" "$@"
`;

/** For `cmd.exe`, in which npm's commands run on Windows. `set NAME` prints what `echo` might run (`a&b`). */
const batchShim = String.raw`@echo off
rem Hotspan: the next node.exe on the PATH, with V8's log on while "hotspan record --tiers" runs.
setlocal
for %%I in (node.exe) do set "next=%%~$PATH:I"
if not defined next echo node: not found 1>&2 & exit /b 9009
set "logged="
if defined ${v8LogVariable} if exist "%HOTSPAN_DIR%\recording.json" findstr /c:"\"endedAt\": null" "%HOTSPAN_DIR%\recording.json" >nul && set "logged=1"
if defined logged set NODE_OPTIONS 2>nul | findstr recorder >nul || set "logged="
:word
set "word=%~1"
if not defined word goto run
if not "%word:~0,1%"=="-" goto run
set word | findstr /r "${againstTiers.map(asFindstr).join(' ')}" >nul && set "logged="
shift
goto word
:run
if defined logged "%next%" --version | findstr /r "^v1[89]\. ^v[2-9][0-9]\." >nul || set "logged="
if not defined logged "%next%" %* & goto end
"%next%" --prof --no-node-snapshot --no-log-source-code --log-deopt --redirect-code-traces "--redirect-code-traces-to=%HOTSPAN_SHIM%/${codeTracesFile}" "--prof-sampling-interval=%HOTSPAN_INTERVAL%" "--logfile=%${v8LogVariable}%" %*
:end
exit /b %errorlevel%
`.replaceAll('\n', '\r\n');

function asFindstr(pattern: string): string {
  return pattern.endsWith('*') ? `^word=${pattern.slice(0, -1)}` : `^word=${pattern}$`;
}
