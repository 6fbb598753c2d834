import { type Ambient, type Environment, homeOf } from '@fucina/shared';
import { toolchains } from './home-view.ts';
import type { Mount } from './mounts.ts';
import { programsElsewhere, systemView } from './system-view.ts';

/** What all commands see, in any session: refreshed at intervals, because users install programs. */
export interface BaseView {
  system: readonly Mount[];
  /** Programs outside the system and the home. */
  programs: readonly Mount[];
  toolchains: readonly Mount[];
}

const FRESH_MS = 10_000;

export function createBaseView(ambient: Ambient, environment: Environment): () => Promise<BaseView> {
  let last: { view: Promise<BaseView>; at: number } | undefined;
  const look = async (): Promise<BaseView> => {
    const [system, programs, tools] = await Promise.all([
      systemView(),
      programsElsewhere(environment, homeOf(environment)),
      toolchains(environment),
    ]);
    return { system, programs, toolchains: tools };
  };
  return () => {
    if (last && ambient.monotonic() - last.at < FRESH_MS) return last.view;
    const view = look();
    last = { view, at: ambient.monotonic() };
    view.catch(() => (last = undefined));
    return view;
  };
}
