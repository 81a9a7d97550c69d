import type { CompareResult } from '../../engine/compare/compare-recordings.ts';
import type { Comparison } from '../../protocol/comparison.ts';
import { repositoryOf } from '../../recorder/launch/pairs/git.ts';
import { describeFailure, refusalText } from '../../words/failures.ts';
import { mixedCodeTexts } from '../../words/given-recordings.ts';
import { isChange } from '../../words/formats/change-texts.ts';
import { plural } from '../../words/formats/figures.ts';
import type { ComparePairsArguments } from '../arguments/compare-arguments.ts';
import { plainText, type Surroundings, type Terminal } from '../views/terminal.ts';
import { exitCodeOf, printedComparison, withWarnings } from './compare.ts';
import { exitSentences, PairedRuns, type WantedBase, whatIsKnown } from './paired-runs.ts';

/**
 * Runs a command on a commit and on the work tree as it is, in turn, and compares them. Gives the exit code: as
 * `compareCommand`, and 3 where it was stopped before anything could be said.
 */
export async function comparePairsCommand(
  options: ComparePairsArguments,
  terminal: Terminal,
  surroundings: Surroundings,
): Promise<number> {
  const say = (sentence: string): void => terminal.err.write(`hotspan: ${plainText(sentence)}\n`);
  const fail = ({ message }: { readonly message: string }): 2 => {
    say(message);
    return 2;
  };
  const known = await whatIsKnown(options, surroundings);
  if (known.type === 'failed') return fail(known);
  if (known.base === null) return fail({ message: withoutSources(options.baseline ?? '') });
  const repository = await repositoryOf(surroundings.cwd);
  if (repository.type === 'failed') return fail(repository);
  const pairs = await PairedRuns.open(known.base, repository, surroundings, terminal.err);
  if (!(pairs instanceof PairedRuns)) {
    say(pairs.message);
    return pairs.isStopped ? 3 : 2;
  }
  try {
    const unready = await pairs.prepare();
    if (unready !== null) {
      say(unready.message);
      return pairs.isStopped ? 3 : 2;
    }
    if (await pairs.isUnchanged())
      say(`Nothing differs from ${known.base.name}: what is measured is how much figures vary.`);
    return await measure({ pairs, options, known: { command: known.command, base: known.base }, terminal, say });
  } finally {
    await pairs.close();
  }
}

function withoutSources(baseline: string): string {
  return `The baseline "${baseline}" has no sources that could be run: give its recordings instead (hotspan compare BEFORE… --head AFTER…).`;
}

interface Session {
  readonly pairs: PairedRuns;
  readonly options: ComparePairsArguments;
  readonly known: { readonly command: readonly string[]; readonly base: WantedBase };
  readonly terminal: Terminal;
  readonly say: (sentence: string) => void;
}

/** Runs the first pairs; where something seems to have changed, others that confirm it. */
async function measure(session: Session): Promise<number> {
  const { pairs, options, known, say } = session;
  const sides = pairs.bothOf(known.command);
  const first = await pairs.run(sides, 1, options.pairs, 'Pair');
  if (first.ended !== null && first.ended.type !== 'stopped') say(first.ended.message);
  if (first.ended?.type === 'unsound') return 3;
  if (first.ended?.type === 'stopped' && first.pairs.length === 0)
    say(`It was stopped before anything could be said. What was recorded is in ${pairs.out}.`);
  if (first.pairs.length === 0) return first.ended?.type === 'failed' ? 2 : 3;
  for (const sentence of exitSentences(first, known.base.name)) say(sentence);
  const { thresholdUs } = options;
  const seen = await pairs.compare([first], { thresholdUs, confirm: null });
  if (seen.type !== 'compared') return sayWhyNot(seen, say);
  if (isMixed(seen, say)) return 3;
  const changed = seen.comparison.functions.filter(isChange);
  if (first.ended !== null) return print(seen.comparison, session, first.pairs.length);
  if (changed.length === 0) return print(seen.comparison, session, null);
  const narrow = await pairs.bothOfTests(changed.flatMap(({ testFiles }) => testFiles));
  const by = narrow === null ? '' : `, by ${plural(narrow.base.length, 'test file')}`;
  say(`${plural(changed.length, 'change')} to confirm${by} …`);
  const second = await pairs.run(narrow ?? sides, options.pairs + 1, options.pairs, 'Confirming pair');
  if (second.ended !== null && second.ended.type !== 'stopped') say(second.ended.message);
  if (second.ended?.type === 'unsound') return 3;
  if (second.ended !== null) return print(seen.comparison, session, first.pairs.length);
  const confirm = { from: first.pairs.length, isNarrow: narrow !== null };
  const all = await pairs.compare([first, second], { thresholdUs, confirm });
  if (all.type !== 'compared') return sayWhyNot(all, say);
  return isMixed(all, say) ? 3 : print(all.comparison, session, null);
}

/** Whether the runs of a side ran different code, which is said: then there is no verdict. */
export function isMixed(
  { mixedFiles }: Extract<CompareResult, { readonly type: 'compared' }>,
  say: (sentence: string) => void,
): boolean {
  const [sentence] = mixedCodeTexts(mixedFiles);
  if (sentence !== undefined) say(sentence);
  return sentence !== undefined;
}

/** Says why two runs cannot be compared. Gives the exit code. */
export function sayWhyNot(
  result: Exclude<CompareResult, { readonly type: 'compared' }>,
  say: (sentence: string) => void,
): 2 {
  say(result.type === 'failed' ? describeFailure(result.failure) : refusalText(result.refusal));
  return 2;
}

/** Prints a comparison. `cut`: it was ended after so many pairs, before anything was confirmed; else null. */
function print(comparison: Comparison, { options, pairs, terminal: { out } }: Session, cut: number | null): number {
  const warning = `It was ended after ${plural(cut ?? 0, 'pair')}, before changes were confirmed: run it again for a verdict. Its recordings are in ${pairs.out}.`;
  const told = withWarnings(comparison, options);
  const shown = cut === null ? told : { ...told, warnings: [...told.warnings, warning] };
  out.write(printedComparison(shown, options, out));
  return cut === null ? exitCodeOf(shown) : 3;
}
