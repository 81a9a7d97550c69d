import { locateRequest } from '../../protocol/requests.ts';
import { openLocation } from '../ui/open-location.ts';
import { functionReferenceOf, locationOf } from './function-reference.ts';
import type { CommandHost } from './command-host.ts';

/** A row of the tree was chosen: its place in the source as it is now. */
export async function openHotspot(host: CommandHost, argument: unknown): Promise<void> {
  const reference = functionReferenceOf(argument);
  if (reference !== null) return openSource(host, reference);
  return openLocation(locationOf(argument));
}

/** The server finds where a function is, and whether that is inside the workspace. */
export async function openSource({ services }: CommandHost, argument: unknown): Promise<void> {
  const reference = functionReferenceOf(argument);
  if (reference !== null) await openLocation(await services.server.ask(locateRequest, reference));
}
