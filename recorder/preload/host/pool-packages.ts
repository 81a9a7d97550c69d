/** Packages that run somebody's tests or tasks, in threads and processes of theirs too: what blocks there is waited for. */
const packages =
  /^(tinypool|vitest|@vitest\/.+|vite-node|jest|jest-.+|@jest\/.+|ava|piscina|workerpool|mocha|tap|@tapjs\/.+|jasmine|jasmine-.+|uvu|tape|@playwright\/test|playwright|@cucumber\/cucumber)$/;

/** True for a file of such a package: what stands after the path's last `node_modules/`. */
export function isPoolFile(file: string): boolean {
  const inside = file.replaceAll('\\', '/').split('/node_modules/').pop() ?? '';
  if (inside === file.replaceAll('\\', '/')) return false;
  const [scope = '', name = ''] = inside.split('/');
  return packages.test(scope.startsWith('@') ? `${scope}/${name}` : scope);
}
