// `npm run package`: builds and packs the extension.
import { build, ensureInstalled, packageExtension, vsixFile } from './setup.mjs';

ensureInstalled();
build();
packageExtension();
console.log(vsixFile);
