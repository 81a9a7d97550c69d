import { activeEditor } from '../ui/active-file.ts';
import type { HotspotItem, Hotspots } from '../../protocol/list-rows.ts';
import type { Location } from '../../protocol/places.ts';
import { locateRequest, hotspotsRequest } from '../../protocol/requests.ts';
import { byWeight } from '../../protocol/results.ts';
import type { TakenForm } from '../../protocol/webview.ts';
import { inLog, showFailure } from '../ui/failures.ts';
import { offer } from '../ui/offer.ts';
import { emptyStates, noHotspot } from '../../words/editor/ways.ts';
import { openSourceAt } from '../ui/open-source.ts';
import { functionOf } from './at-cursor.ts';
import { pickResult } from './pick-result.ts';
import {
  diffReferenceOf,
  functionReferenceOf,
  locationOf,
  operationReferenceOf,
  type CommandHost,
} from './command-arguments.ts';
import { commands, Uri, window } from 'vscode';
import { type RemedyPage, remedyPages } from '../../protocol/remedy-pages.ts';

/** Opens the line that a row of the tree names, in the source as it is now. */
export async function openHotspot(host: CommandHost, argument: unknown): Promise<void> {
  if (functionReferenceOf(argument) !== null) return openCulprit(host, argument);
  return openSourceAt(locationOf(argument), host.services.log);
}

/** Opens the source of a function. The server knows where that is, and whether it is inside the workspace. */
export async function openSource({ services }: CommandHost, argument: unknown): Promise<void> {
  const reference = functionReferenceOf(argument);
  if (reference !== null) await openSourceAt(await services.server.ask(locateRequest, reference), services.log);
}

/** Opens the flamegraph of a result: of the row that it was started from, or of the one that the person picks. */
export async function openFlamegraph({ services, flamegraph }: CommandHost, argument: unknown): Promise<void> {
  const { results, log } = services;
  if (results.all.length === 0) {
    inLog(offer(emptyStates.noRecording, log), log);
    return;
  }
  const result = await pickResult(results, argument, 'Which result to show as a flamegraph');
  if (result !== null) await flamegraph.open(result.summary.recording);
}

/** Copies or saves the flamegraph in sight. Where there is none, opens one first, for the person to see what it is. */
export async function takeAway(host: CommandHost, form: TakenForm): Promise<void> {
  if (!host.flamegraph.takeAway(form)) await openFlamegraph(host, undefined);
}

/** Shows a result no longer: that of the row that it was started from, or the one that the person picks. */
export async function forgetResult({ services: { results } }: CommandHost, argument: unknown): Promise<void> {
  const result = await pickResult(results, argument, 'Which result to forget; its recording stays');
  if (result !== null) await results.forget(result.target);
}

/** Opens the flamegraph at a function, from a lens, a hover or a row of the tree. */
export async function openFunction({ flamegraph }: CommandHost, argument: unknown): Promise<void> {
  await openAt(flamegraph, argument, false);
}

/**
 * Opens the flamegraph at a function, or at the one at the cursor, with only the operation in which it held the loop
 * longest.
 */
export async function openWorst(host: CommandHost, argument: unknown): Promise<void> {
  await openAt(host.flamegraph, await functionOf(host, argument), true);
}

/** Opens the flamegraph with one operation alone, from a row about it. */
export async function openOperation({ flamegraph }: CommandHost, argument: unknown): Promise<void> {
  const reference = operationReferenceOf(argument);
  if (reference !== null) await flamegraph.open(reference.recording, { operation: reference.operation });
}

/** Opens the line where the function of a row holds the loop most. */
export async function openCulprit({ services }: CommandHost, argument: unknown): Promise<void> {
  const reference = functionReferenceOf(argument);
  if (reference === null) return;
  const location = await services.server.ask(locateRequest, { ...reference, hottest: true });
  await openSourceAt(location, services.log);
}

/** Opens the diff of the recordings of two sides, at a function if one is given. */
export async function openDiffFlamegraph({ flamegraph, services }: CommandHost, argument: unknown): Promise<void> {
  const diff = diffReferenceOf(argument);
  if (diff === null) await showFailure(notADiff, services.log);
  else await flamegraph.openDiff(diff);
}

