import { packagesAround } from '../packages/package-folders.ts';
import type { Package } from '../packages/package-manifest.ts';
import type { Readers } from '../packages/readers.ts';
import { type RunnerFacts, runners } from '../runners/runners.ts';
import type { Runner } from '../target.ts';
import { type TestScripts, testScripts } from './test-scripts.ts';

/** From where, and by what, the tests of a file are run. */
export interface TestHome {
  readonly from: Package;
  /** Null: none that we know. */
  readonly facts: RunnerFacts | null;
  readonly scripts: TestScripts;
}

/**
 * The nearest package whose scripts start the file's runner, since in a monorepo that is often the outermost one; the
 * nearest of all where none does, or where that has tests of another kind. Null: it lies in none.
 */
export async function homeOf(
  file: string,
  text: string,
  workspace: string,
  readers: Readers,
): Promise<TestHome | null> {
  const packages = await packagesAround(file, workspace, readers);
  const homes = await Promise.all(packages.map(async (from) => ({ from, scripts: await testScripts(from, readers) })));
  const [nearest] = homes;
  if (nearest === undefined) return null;
  const imported = runnerIn(text);
  const runnerBy = ({ scripts }: Pick<TestHome, 'scripts'>): Runner | null => {
    const named = scripts.scripts.flatMap(({ script }) => script.parts.filter((part) => part.foreign === null));
    return (
      named.map(({ runner }) => runner).find((runner) => runner !== null && runner === (imported ?? runner)) ?? null
    );
  };
  const isSettled = imported === null && nearest.scripts.scripts.some(({ script }) => !script.isOrchestrator);
  const home = (isSettled ? null : homes.find((one) => runnerBy(one) !== null)) ?? nearest;
  return { ...home, facts: factsOf(imported ?? runnerBy(home)) ?? setUpIn(home.from) };
}

function factsOf(runner: Runner | null): RunnerFacts | null {
  return runners.find((facts) => facts.runner === runner) ?? null;
}

/** The runner that is set up in a package, by its configurations, else by its dependencies. */
function setUpIn(from: Package): RunnerFacts | null {
  const isConfigured = (facts: RunnerFacts): boolean =>
    from.files.some((name) => facts.configuration.test(name)) || from.hasKey(facts.runner);
  return runners.find(isConfigured) ?? runners.find((facts) => from.dependencies.has(facts.runner)) ?? null;
}

/** What a test file imports. */
function runnerIn(text: string): Runner | null {
  const imported: readonly (readonly [RegExp, Runner])[] = [
    [/['"]vitest['"]/, 'vitest'],
    [/['"]node:test['"]/, 'node:test'],
    [/['"]@jest\/globals['"]/, 'jest'],
    [/['"]mocha['"]/, 'mocha'],
  ];
  return imported.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

/** What runs the tests of a file instead of Node.js, by its own words; null: nothing that we know. */
export function runsElsewhere(name: string, text: string): string | null {
  const signs: readonly (readonly [RegExp, string])[] = [
    [/['"]bun:test['"]/, 'Bun'],
    [/\bDeno\.test\(|['"](jsr:@std\/|https:\/\/deno\.land\/)/, 'Deno'],
    [/['"]cloudflare:(test|workers)['"]/, 'workerd'],
    [/['"]@playwright\/experimental-ct-/, 'a browser (playwright)'],
    [/['"](@vitest\/browser(\/context)?|vitest\/browser)['"]/, 'a browser (vitest)'],
    [/['"](@open-wc\/testing|@web\/test-runner)/, 'a browser (web-test-runner)'],
  ];
  if (/\.cy\.[cm]?[jt]sx?$/.test(name)) return 'a browser (cypress)';
  return signs.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}
