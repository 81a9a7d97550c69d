/** A `.cpuprofile` as `JSON.parse` gives it. */
export interface PlainProfile {
  readonly nodes: readonly PlainNode[];
  /** In µs. */
  readonly startTime: number;
  /** In µs. */
  readonly endTime: number;
  /** Ids of nodes. */
  readonly samples: readonly number[];
  /** In µs, each before its sample. */
  readonly timeDeltas: readonly number[];
}

export interface PlainNode {
  readonly id: number;
  readonly callFrame: PlainCallFrame;
  readonly children?: readonly number[];
  readonly parent?: number;
  readonly positionTicks?: readonly { readonly line: number; readonly ticks: number }[];
}

export interface PlainCallFrame {
  readonly functionName: string;
  /** Plays no part. */
  readonly scriptId: string;
  readonly url: string;
  /** From 0; −1 where there is none. */
  readonly lineNumber: number;
  readonly columnNumber: number;
}

/** Throws where it is not a profile: the reference reads sound files only, damaged ones have tests of their own. */
export function parsePlainProfile(text: string): PlainProfile {
  const json: unknown = JSON.parse(text);
  if (!isPlainProfile(json)) throw new Error('This is no .cpuprofile.');
  return json;
}

function isPlainProfile(json: unknown): json is PlainProfile {
  return typeof json === 'object' && json !== null && 'nodes' in json && 'samples' in json && 'timeDeltas' in json;
}
