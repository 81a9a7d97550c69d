import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { isList, parseJson } from '../../../protocol/json-value.ts';
import { requestsSuffix } from '../../../protocol/recording.ts';
import { findRecordings } from '../../../recordings/recording-folders.ts';
import { type Method, methods } from './request-plan.ts';

/**
 * Absolute paths of request files and OpenAPI descriptions below a folder, nearest first, without hidden and installed
 * folders. (VS Code's own search does not find what git ignores.)
 */
export async function requestFiles(folder: string): Promise<readonly string[]> {
  const folders = [folder];
  const found: string[] = [];
  for (let at = 0; at < folders.length && at < MAX_FOLDERS; at++) {
    const place = folders[at] ?? '';
    const entries = await readdir(place, { withFileTypes: true }).catch(() => []);
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const file = path.join(place, entry.name);
      if (entry.isFile() && isRequestFile.test(entry.name)) found.push(file);
      if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules') folders.push(file);
    }
  }
  return found;
}

const isRequestFile = /\.(?:http|rest)$|^(?:openapi|swagger).*\.json$/;
const MAX_FOLDERS = 1000;

/** A request that a recorded server has got, without query and body, which no recording keeps. */
export interface RequestedRoute {
  readonly method: Method;
  readonly path: string;
}

/**
 * What servers were asked for in the last recordings of these folders, as far as it can be sent again: not what has an
 * unknown part (`/users/*`, `/users/:id`). GET first, then as the recordings have them, the newest first.
 */
export async function requestedRoutes(folders: readonly string[]): Promise<readonly RequestedRoute[]> {
  const lists = await Promise.all(folders.map(findRecordings));
  const newest = lists.flat().toSorted((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
  const routes = await Promise.all(newest.slice(0, MAX_RECORDINGS).map(async (one) => routesIn(one.folder)));
  const all = new Map(routes.flat().map((route) => [`${route.method} ${route.path}`, route] as const));
  return methods.flatMap((method) => [...all.values()].filter((route) => route.method === method));
}

const MAX_RECORDINGS = 10;

/** Of a longer file the routes are not offered. */
const MAX_BYTES = 32e6;

async function routesIn(recording: string): Promise<readonly RequestedRoute[]> {
  const names = await readdir(recording).catch(() => []);
  const files = names.filter((name) => name.endsWith(requestsSuffix));
  const texts: string[] = [];
  for (const name of files) {
    const file = path.join(recording, name);
    const stats = await stat(file).catch(() => null);
    if (stats?.isFile() === true && stats.size <= MAX_BYTES) texts.push(await readFile(file, 'utf8').catch(() => ''));
  }
  return texts.flatMap((text) => text.match(/^\["route",.*$/gm) ?? []).flatMap(routeOf);
}

function routeOf(line: string): readonly RequestedRoute[] {
  const json = parseJson(line);
  const [, , name, route] = isList(json) ? json : [];
  const method = methods.find((one) => one === name);
  const isWhole = typeof route === 'string' && /^\/[\w./~-]*$/.test(route);
  return method === undefined || !isWhole ? [] : [{ method, path: route }];
}
