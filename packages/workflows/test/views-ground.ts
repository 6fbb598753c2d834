import { createFollowers } from '../src/runs/followers.ts';
import { createViews, type Views } from '../src/views/views.ts';
import type { RunGround } from './run-ground.ts';

/** The views of a place where runs really run. */
export function viewsOf({ ambient, store, content, runs }: RunGround): Views {
  const followers = createFollowers();
  runs.onCommit(({ runId }) => followers.tell(runId));
  return createViews({ ambient, store, content, follow: followers.follow });
}
