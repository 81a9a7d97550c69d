import { defectWarnings } from './cpu-profile-importer.ts';
import type { PlainReader } from './cpuprofile/plain-reader.ts';
import { backslash, closeBrace, closeBracket, openBrace, openBracket, quote } from './cpuprofile/json-bytes.ts';
import { ProfileDecoder } from './cpuprofile/profile-decoder.ts';
import type { CpuProfile } from '../samples/cpu-profile.ts';
import { isTrace } from '../files/file-kinds.ts';
import type { MapLine } from '../../../protocol/recording-lines.ts';
import type { Warning } from '../../../words/warnings/warning-text.ts';
import { fromHeadForm } from './head-form-importer.ts';
import type { Importer, ImportedThread } from './importer.ts';
import { groupBy } from '../../basics/lists.ts';
import { isRecord, listOf, numberOf, textOf, parseJson, fieldsOf, type Fields } from '../../../protocol/json-value.ts';
import { boundedText } from '../files/file-path.ts';

/** Reads traces of Chrome's Performance panel and of Node. They contain the CPU profiles of several threads. */
export const chromeTraceImporter: Importer = {
  recognizes: ({ start }) => isTrace(start),
  read: async ({ name: file, content }, { plain, signal }) => {
    // This rejects where one profile is longer than the longest string.
    const nothing = { profiles: [], names: new Map(), maps: [], isWhole: false, isHermes: false };
    const { maps, isWhole, isHermes, ...found } = await profilesInTrace(content, signal).catch(() => nothing);
    const { threads, warnings } = threadsOf(found, plain, file);
    if (signal?.aborted === true) return { type: 'cancelled' };
    if (threads.length > 0) {
      const cut: readonly Warning[] = isWhole ? [] : [{ type: 'traceDamaged', file, damage: 'partly' }];
      return { type: 'trace', threads, maps, warnings: [...cut, ...warnings] };
    }
    const damage = isHermes ? 'hermes' : isWhole ? 'empty' : 'cutOff';
    return { type: 'unusable', warning: warnings[0] ?? { type: 'traceDamaged', file, damage } };
  },
};

/** The warnings say what is wrong in profiles, also in those that are left out. A thread may have no samples. */
function threadsOf(
  found: FoundProfiles,
  plain: PlainReader | null,
  file: string,
): { readonly threads: readonly ImportedThread[]; readonly warnings: readonly Warning[] } {
  const mains = mainThreads(found);
  const profiles: ThreadProfile[] = [];
  const warnings: Warning[] = [];
  for (const { pid, tid, json } of found.profiles) {
    const decoder = new ProfileDecoder(plain);
    decoder.push(new TextEncoder().encode(json));
    const decoded = decoder.finish();
    if (decoded.type === 'profile') {
      const { profile } = decoded;
      profiles.push({ pid, threadId: tid === mains.get(pid) ? 0 : tid, profile });
      for (const warning of defectWarnings(file, profile.defects)) warnings.push(warning);
    } else if (decoded.damage !== 'noSamples') warnings.push({ type: 'profileDamaged', file, damage: decoded.damage });
  }
  return { threads: joinOverlapping(profiles), warnings };
}

interface FoundProfiles {
  readonly profiles: readonly TraceProfile[];
  /** Names of threads, by `threadKey`. */
  readonly names: ReadonlyMap<string, string>;
}

/** The main thread of each process: by its name or number, else the first one that is not named as a worker. */
function mainThreads({ profiles, names }: FoundProfiles): ReadonlyMap<number, number | undefined> {
  const nameOf = ({ pid, tid }: TraceProfile): string => names.get(threadKey(pid, tid)) ?? '';
  const byProcess = [...groupBy(profiles, ({ pid }) => pid)];
  return new Map(
    byProcess.map(([pid, own]) => {
      const main =
        own.find((one) => /^(?:Cr\w+Main|JavaScriptMainThread)$/.test(nameOf(one))) ??
        own.find(({ tid }) => tid === pid) ??
        own.find((one) => !/worker/i.test(nameOf(one)));
      return [pid, (main ?? own[0])?.tid];
    }),
  );
}

function threadKey(pid: unknown, tid: unknown): string {
  return `${numberOf(pid, 0)} ${numberOf(tid, 0)}`;
}

type ThreadProfile = Pick<ImportedThread, 'pid' | 'threadId'> & { readonly profile: CpuProfile };

/** Joins profiles of one thread that overlap (that of `--cpu-prof` and the trace's own), whose samples count once. */
function joinOverlapping(profiles: readonly ThreadProfile[]): readonly ImportedThread[] {
  const ofThreads = groupBy(profiles, ({ pid, threadId }) => `${pid} ${threadId}`).values();
  return [...ofThreads].flatMap((own) => {
    const joined: (ImportedThread & { readonly profiles: CpuProfile[] })[] = [];
    let end = -Infinity;
    for (const { profile, ...thread } of own.toSorted((a, b) => startOf(a.profile) - startOf(b.profile))) {
      if (startOf(profile) < end) joined.at(-1)?.profiles.push(profile);
      else joined.push({ ...thread, profiles: [profile] });
      end = Math.max(end, profile.end);
    }
    return joined;
  });
}