const notADiff =
  'A diff needs the absolute paths of recordings of both sides: { "base": […], "head": […], "place": { "url", "line", "name" } or null }.';

async function openAt(flamegraph: CommandHost['flamegraph'], argument: unknown, alone: boolean): Promise<void> {
  const reference = functionReferenceOf(argument);
  if (reference !== null) await flamegraph.open(reference.recording, { functionId: reference.functionId, alone });
}

/** Goes through the hotspots of all results, from the worst down. From any place that is no hotspot, to the worst. */
export async function goToHotspot({ services }: CommandHost, direction: Direction): Promise<void> {
  const all = await services.server.ask(hotspotsRequest, { groupBy: 'function', sortBy: 'worst' });
  const next = stepFrom(placeOfCursor(), locationsOf(worstFirst(all)), direction);
  const { summary } = services.results;
  const state = summary === null ? emptyStates.noRecording : noHotspot(summary.thresholdUs);
  if (next === null) inLog(offer(state, services.log), services.log);
  else await openSourceAt(next, services.log);
}

/** Goes through the findings of all results, in the order of the verdict; where there is none, through the hotspots. */
export async function goToFinding(host: CommandHost): Promise<void> {
  const { server, log } = host.services;
  const all = await server.ask(hotspotsRequest, { groupBy: 'function', sortBy: 'worst' });
  const findings = all.flatMap(({ verdict }) => verdict.findings);
  const next = stepFrom(placeOfCursor(), locationsOf(findings), 'next');
  if (next === null) await goToHotspot(host, 'next');
  else await openSourceAt(next, log);
}

function locationsOf(items: readonly HotspotItem[]): readonly Location[] {
  return items.flatMap(({ location }) => (location === null ? [] : [location]));
}

function placeOfCursor(): Spot | null {
  const editor = activeEditor();
  return editor === undefined ? null : { uri: editor.document.uri.toString(), line: editor.selection.active.line };
}

/** The functions of all results. Those of one result are in order. */
function worstFirst(all: Hotspots): readonly HotspotItem[] {
  const items = all.flatMap(({ groups }) =>
    groups.filter(({ kind }) => kind === 'functions').flatMap((one) => one.items),
  );
  if (all.length === 1) return items;
  return items.toSorted((a, b) => byWeight({ us: a.worstUs, tone: a.tone }, { us: b.worstUs, tone: b.tone }));
}

type Direction = 'next' | 'previous';

interface Spot {
  readonly uri: string;
  readonly line: number;
}

/**
 * The spot after (or before) the one at the cursor; after the last one comes the first. From anywhere else, the first
 * one. Several spots at one place count as one, because the cursor cannot tell which of them it is on.
 */
export function stepFrom<S extends Spot>(here: Spot | null, all: readonly S[], direction: Direction): S | null {
  const byPlace = new Map(all.toReversed().map((spot) => [`${spot.line} ${spot.uri}`, spot]));
  const spots = all.filter((spot) => byPlace.get(`${spot.line} ${spot.uri}`) === spot);
  const at = here === null ? -1 : spots.findIndex(({ uri, line }) => uri === here.uri && line === here.line);
  if (at === -1) return spots[0] ?? null;
  const step = direction === 'next' ? 1 : spots.length - 1;
  return spots[(at + step) % spots.length] ?? null;
}

/** Opens a page about a remedy, which is packed with the extension, from a link of a hover. */
export async function openRemedy({ context }: Pick<CommandHost, 'context'>, argument: unknown): Promise<void> {
  const page = remedyPageOf(argument);
  if (page === null) return;
  const uri = Uri.joinPath(context.extensionUri, 'docs', 'remedies', `${page}.md`);
  try {
    await commands.executeCommand('markdown.showPreview', uri);
  } catch {
    await window.showTextDocument(uri); // The built-in extension that shows Markdown can be switched off.
  }
}

/** One of our pages; null for anything else that a link may name. */
export function remedyPageOf(argument: unknown): RemedyPage | null {
  if (typeof argument !== 'object' || argument === null || !('page' in argument)) return null;
  return remedyPages.find((page) => page === argument.page) ?? null;
}
