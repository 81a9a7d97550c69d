import { type LogOutputChannel, window } from 'vscode';
import { canRun } from '../run/can-run.ts';
import { otherWays } from '../run/show-result.ts';
import { pickTarget, testTargets, npmScripts } from '../run/targets.ts';
import type { CommandHost } from './command-host.ts';
import { showFailure } from '../ui/failures.ts';
import { escapeNotification } from '../../words/formats/escape-markdown.ts';

/** Finds the tests, asks which where there are several (or `true` was given: the person wants to change), and runs them. */
export async function profileTests({ services, runs }: CommandHost, argument: unknown): Promise<void> {
  if (!(await canRun(services))) return;
  const found = await testTargets(runs.remembered);
  if (found.type === 'none') return sayNoTests(found.message, services.log);
  const target = await pickTarget(found.targets, argument === true);
  if (target !== undefined) await runs.start(target);
}

async function sayNoTests(message: string, log: LogOutputChannel): Promise<void> {
  log.error(message);
  const ways = otherWays(null);
  const choice = await window.showErrorMessage(escapeNotification(message), ...ways.keys());
  if (choice !== undefined) await ways.get(choice)?.();
}

/** The last target; the first time, whatever tests there are. */
export async function profileAgain(host: CommandHost): Promise<void> {
  const last = host.runs.lastTarget;
  if (last === undefined) return profileTests(host, undefined);
  return host.runs.start(last);
}

export async function profileScript({ services, runs }: CommandHost): Promise<void> {
  if (!(await canRun(services))) return;
  const found = await npmScripts(runs.remembered);
  if (found.type === 'none') return showFailure(found.message, services.log);
  const target = await pickTarget(found.targets, true);
  if (target !== undefined) await runs.start(target);
}

/** What was profiled last, once more, for V8's tiers; the first time, whatever tests there are. */
export async function recordTiers({ services, runs }: CommandHost): Promise<void> {
  if (!(await canRun(services))) return;
  const last = runs.lastTarget;
  if (last !== undefined && last.kind !== 'process') return runs.start(last, 'tiers');
  const found = await testTargets(runs.remembered);
  if (found.type === 'none') return showFailure(found.message, services.log);
  const target = await pickTarget(found.targets, false);
  if (target !== undefined) await runs.start(target, 'tiers');
}
