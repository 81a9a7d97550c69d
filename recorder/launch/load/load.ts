import autocannon from 'autocannon';
import type { LoadFigures } from '../../../protocol/recording.ts';
import { type Microseconds, microseconds, milliseconds } from '../../../protocol/units.ts';
import type { LoadOptions } from './load-options.ts';

export type LoadOutcome =
  | { readonly type: 'done'; readonly figures: LoadFigures }
  /** One sentence. */
  | { readonly type: 'failed'; readonly message: string };

/** Sends all requests by autocannon; fails when none is answered. `isOver` is aborted when the server has ended. */
export async function applyLoad(options: LoadOptions, isOver: AbortSignal): Promise<LoadOutcome> {
  const { url, method, connections, amount, durationS, headers, body } = options;
  const answers = new Answers();
  const limit = amount === null ? { duration: durationS ?? 1 } : { amount };
  const result = await new Promise<autocannon.Result | Error>((resolve) => {
    const run = autocannon(
      {
        ...{ url, method, connections, headers, ...limit },
        ...(body === null ? {} : { body }),
        // How often autocannon checks whether it is done, in ms.
        sampleInt: 100,
      },
      (error: Error | null, figures) => resolve(error ?? figures),
    );
    run.on('response', (_client, status, bytes, ms) => answers.add(status, bytes, ms));
    isOver.addEventListener('abort', () => run.stop());
  });
  if (result instanceof Error) return failed(`The load could not be sent to ${url}: ${result.message}.`);
  if (answers.count === 0)
    return failed(`No request to ${url} was answered, ${result.errors} failed: check its address.`);
  return { type: 'done', figures: answers.figures(result.errors, result.timeouts) };
}

function failed(message: string): LoadOutcome {
  return { type: 'failed', message };
}

/** Collects the answers. Autocannon's own histogram has only whole ms and counts idle time at the end. */
class Answers {
  private readonly start = performance.now();
  private readonly latencies: number[] = [];
  private end = this.start;
  private bytes = 0;
  private unsuccessful = 0;

  get count(): number {
    return this.latencies.length;
  }

  add(status: number, bytes: number, ms: number): void {
    this.latencies.push(ms);
    this.end = performance.now();
    this.bytes += bytes;
    if (status < 200 || status > 299) this.unsuccessful += 1;
  }

  figures(errors: number, timeouts: number): LoadFigures {
    const sorted = this.latencies.toSorted((a, b) => a - b);
    const at = (share: number): Microseconds => inUs(sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0);
    const seconds = Math.max(this.end - this.start, 1) / 1000;
    const sum = sorted.reduce((total, ms) => total + ms, 0);
    return {
      ...{ requests: sorted.length, errors, timeouts, non2xx: this.unsuccessful },
      durationUs: milliseconds(Math.round(seconds * 1000)),
      requestsPerSecond: Math.round((sorted.length / seconds) * 10) / 10,
      bytesPerSecond: Math.round(this.bytes / seconds),
      latencyUs: { mean: inUs(sum / sorted.length), p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1) },
    };
  }
}

function inUs(ms: number): Microseconds {
  return microseconds(Math.round(ms * 1000));
}
