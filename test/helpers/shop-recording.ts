import { mkdtemp, mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { placedProfile } from './placed-profile.ts';

/** A small workspace on disk with a profile of it: `quote` clones for 312 ms, called by `handler`. */
export interface ShopRecording {
  readonly folder: string;
  /** `src/shop.js`, absolute, and its text. */
  readonly file: string;
  readonly text: string;
  readonly profile: string;
  readonly remove: () => Promise<void>;
}

const shopText = `'use strict';

function quote(catalogue) {
  const copy = JSON.parse(JSON.stringify(catalogue));
  return copy.length;
}

function handler(catalogue) {
  return quote(catalogue);
}

module.exports = { handler };
`;

/** 0-based, in `shopText`. */
export const quoteLine = 2;
export const cloneLine = 3;

/** `quoteName` is the name that the profile gives the function: profiles are written by anybody. */
export async function recordShop(quoteName = 'quote'): Promise<ShopRecording> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'hotspan-shop-')));
  const file = path.join(folder, 'src/shop.js');
  const profile = path.join(folder, 'shop.cpuprofile');
  await mkdir(path.dirname(file));
  await writeFile(path.join(folder, 'package.json'), '{ "name": "shop" }');
  await writeFile(file, shopText);
  await writeFile(profile, profileOf(pathToFileURL(file).href, quoteName));
  return { folder, file, text: shopText, profile, remove: async () => rm(folder, { recursive: true, force: true }) };
}

/** The text of another profile of it, in which `quote` takes so many milliseconds, and stands so many lines further down. */
export function shopProfile({ file }: ShopRecording, ms: number, shift = 0): string {
  return profileOf(pathToFileURL(file).href, 'quote', ms, shift);
}

/**
 * Records a run in which `quote` takes so many milliseconds to a folder of that name in the workspace; absolute. The
 * command is `npm test` where the manifest does not say another.
 */
export async function recordRun(shop: ShopRecording, name: string, ms: number, manifest: object = {}): Promise<string> {
  const recording = path.join(shop.folder, name);
  await mkdir(recording, { recursive: true });
  const facts = { version: 2, command: ['npm', 'test'], ...manifest };
  await writeFile(path.join(recording, 'recording.json'), JSON.stringify(facts));
  await writeFile(path.join(recording, '7-0-a.0.cpuprofile'), shopProfile(shop, ms));
  return recording;
}

function profileOf(url: string, quoteName: string, ms = 312, shift = 0): string {
  const rows = `
    (idle) ${'handler '.repeat(ms)} (idle)
    .      ${`quote:${cloneLine + 1 + shift} `.repeat(ms)} .`;
  const functions = {
    handler: { url, line: 7 + shift, column: 16 },
    quote: { name: quoteName, url, line: quoteLine + shift, column: 14 },
  };
  return placedProfile(rows, { functions, sampleMs: 1 });
}
