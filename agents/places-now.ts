import type { Analysis } from '../engine/analysis.ts';
import type { Finding } from '../engine/judge/findings/finding.ts';
import { firstDifference } from '../engine/basics/lists.ts';
import { functionsAround, placesOf } from '../engine/compare/find-function.ts';
import { isSameCode } from '../engine/compare/match-functions.ts';
import type { FunctionInfo } from '../engine/read/functions/function-table.ts';
import { fileKey, olderTextOf, pathOfUri } from '../engine/read/files/file-path.ts';
import { MAX_NAMED_BYTES, readText } from '../engine/read/files/world.ts';
import { codeText } from '../protocol/code-text.ts';
import { isSamePath } from '../protocol/path-spelling.ts';
import { line0, type Line0, type Line1, toLine0, toLine1 } from '../protocol/units.ts';
import {
  type CodeMap,
  type FunctionExtent,
  mapCode,
  placeFunction,
  type PlacedFunction,
} from '../language-server/placement/code-map.ts';
import {
  type AnalysedRecording,
  annotationsIn,
  type FileAnnotations,
} from '../language-server/queries/file-annotations.ts';
import { locateHottestLine } from '../language-server/queries/locate.ts';
import { diskWorld } from '../recordings/disk-world.ts';
import { withLine } from '../words/formats/figures.ts';
import { shortPath } from '../words/places.ts';

/** Where a function is in today's files. */
export interface PlaceNow {
  /** Its hottest line, `src/cart.ts:12`, below the root; its file where no line is known; null without a file. */
  readonly at: string | null;
  /** Whether its code is another one than was measured, or gone. */
  readonly isChanged: boolean;
}

/** What is known of a file, and where it is in today's text. */
interface FileNow {
  readonly path: string;
  /** Today's. */
  readonly text: string;
  readonly annotations: FileAnnotations;
  readonly map: CodeMap;
}

/** Finds the functions of a recording in today's files, and the other way round. Each file is read once. */
export class PlacesNow {
  readonly #recorded: AnalysedRecording;
  readonly #files = new Map<string, Promise<FileNow | null>>();

  constructor(recorded: AnalysedRecording) {
    this.#recorded = recorded;
  }

