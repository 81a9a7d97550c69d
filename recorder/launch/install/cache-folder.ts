import path from 'node:path';

/** The user's cache folder for Hotspan, by the platform's custom; no absolute path where the home folder is none. */
export function cacheFolder(platform: NodeJS.Platform, env: NodeJS.ProcessEnv, homeFolder: string): string {
  if (platform === 'win32')
    return path.join(env['LOCALAPPDATA'] ?? path.join(homeFolder, 'AppData', 'Local'), 'hotspan');
  if (platform === 'darwin') return path.join(homeFolder, 'Library', 'Caches', 'hotspan');
  const cache = env['XDG_CACHE_HOME'];
  return path.join(cache === undefined || !path.isAbsolute(cache) ? path.join(homeFolder, '.cache') : cache, 'hotspan');
}

/** The system's, which all users may read; null where there is none. */
export function sharedCacheFolder(platform: NodeJS.Platform): string | null {
  if (platform === 'win32') return null;
  return platform === 'darwin' ? '/Library/Caches/hotspan' : '/var/cache/hotspan';
}
