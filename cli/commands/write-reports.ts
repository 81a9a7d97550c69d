import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { projectAround } from '../../engine/read/functions/find-workspace.ts';
import type { BudgetCheck } from '../../protocol/budget.ts';
import { diskWorld } from '../../recordings/disk-world.ts';
import type { WantedReport } from '../arguments/check-arguments.ts';
import { checkMarkdown } from '../views/check-views.ts';
import { type ReportContext, ciReports, withoutCommands } from '../views/ci-reports.ts';
import type { Output } from '../views/terminal.ts';

/** Where reports go, and what they tell beside the check. */
interface Target {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly version: string;
  /** Path of the budget, as typed. */
  readonly budget: string;
  readonly out: Pick<Output, 'write'>;
}

/**
 * Writes each report to its file, or to standard output; with `github` also the summary of the step. A file is there as
 * a whole or not at all. Gives a sentence for each that could not be written; the others are written all the same.
 */
export async function writeReports(
  check: BudgetCheck,
  reports: readonly WantedReport[],
  target: Target,
): Promise<readonly string[]> {
  if (reports.length === 0) return [];
  const { cwd, env, out } = target;
  const context = await contextOf(target);
  const failures: string[] = [];
  for (const { format, file } of reports) {
    const text = ciReports[format](check, context);
    if (file === null) out.write(text);
    else failures.push(...(await attempt(file, async () => writeWhole(path.resolve(cwd, file), text))));
  }
  const summary = env['GITHUB_STEP_SUMMARY'] ?? '';
  if (summary !== '' && reports.some(({ format }) => format === 'github'))
    failures.push(...(await attempt(summary, async () => appendFile(summary, checkMarkdown(check, mostInSummary)))));
  return failures;
}

/** GitHub refuses a summary of over 1 MiB. */
const mostInSummary = 200;

/** What goes to standard output beside reports: where GitHub obeys what stands there, no name in it may be a command. */
export function besideReports(text: string, reports: readonly WantedReport[]): string {
  const isObeyed = reports.some(({ format, file }) => format === 'github' && file === null);
  return isObeyed ? withoutCommands(text, randomUUID()) : text;
}

async function attempt(file: string, write: () => Promise<void>): Promise<readonly string[]> {
  try {
    await write();
    return [];
  } catch (error) {
    return [`${file} cannot be written: ${error instanceof Error ? error.message : String(error)}.`];
  }
}

/** Writes a file beside it first, so that nobody reads half of it. What is no plain file (a pipe, a link) is kept. */
async function writeWhole(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const known = await lstat(file).catch(() => null); // Where it cannot be looked at, writing says why.
  if (known !== null && !known.isFile()) return writeFile(file, text);
  const unfinished = `${file}.${process.pid}.unfinished`;
  try {
    await writeFile(unfinished, text, { flag: 'wx' });
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/**
 * The root of the repository is the folder with `.git`. A CI job may have fetched the files without it: then it is the
 * folder that the service names.
 */
async function contextOf({ cwd, env, budget, version }: Target): Promise<ReportContext> {
  const project = await projectAround(cwd, diskWorld);
  const workspace = env['GITHUB_WORKSPACE'] ?? env['CI_PROJECT_DIR'] ?? '';
  const isNamed = workspace !== '' && !existsSync(path.join(project, '.git'));
  const named = isNamed ? below(workspace, project) : null;
  const repository = named === null ? project : workspace;
  return {
    project: named ?? '',
    version,
    budget: below(repository, path.resolve(cwd, budget)) ?? path.basename(budget),
  };
}

/** The path from a folder, with `/`; null for what is not in it. */
function below(folder: string, file: string): string | null {
  const relative = path.relative(folder, file);
  if (relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative)) return null;
  return relative.replaceAll(path.sep, '/');
}