function startOf({ times, end }: CpuProfile): number {
  return times.at(0) ?? end;
}

interface TraceProfile {
  readonly pid: number;
  /** The system's number of the thread, which is not Node's. */
  readonly tid: number;
  /** The profile as the JSON of a `.cpuprofile`. */
  readonly json: string;
}

/**
 * An event `Profile` begins one, each `ProfileChunk` adds nodes and samples; until 2017 one `CpuProfile` had them all.
 * Source: V8's `cpu-profiler` events. Hermes writes a trace whose samples have the number of a stack frame (`sf`).
 */
async function profilesInTrace(chunks: AsyncIterable<Uint8Array>, signal?: AbortSignal) {
  const heads = new Map<string, Fields>();
  const pieces = new Map<string, Fields[]>();
  const whole: TraceProfile[] = [];
  const maps: MapLine[] = [];
  const names = new Map<string, string>();
  let isHermes = false;
  const events = traceEvents(chunks, /"(?:Profile|CpuProfile|thread_name"|sf"|sourceMap(?:s|Url)")/, signal);
  let next = await events.next();
  for (; next.done !== true; next = await events.next()) {
    const event = next.value;
    if (!isRecord(event)) continue;
    isHermes ||= 'sf' in event && 'weight' in event;
    for (const map of mapsOf(event)) maps.push(map);
    if (event['name'] === 'thread_name')
      names.set(threadKey(event['pid'], event['tid']), textOf(fieldsOf(event['args'])['name']));
    if (event['name'] === 'CpuProfile') whole.push(wholeProfile(event));
    const key = `${numberOf(event['pid'], 0)} ${boundedText(textOf(event['id']))}`;
    if (event['name'] === 'Profile') heads.set(key, event);
    if (event['name'] !== 'ProfileChunk') continue;
    const known = pieces.get(key);
    if (known === undefined) pieces.set(key, [event]);
    else known.push(event);
  }
  const profiles = [...heads].map(([key, head]) => {
    const pid = numberOf(head['pid'], 0);
    return { pid, tid: numberOf(head['tid'], pid), json: profileOf(head, pieces.get(key) ?? []) };
  });
  return { profiles: [...profiles, ...whole], names, maps, isWhole: next.value, isHermes };
}

/** The source maps in an event about a script (`ScriptCatchup`), or in what DevTools adds as the trace's `metadata`. */
function mapsOf(event: Fields): readonly MapLine[] {
  const { url, sourceMapUrl } = dataOf(event);
  const named = textOf(sourceMapUrl);
  if (named.startsWith('data:')) return [{ url: boundedText(textOf(url)), map: named }];
  const embedded = listOf(event['sourceMaps']).filter(isRecord);
  return embedded.flatMap(({ url: script, sourceMap }) =>
    isRecord(sourceMap) ? [{ url: boundedText(textOf(script)), map: jsonOf(sourceMap) }] : [],
  );
}

/** Empty for a value that is nested too deep for `JSON.stringify`: the reader refuses it as a source map. */
function jsonOf(sourceMap: Fields): string {
  try {
    return JSON.stringify(sourceMap);
  } catch {
    return '';
  }
}

function wholeProfile(event: Fields): TraceProfile {
  const profile = fieldsOf(dataOf(event)['cpuProfile']);
  const pid = numberOf(event['pid'], 0);
  const json = JSON.stringify('head' in profile ? fromHeadForm(profile) : profile);
  return { pid, tid: numberOf(event['tid'], pid), json };
}

function profileOf(head: Fields, pieces: readonly Fields[]): string {
  const data = pieces.toSorted((a, b) => numberOf(a['ts'], 0) - numberOf(b['ts'], 0)).map(dataOf);
  const samples = data.flatMap(samplesOf);
  const startTime = numberOf(dataOf(head)['startTime'], numberOf(head['ts'], 0));
  const sampled = samples.reduce((sum, { delta }) => sum + numberOf(delta, 0), startTime);
  const ticks = ticksByNode(samples);
  const nodes = data
    .flatMap((one) => listOf(fieldsOf(one['cpuProfile'])['nodes']))
    .filter(isRecord)
    .map((node) => ({
      ...node,
      callFrame: callFrameOf(node),
      positionTicks: [...(ticks.get(node['id']) ?? [])].map(([line, count]) => ({ line, ticks: count })),
    }));
  const deltas = samples.map(({ delta }) => delta);
  const timeDeltas = deltas.every((delta) => delta === null) ? [] : deltas;
  const end = Math.max(numberOf(data.at(-1)?.['endTime'], sampled), sampled);
  const endTime = timeDeltas.includes(null) ? sampled : end; // The time that is missing is not that of the last sample.
  return JSON.stringify({ nodes, startTime, endTime, samples: samples.map(({ node }) => node), timeDeltas });
}

