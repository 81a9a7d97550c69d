import { isList, numberOf, textOf } from '../../../protocol/json-value.ts';
import { boundedText } from '../files/bounded-text.ts';
import type { Test, TestTimeline } from '../samples/sample-stream.ts';
import { plausibleTime } from '../samples/times.ts';

/**
 * Reads tests from the lines of a `.tests.jsonl`. While a test waits for a test inside it, only the inner one counts as
 * running. `toHere` tells where the file of a test is on this machine.
 */
export function readTests(lines: readonly unknown[], toHere = (path: string): string => path): TestTimeline {
  const changes: number[] = [];
  const running: (Test | null)[] = [];
  const untold = new Set<string>();
  const open = new OpenTests();
  for (const line of lines) {
    if (!isList(line)) continue;
    const [kind, time, id, file, titles, parent] = line;
    if (kind === 'untold') untold.add(boundedText(textOf(id)));
    if (kind !== 'begin' && kind !== 'end') continue;
    const number = numberOf(id, -1);
    if (kind === 'end') open.end(number);
    else open.begin(number, { name: nameOf(titles), file: toHere(boundedText(textOf(file))) }, numberOf(parent, -1));
    changes.push(Math.max(plausibleTime(time, 0), changes.at(-1) ?? -Infinity));
    running.push(open.alone());
    for (const test of open.newlyTogether()) untold.add(test.file);
  }
  return { changes: Float64Array.from(changes, Math.round), running, untold };
}

/** The tests that have begun and not ended. */
class OpenTests {
  readonly #open = new Map<number, { readonly test: Test; readonly parent: number; inside: number }>();
  /** Tests that wait for no other test. */
  readonly #active = new Map<number, Test>();
  /** Ids of tests that became active, and have not been reported yet as active together with others. */
  #alone: number[] = [];

  begin(id: number, test: Test, parent: number): void {
    const above = this.#open.get(parent);
    if (above !== undefined) above.inside++;
    this.#active.delete(parent);
    this.#open.set(id, { test, parent, inside: 0 });
    this.#activate(id, test);
  }

  end(id: number): void {
    const parent = this.#open.get(id)?.parent ?? -1;
    const above = this.#open.get(parent);
    this.#open.delete(id);
    this.#active.delete(id);
    if (above === undefined) return;
    above.inside--;
    if (above.inside === 0) this.#activate(parent, above.test);
  }

  alone(): Test | null {
    if (this.#active.size !== 1) return null;
    const [test] = this.#active.values();
    return test ?? null;
  }

  /** Tests that are active together with others, each reported once; none where at most one is active. */
  newlyTogether(): readonly Test[] {
    const active = this.#alone.filter((id) => this.#active.has(id));
    this.#alone = this.#active.size > 1 ? [] : active;
    return this.#active.size > 1 ? active.flatMap((id) => this.#active.get(id) ?? []) : [];
  }

  #activate(id: number, test: Test): void {
    this.#active.set(id, test);
    this.#alone.push(id);
  }
}

function nameOf(titles: unknown): string {
  return isList(titles) ? titles.map(textOf).join(' > ') : '';
}
