import { window } from 'vscode';
import { locateRequest, hotspotsRequest } from '../../protocol/requests.ts';
import { inLog } from '../ui/failures.ts';
import { openSourceAt } from '../ui/open-source.ts';
import { functionReferenceOf, locationOf, type CommandHost } from './command-arguments.ts';

/** Opens the place of a row of the tree, in the source as it is now. */
export async function openHotspot(host: CommandHost, argument: unknown): Promise<void> {
  const reference = functionReferenceOf(argument);
  if (reference !== null) return openSource(host, reference);
  return openSourceAt(locationOf(argument), host.services.log);
}

/** Opens the source of a function. The server knows where that is, and whether it is inside the workspace. */
export async function openSource({ services }: CommandHost, argument: unknown): Promise<void> {
  const reference = functionReferenceOf(argument);
  if (reference !== null) await openSourceAt(await services.server.ask(locateRequest, reference), services.log);
}

/** Opens the flamegraph of the recording whose figures the editor shows. */
export async function openFlamegraph({ services, flamegraph }: CommandHost): Promise<void> {
  const summary = services.results.summary;
  if (summary === null) {
    inLog(
      window.showInformationMessage('There is no recording yet: run Profile Tests, or open a profile.'),
      services.log,
    );
    return;
  }
  await flamegraph.open(summary.recording);
}

/** Opens the flamegraph at a function, from a lens, a hover or a row of the tree. */
export async function openFunction({ flamegraph }: CommandHost, argument: unknown): Promise<void> {
  await openAt(flamegraph, argument, false);
}

/** Opens the flamegraph at a function, with only the operation in which it held the loop longest. */
export async function openWorst({ flamegraph }: CommandHost, argument: unknown): Promise<void> {
  await openAt(flamegraph, argument, true);
}

async function openAt(flamegraph: CommandHost['flamegraph'], argument: unknown, alone: boolean): Promise<void> {
  const reference = functionReferenceOf(argument);
  if (reference !== null) await flamegraph.open(reference.recording, { functionId: reference.functionId, alone });
}

/** Goes through the hotspots from the worst down. From any place that is no hotspot, it goes to the worst. */
export async function goToHotspot({ services }: CommandHost, direction: Direction): Promise<void> {
  const hotspots = await services.server.ask(hotspotsRequest, { groupBy: 'function', sortBy: 'worst' });
  const locations = (hotspots?.groups ?? [])
    .filter((group) => group.kind === 'functions')
    .flatMap((group) => group.items)
    .flatMap(({ location }) => (location === null ? [] : [location]));
  const editor = window.activeTextEditor;
  const here =
    editor === undefined ? null : { uri: editor.document.uri.toString(), line: editor.selection.active.line };
  const next = stepFrom(here, locations, direction);
  if (next === null) inLog(window.showInformationMessage('There is no hotspot to go to.'), services.log);
  else await openSourceAt(next, services.log);
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