interface ChunkSample {
  /** Id of its node; −1 where the chunk has a time and no sample. */
  readonly node: unknown;
  /** Time since the sample before it, in µs; null where it is missing. */
  readonly delta: unknown;
  /** The executing line, from 1; 0 where it is unknown. */
  readonly line: number;
}

/** The samples of a chunk. V8 leaves `lines` out if no sample of the chunk has a line. */
function samplesOf(chunk: Fields): readonly ChunkSample[] {
  const nodes = listOf(fieldsOf(chunk['cpuProfile'])['samples']);
  const [deltas, lines] = [listOf(chunk['timeDeltas']), listOf(chunk['lines'])];
  return Array.from({ length: Math.max(nodes.length, deltas.length) }, (_, index) => ({
    node: nodes[index] ?? -1,
    delta: deltas[index] ?? null,
    line: numberOf(lines[index], 0),
  }));
}

/** Adds the members that a `.cpuprofile` always has, and a trace only where they are not empty. */
function callFrameOf(node: Fields): Fields {
  const { functionName, url, lineNumber, columnNumber } = fieldsOf(node['callFrame']);
  const none = textOf(url) === '' ? -1 : 0;
  return {
    functionName: textOf(functionName),
    url: textOf(url),
    lineNumber: numberOf(lineNumber, none),
    columnNumber: numberOf(columnNumber, none),
  };
}

/** Number of samples in which each line (from 1) was executing, by the node's id. */
function ticksByNode(samples: readonly ChunkSample[]): ReadonlyMap<unknown, ReadonlyMap<number, number>> {
  const ticks = new Map<unknown, Map<number, number>>();
  for (const { node, line } of samples) {
    if (line <= 0) continue;
    const ofNode = ticks.get(node) ?? new Map<number, number>();
    ticks.set(node, ofNode.set(line, (ofNode.get(line) ?? 0) + 1));
  }
  return ticks;
}

function dataOf(event: Fields): Fields {
  return fieldsOf(fieldsOf(event['args'])['data']);
}

/**
 * The events of a trace whose text matches `wanted`, in order, and its `metadata`; returns whether the trace was
 * complete. A trace is `{"traceEvents":[…]}` or only the list, which may be unclosed. Keeps one event's bytes at most. Source: Chrome's
 * Trace Event Format.
 */
async function* traceEvents(
  chunks: AsyncIterable<Uint8Array>,
  wanted: RegExp,
  signal?: AbortSignal,
): AsyncGenerator<unknown, boolean> {
  const cutter = new EventCutter();
  try {
    for await (const chunk of chunks) {
      if (signal?.aborted === true) return false;
      yield* cutter.cut(chunk).flatMap((text) => (wanted.test(text) ? [parseJson(text)] : []));
    }
  } catch {
    return false; // Its gzip is damaged or cut off, or an event is longer than the longest string.
  }
  return cutter.isAtEnd;
}

/** Cuts out the objects that are members of the outermost value, or directly in a list of it or of one of its members. */
class EventCutter {
  #depth = 0;
  #lists = 0;
  #isText = false;
  #isEscaped = false;
  /** Depth of the list of events: 1 where the list is the outermost value; −1 as long as nothing has come. */
  #listDepth = -1;
  readonly #decoder = new TextDecoder();
  /** The part of the current event that came in earlier pieces; null between two events. */
  #event: string | null = null;
  /** Depth at which the current event began. */
  #eventDepth = -1;

  get isAtEnd(): boolean {
    return this.#event === null && this.#depth < 2 && (this.#listDepth === 1 || this.#depth === 0);
  }

  /** This is a hot loop over every byte, so its state is a few numbers. */
  cut(bytes: Uint8Array): readonly string[] {
    const events: string[] = [];
    let start = 0;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      if (this.#isText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === backslash) this.#isEscaped = true;
        else if (byte === quote) this.#isText = false;
      } else if (byte === quote) this.#isText = true;
      else if (byte === openBrace || byte === openBracket) {
        if (this.#listDepth === -1) this.#listDepth = byte === openBracket ? 1 : 2;
        const isInList = this.#depth === this.#listDepth && this.#lists === 1;
        const isMember = this.#depth === 1 && this.#listDepth === 2;
        if (byte === openBrace && (isInList || isMember)) {
          this.#event = '';
          this.#eventDepth = this.#depth;
          start = at;
        }
        this.#depth += 1;
        if (byte === openBracket && this.#depth <= this.#listDepth) this.#lists += 1;
      } else if (byte === closeBrace || byte === closeBracket) {
        if (byte === closeBracket && this.#depth <= this.#listDepth) this.#lists -= 1;
        this.#depth -= 1;
        if (this.#event === null || this.#depth !== this.#eventDepth) continue;
        events.push(this.#event + this.#decoder.decode(bytes.subarray(start, at + 1)));
        this.#event = null;
      }
    }
    if (this.#event !== null) this.#event += this.#decoder.decode(bytes.subarray(start), { stream: true });
    return events;
  }
}
