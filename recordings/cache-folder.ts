import os from 'node:os';
import path from 'node:path';

/** The user's own cache folder; null where this user has no home folder (an empty HOME counts as none). */
export function ownCacheFolder(env: NodeJS.ProcessEnv): string | null {
  try {
    const folder = cacheFolder(process.platform, env, os.homedir());
    return path.isAbsolute(folder) ? folder : null;
  } catch {
    return null; // A container may run as a user that the system does not know.
  }
}

/**
 * The user's cache folder for Hotspan, by the platform's custom. It is not an absolute path where the home folder is
 * none.
 */
export function cacheFolder(platform: NodeJS.Platform, env: NodeJS.ProcessEnv, homeFolder: string): string {
  if (platform === 'win32')
    return path.join(env['LOCALAPPDATA'] ?? path.join(homeFolder, 'AppData', 'Local'), 'hotspan');
  if (platform === 'darwin') return path.join(homeFolder, 'Library', 'Caches', 'hotspan');
  const cache = env['XDG_CACHE_HOME'];
  return path.join(cache === undefined || !path.isAbsolute(cache) ? path.join(homeFolder, '.cache') : cache, 'hotspan');
}
