import { randomBytes } from 'node:crypto';
import { type ExtensionContext, Uri, type Webview, type WebviewOptions, env, l10n } from 'vscode';
import { pageHtml } from './page-html.ts';

/** Scripts, and files of our bundles alone. */
export function pageOptions({ extensionUri }: ExtensionContext): WebviewOptions {
  return { enableScripts: true, localResourceRoots: [Uri.joinPath(extensionUri, 'dist')] };
}

export function pageDocument(webview: Webview, { extensionUri }: ExtensionContext): string {
  const bundled = (name: string): string => webview.asWebviewUri(Uri.joinPath(extensionUri, 'dist', name)).toString();
  return pageHtml({
    scriptUri: bundled('flamegraph.js'),
    styleUri: bundled('flamegraph.css'),
    cspSource: webview.cspSource,
    nonce: randomBytes(18).toString('base64url'),
    title: l10n.t('Flamegraph'),
    language: env.language,
  });
}