  async of(functionId: number): Promise<PlaceNow> {
    const { analysis, folders } = this.#recorded;
    const isChanged = analysis.changed.functionIds.has(functionId) || this.#isOutdated(functionId);
    const location = locateHottestLine(analysis, folders, functionId);
    if (location === null) {
      const { path = null } = analysis.functions.functions[functionId] ?? {};
      return { at: path === null ? null : this.#short(path), isChanged };
    }
    const path = pathOfUri(location.uri) ?? '';
    const now = await this.#file(path);
    const extent = now === null ? undefined : extentOf(now.annotations, functionId);
    if (now === null || extent === undefined) return { at: this.#text(path, location.line), isChanged };
    const place = placeFunction(now.map, extent);
    return place === null
      ? { at: this.#text(path, location.line), isChanged: true }
      : { at: this.#text(path, place.lineOf(location.line) ?? place.line), isChanged: isChanged || place.stale };
  }

  /** Whether its text that ran is not known, because its file was not built before it was recorded. */
  #isOutdated(functionId: number): boolean {
    const { functions, changed } = this.#recorded.analysis;
    const { path = null, byName = false } = functions.functions[functionId] ?? {};
    return byName && path !== null && changed.outdated.some(({ source }) => isSamePath(source, path));
  }

  /** The place of a recorded line of a function, where its code is now; null where that is gone. */
  async lineOf(functionId: number, path: string, line: Line0): Promise<string | null> {
    const now = await this.#file(path);
    const lineNow = now === null ? line : lineIn(now, line, functionId);
    return lineNow === null ? null : this.#text(path, lineNow);
  }

  /** The analysis with today's lines, for sentences about it. */
  async analysis(): Promise<Analysis> {
    const { analysis, texts } = this.#recorded;
    const read = [...texts].map(async ([path, text]) => {
      const now = await readText(path, diskWorld, MAX_NAMED_BYTES.text);
      return now === null || now === text ? null : this.#file(path);
    });
    const files = (await Promise.all(read)).filter((file) => file !== null);
    return files.length === 0
      ? analysis
      : withLines(analysis, new Map(files.map((file) => [fileKey(file.path), file])));
  }

  /** The function that `src/cart.ts:12`, a line of today, means: the hot one, the innermost of several; or a name. */
  async functionAt(typed: string): Promise<number | null> {
    for (const { file, line } of placesOf(typed)) {
      const path = this.#pathOf(file);
      const now = path === null ? null : await this.#file(path);
      const found = now === null ? null : functionIn(now, toLine0(line));
      if (found !== null) return found;
    }
    const { functions, figures } = this.#recorded.analysis;
    const file = this.#pathOf(typed);
    const isMeant = ({ label, name, path }: FunctionInfo): boolean =>
      file === null ? label === typed || name === typed : path === file;
    const worst = ({ id }: FunctionInfo): number => figures[id]?.culprit?.worst ?? figures[id]?.presence.worst ?? 0;
    const [first] = functions.functions
      .filter(isMeant)
      .toSorted((a, b) => firstDifference(Number(b.own) - Number(a.own), worst(b) - worst(a)));
    return first?.id ?? null;
  }

  /** Files that the run reached, and whose code is another one today, below the root. Missing files do not count. */
  async changedFiles(): Promise<readonly string[]> {
    const { texts, analysis } = this.#recorded;
    const changed = [...texts].map(async ([path, text]) => {
      const now = await readText(path, diskWorld, MAX_NAMED_BYTES.text);
      return now === null || isSameCode(path, text, now) ? [] : [this.#short(path)];
    });
    const { paths, outdated } = analysis.changed;
    const known = [...[...paths].filter((path) => !texts.has(path)), ...outdated.map(({ source }) => source)];
    return [...new Set([...(await Promise.all(changed)).flat(), ...known.map((path) => this.#short(path))])].toSorted();
  }

  async #file(path: string): Promise<FileNow | null> {
    const known = this.#files.get(path) ?? this.#read(path);
    this.#files.set(path, known);
    return known;
  }

  async #read(path: string): Promise<FileNow | null> {
    const annotations = await annotationsIn(this.#recorded, path);
    if (annotations === null) return null;
    const { text } = annotations;
    const now = (await readText(path, diskWorld, MAX_NAMED_BYTES.text)) ?? text;
    const before = codeText(text, path);
    const map = mapCode(before, now === text ? before : codeText(now, path));
    return { path, text: now, annotations, map };
  }

  /** Only paths of the recording are read: an agent names no other. */
  #pathOf(typed: string): string | null {
    const asked = typed.replaceAll('\\', '/').replace(/^\.\//, '');
    const paths = [...this.#recorded.texts.keys()];
    const isMeant = (path: string): boolean => this.#short(path) === asked || isSamePath(path, asked);
    return paths.find(isMeant) ?? null;
  }

  #text(path: string, line: Line0): string {
    return withLine(this.#short(path), toLine1(line));
  }

  #short(path: string): string {
    return shortPath(path, this.#recorded.analysis.roots).replaceAll('\\', '/');
  }
}

function placeIn({ annotations, map }: FileNow, functionId: number): PlacedFunction | null {
  const extent = extentOf(annotations, functionId);
  return extent === undefined ? null : placeFunction(map, extent);
}

/** Where a recorded line of a function is in today's text; null where its code is gone. */
function lineIn(file: FileNow, line: Line0, functionId: number): Line0 | null {
  return placeIn(file, functionId)?.lineOf(line) ?? file.map.lineOf(line);
}

/** An analysis with the lines of these files as they are now; of code that is gone, those around it. */
function withLines(analysis: Analysis, files: ReadonlyMap<string, FileNow>): Analysis {
  const fileOf = (url: string): FileNow | undefined =>
    olderTextOf(url) === null ? files.get(fileKey(url)) : undefined;
  const moved = (url: string, line: Line0, functionId = -1): Line0 => {
    const file = line < 0 ? undefined : fileOf(url);
    if (file === undefined) return line;
    return lineIn(file, line, functionId) ?? placeIn(file, functionId)?.line ?? file.map.nearest(line);
  };
  const functions = analysis.functions.functions.map((fn) =>
    fn.moduleBody ? fn : { ...fn, line: moved(fn.url, fn.line, fn.id) },
  );
  const lines = analysis.lines.map((hot) => ({
    ...hot,
    line: toLine1(moved(hot.url, toLine0(hot.line), hot.functionIds[0])),
  }));
  const packages = analysis.packages.map((one) => ({
    ...one,
    imports: one.imports.map((at) => ({ ...at, line: toLine1(moved(at.url, toLine0(at.line))) })),
  }));
  const lineNow = (functionId: number | undefined, line: Line1 | null): Line1 | null => {
    const fn = functions[functionId ?? -1];
    const file = fn === undefined ? undefined : fileOf(fn.url);
    if (fn === undefined || file === undefined || line === null) return line;
    const now = lineIn(file, toLine0(line), fn.id);
    return now === null ? null : toLine1(now);
  };
  const all = analysis.findings.all.map((finding): Finding => {
    const { subject, cause, callers, calledAt } = finding;
    const id = subject.type === 'function' ? subject.functionId : undefined;
    return { ...finding, calledAt: lineNow(callers[0], calledAt), cause: { ...cause, line: lineNow(id, cause.line) } };
  });
  return {
    ...analysis,
    ...{ lines, packages, functions: { ...analysis.functions, functions } },
    findings: { ...analysis.findings, all },
  };
}

function extentOf({ functions, quiet }: FileAnnotations, wanted: number): FunctionExtent | undefined {
  return [...functions, ...quiet].find(({ functionId }) => functionId === wanted)?.extent;
}

/** The function at a line of today: with that line, else around it; the innermost, the hot one of several. */
function functionIn(file: FileNow, line: Line0): number | null {
  const { annotations, map } = file;
  const { functions, quiet, lines } = annotations;
  const ofLine = lines.find(({ owner, line: measured }) => {
    const fn = functions[owner];
    return fn !== undefined && placeFunction(map, fn.extent)?.lineOf(measured) === line;
  });
  const owner = functions[ofLine?.owner ?? -1];
  if (owner !== undefined) return owner.functionId;
  for (const some of [functions, quiet]) {
    const around = some.flatMap(({ functionId, extent }) => {
      const place = placeFunction(map, extent);
      return place !== null && place.line <= line && line <= place.lastLine ? [{ functionId, first: place.line }] : [];
    });
    const inner = around.reduce((most, one) => (one.first >= most.first ? one : most), {
      functionId: -1,
      first: line0(0),
    });
    if (inner.functionId >= 0) return inner.functionId;
  }
  return editedFunctionIn(file, line);
}

/** The same in a function whose code has changed, where no line that ran is around that line. */
function editedFunctionIn({ path, text, annotations, map }: FileNow, line: Line0): number | null {
  const known = [...annotations.functions, ...annotations.quiet].map(({ functionId, extent }) => {
    const place = placeFunction(map, extent);
    return { functionId, begin: place === null ? null : toLine1(place.line) };
  });
  for (const group of functionsAround({ type: 'place', file: path, line: toLine1(line), text })) {
    const begins = new Set(group.flatMap(({ number, line: begin }) => (number === 0 ? [] : begin)));
    const found = known.find(({ begin }) => begin !== null && begins.has(begin));
    if (found !== undefined) return found.functionId;
  }
  return null;
}
