import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { zipSync } from 'fflate';
import { isRecord, parseJson } from '../../../protocol/json-value.ts';

/** Packs a folder with a `package.json` and no dependencies as a `.vsix`, which is written to `file`. */
export function packExtension(folder: string, file: string): string {
  const json = parseJson(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const of = (key: string): string => (isRecord(json) ? String(json[key]) : '');
  const [name, publisher, version] = [of('name'), of('publisher'), of('version')];
  const files = readdirSync(folder).map((one) => [`extension/${one}`, readFileSync(path.join(folder, one))] as const);
  const manifest = `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
<Metadata><Identity Language="en-US" Id="${name}" Version="${version}" Publisher="${publisher}"/><DisplayName>${name}</DisplayName></Metadata>
<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation><Dependencies/>
<Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/></Assets>
</PackageManifest>`;
  const packed = zipSync({ ...Object.fromEntries(files), 'extension.vsixmanifest': Buffer.from(manifest) });
  writeFileSync(file, packed);
  return file;
}
