import { homedir } from 'node:os';
import { type LogOutputChannel, Uri, env, window, workspace } from 'vscode';
import type { PageMessage, PictureForm } from '../../protocol/webview.ts';
import { messageOf } from '../../words/editor/notifications.ts';
import { showFailure } from '../ui/failures.ts';

/** How long the status bar says what was done, in ms. */
const saidFor = 4_000;

type Taken = Extract<PageMessage, { readonly type: 'copy' | 'savePicture' }>;

/** Copies the text of a page, or saves its picture where the person chooses. `title` is that of the tab. */
export async function takeAway(taken: Taken, title: string, log: LogOutputChannel): Promise<void> {
  if (taken.type === 'savePicture') return savePicture(taken, title, log);
  await env.clipboard.writeText(taken.text);
  window.setStatusBarMessage('Copied', saidFor);
  return undefined;
}

async function savePicture(
  { form, data }: Extract<Taken, { readonly type: 'savePicture' }>,
  title: string,
  log: LogOutputChannel,
): Promise<void> {
  const name = fileNameOf(title, form);
  const target = await window.showSaveDialog({
    title: form === 'svg' ? 'Save the flamegraph as SVG' : 'Save the flamegraph as PNG',
    saveLabel: 'Save',
    defaultUri: Uri.joinPath(workspace.workspaceFolders?.[0]?.uri ?? Uri.file(homedir()), name),
    filters: form === 'svg' ? { SVG: ['svg'] } : { PNG: ['png'] },
  });
  if (target === undefined) return;
  try {
    await workspace.fs.writeFile(target, Buffer.from(data, form === 'svg' ? 'utf8' : 'base64'));
    window.setStatusBarMessage(`Saved ${target.path.split('/').at(-1) ?? name}`, saidFor);
  } catch (error) {
    await showFailure(`The picture could not be saved (${messageOf(error)}): choose another place.`, log);
  }
}

/** `flamegraph-npm-test.svg`: a name that every file system can have, whatever was run. */
function fileNameOf(title: string, form: PictureForm): string {
  const words = title.replace(/^Flamegraph: /, '').match(/[\p{L}\p{N}]+/gu) ?? [];
  return `${['flamegraph', ...words]
    .join('-')
    .slice(0, 70)
    .replace(/[\ud800-\udbff]$/, '')}.${form}`;
}
