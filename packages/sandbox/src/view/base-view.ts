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

export function createBaseView(ambient: Ambient, environment: Environment): () => BaseView {
  let last: { view: BaseView; at: number } | undefined;
  const look = (): BaseView => ({
    system: systemView(),
    programs: programsElsewhere(environment, homeOf(environment)),
    toolchains: toolchains(environment),
  });
  return () => {
    if (!last || ambient.monotonic() - last.at >= FRESH_MS) last = { view: look(), at: ambient.monotonic() };
    return last.view;
  };
}
