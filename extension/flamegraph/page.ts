import { randomBytes } from 'node:crypto';
import { Disposable, type ExtensionContext, Uri, type Webview, type WebviewPanel, env, l10n, workspace } from 'vscode';
import {
  type Request,
  type Summary,
  flameRequest,
  locateRequest,
  openRequest,
  searchRequest,
} from '../../protocol/requests.ts';
import { isPageMessage } from '../../protocol/webview-guard.ts';
import type { HostMessage, PageMessage } from '../../protocol/webview.ts';
import { openLocation } from '../open-location.ts';
import type { Services } from '../services.ts';
import { analysisOptions } from '../settings.ts';
import { messageOf } from '../show-failure.ts';
import { pageHtml } from './page-html.ts';

/** One flamegraph page in its panel. */
export interface Page extends Disposable {
  readonly panel: WebviewPanel;
  /** Shows a recording, at a function if one is given; the same recording keeps its zoom and filters. */
  readonly show: (recording: string, functionId?: number) => Promise<void>;
}

export function createPage(panel: WebviewPanel, context: ExtensionContext, { server, log }: Services): Page {
  const { webview } = panel;
  const state: { recording: string | null; focus: number | null; isReady: boolean; shown: string | null } = {
    recording: null,
    focus: null,
    isReady: false,
    shown: null,
  };
  const post = (message: HostMessage): void => void webview.postMessage(message);

  const load = async (): Promise<void> => {
    const { recording } = state;
    if (recording === null || !state.isReady) return;
    post({ type: 'loading', text: l10n.t('Reading the recording…') });
    const answer = await server.ask(openRequest, { recording, annotate: false, options: analysisOptions() });
    if (recording !== state.recording) return; // The person has asked for another one meanwhile.
    if (answer.type === 'failed') return post({ type: 'failed', id: null, text: answer.message });
    panel.title = l10n.t('Flamegraph: {0}', answer.summary.title);
    post(showMessage(answer.summary));
    state.shown = recording;
    focus();
  };
  const focus = (): void => {
    if (state.focus === null) return;
    post({ type: 'focus', functionId: state.focus });
    state.focus = null;
  };
  const ask = async <Params, Result>(
    id: number,
    request: Request<Params, Result>,
    params: Params,
    answer: (result: Result) => HostMessage,
  ) => {
    try {
      post(answer(await server.ask(request, params)));
    } catch (error) {
      log.error(messageOf(error));
      post({ type: 'failed', id, text: messageOf(error) });
    }
  };
  const receive = async (message: PageMessage): Promise<void> => {
    const { recording } = state;
    if (message.type === 'ready') {
      state.isReady = true;
      return load();
    }
    if (recording === null) return undefined;
    switch (message.type) {
      case 'query':
        return ask(message.id, flameRequest, { recording, query: message.query }, (answer) => ({
          type: 'answer',
          id: message.id,
          answer,
        }));
      case 'search':
        return ask(message.id, searchRequest, { recording, search: message.search }, (answer) => ({
          type: 'searchAnswer',
          id: message.id,
          answer,
        }));
      case 'openSource':
        return openLocation(await server.ask(locateRequest, { recording, url: message.url, line: message.line }));
    }
  };
  const failed = (error: unknown): void => {
    log.error(messageOf(error));
    post({ type: 'failed', id: null, text: messageOf(error) });
  };

  const dist = Uri.joinPath(context.extensionUri, 'dist');
  webview.options = { enableScripts: true, localResourceRoots: [dist] };
  const listening = webview.onDidReceiveMessage((message: unknown) => {
    if (isPageMessage(message)) receive(message).catch(failed);
    else log.warn('The flamegraph page sent something unknown.');
  });
  webview.html = documentOf(webview, dist);
  return {
    panel,
    show: async (recording, functionId) => {
      state.recording = recording;
      state.focus = functionId ?? null;
      if (state.shown === recording) return focus();
      return load().catch(failed);
    },
    dispose: () => listening.dispose(),
  };
}

function showMessage({ recording, title, verdict, thresholdUs }: Summary): HostMessage {
  const folders = (workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString().replace(/\/$/, ''));
  return { type: 'show', recording, title, verdict, folders, thresholdUs };
}

function documentOf(webview: Webview, dist: Uri): string {
  return pageHtml({
    scriptUri: webview.asWebviewUri(Uri.joinPath(dist, 'flamegraph.js')).toString(),
    styleUri: webview.asWebviewUri(Uri.joinPath(dist, 'flamegraph.css')).toString(),
    cspSource: webview.cspSource,
    nonce: randomBytes(18).toString('base64url'),
    title: l10n.t('Flamegraph'),
    language: env.language,
  });
}
