import { createFollowers } from '../src/runs/followers.ts';
import { createViews, type Views } from '../src/views/views.ts';
import { ROOT, type RunFixture } from './run-fixture.ts';

/** A session without a run. */
export const SESSION_WITHOUT_RUNS = 'quiet-session';

/** Views over real runs. */
export function viewsOf({ ambient, store, content, runs }: RunFixture): Views {
  const followers = createFollowers();
  runs.onCommit(({ runId }) => followers.tell(runId));
  const sessionExists = (sessionId: string): boolean => sessionId === ROOT || sessionId === SESSION_WITHOUT_RUNS;
  return createViews({ ambient, store, content, follow: followers.follow, sessionExists });
}
