import type { RecordedLoad } from '../protocol/recording.ts';
import type { BlameKind } from '../protocol/report.ts';
import type { Microseconds } from '../protocol/units.ts';
import type { FunctionTable } from './functions/function-table.ts';
import type { FunctionFigures } from './hotspots/function-figures.ts';
import type { ModuleLoad } from './hotspots/module-load.ts';
import type { OwnPart } from './hotspots/own-part.ts';
import type { PathTable } from './hotspots/path-table.ts';
import type { HotLine } from './lines/hot-line.ts';
import type { ImportLine } from './lines/import-lines.ts';
import type { BlamedPackage } from './lines/package-lines.ts';
import type { BridgedSamples, Operation } from './operations/operation.ts';
import type { SampleStream } from './samples/sample-stream.ts';
import type { ChangedSince } from './texts/changed-since.ts';
import type { Tiers } from './tiers/tiers.ts';

/** Everything that was found out about one recording, once; reports, trees, hovers and flamegraphs read from it. */
export interface Analysis {
  readonly thresholdUs: Microseconds;
  readonly recording: RecordingFacts;
  /** Absolute paths of the workspace folders that decided what is own code. */
  readonly roots: readonly string[];
  readonly functions: FunctionTable;
  readonly streams: readonly SampleStream[];
  /** One for each stream. */
  readonly bridged: readonly BridgedSamples[];
  /** By start on the profile's own clock. Those of background threads too: `Isolate.threadKind` tells. */
  readonly operations: readonly Operation[];
  /** One for each operation. */
  readonly verdicts: readonly Verdict[];
  /** One for each function, by id. */
  readonly figures: readonly FunctionFigures[];
  /** Ascending by operation; background threads' too. */
  readonly ownParts: readonly OwnPart[];
  readonly paths: PathTable;
  readonly modules: readonly ModuleLoad[];
  /** Functions that slept with no frame that says in what, and that call `Atomics.wait`: of that, stacks show nothing. */
  readonly atomicsWaiters: ReadonlySet<number>;
  readonly lines: readonly HotLine[];
  readonly importLines: readonly ImportLine[];
  readonly packages: readonly BlamedPackage[];
  /** Null where nothing knows them: a profile of which there is no recording of tiers. */
  readonly tiers: Tiers | null;
  readonly changed: ChangedSince;
  /** Sentences for the person: what was damaged, dropped or lost. */
  readonly warnings: readonly string[];
}

/** Of `recording.json`; null where the input is plain profiles. */
export interface RecordingFacts {
  readonly command: readonly string[] | null;
  readonly cwd: string | null;
  readonly startedAt: string | null;
  /** Of the command; absent where it did not end by itself, or nobody saw it. */
  readonly exitCode?: number;
  /** Only where Hotspan itself sent requests to the program. */
  readonly load?: RecordedLoad;
}

/** Who held the loop in one operation. */
export interface Verdict {
  readonly gc: Microseconds;
  readonly load: Microseconds;
  readonly culprit: { readonly functionId: number; readonly us: Microseconds } | null;
  /** Only where the operation is over the threshold and has no culprit; null where no sample tells (its part was lost). */
  readonly blame: Blame | null;
}

export interface Blame {
  readonly kind: BlameKind;
  /** The package's name; for other kinds the kind itself. */
  readonly name: string;
  readonly us: Microseconds;
}
