import type { SandboxRules } from '@fucina/sandbox';
import { once } from '@fucina/shared';
import type { DataFolder } from '../data-folder/data-folder.ts';
import type { HostSettings } from '../settings.ts';

/** The user's rules for sandboxed commands, loaded with the tools at first use. */
export interface LazyRules extends AsyncDisposable {
  (): Promise<SandboxRules>;
}

export function openRules({ ambient, environment }: HostSettings, folder: DataFolder): LazyRules {
  let opened: Promise<SandboxRules> | undefined;
  const open = once(() => {
    opened = import('@fucina/sandbox').then(({ createSandboxRules }) =>
      createSandboxRules({
        ambient,
        environment,
        dataDir: folder.path,
        isInitialised: folder.hasHeld('sandbox.db'),
        onOpened: () => folder.noteStore('sandbox.db'),
      }),
    );
    return opened;
  });
  return Object.assign(() => open(), {
    async [Symbol.asyncDispose]() {
      await (await opened)?.[Symbol.asyncDispose]();
    },
  });
}
