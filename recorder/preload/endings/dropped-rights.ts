import { attempt, call, replace } from '../host/host.ts';

/** What is done around a call by which the program gives up the rights of its user or group. Nothing here may throw. */
export interface Leaving {
  readonly before: (name: string) => void;
  readonly after: () => void;
}

/** From then on our files may not be there for it any more. */
export function watchLeavingRights({ before, after }: Leaving): void {
  for (const name of ['setuid', 'seteuid', 'setgid', 'setegid']) {
    replace(
      process,
      name,
      (original) =>
        function (...args) {
          attempt(() => before(name));
          try {
            return call(original, this, args);
          } finally {
            attempt(after);
          }
        },
    );
  }
}
