import { type Disposable, type LogOutputChannel, workspace } from 'vscode';
import { settings } from '../../protocol/ids.ts';
import { inLog } from '../ui/failures.ts';
import { pathRules } from '../ui/settings.ts';

/** Says which rules for files from elsewhere cannot be used, now and when the setting changes. */
export function activatePathRules(log: LogOutputChannel): Disposable {
  const say = async (): Promise<void> => {
    const { problems } = pathRules();
    if (problems.length === 0) return;
    const { sayBadRules } = await import('./ask-elsewhere.ts');
    await sayBadRules(problems, log);
  };
  inLog(say(), log);
  return workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(settings.pathMappings)) inLog(say(), log);
  });
}
