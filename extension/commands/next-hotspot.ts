import { window } from 'vscode';
import { hotspotsRequest } from '../../protocol/requests.ts';
import { openLocation } from '../ui/open-location.ts';
import { type Direction, stepFrom } from './step.ts';
import type { CommandHost } from './command-host.ts';

/** Goes through the hotspots from the worst down; from anywhere else than a hotspot, to the worst. */
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
  if (next === null) void window.showInformationMessage('There is no hotspot to go to.');
  else await openLocation(next);
}
