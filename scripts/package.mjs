// `npm run package`: builds and packs the extension.
import { build, ensureInstalled } from './setup.mjs';
import { packageExtension, vsixFile } from './vsix.mjs';

ensureInstalled();
build();
packageExtension();
console.log(vsixFile);
