import { ApiError } from '@fucina/client';
import { api } from '../../wire/client.ts';
import type { Words } from '../../words/words.ts';
import type { GitPanelState } from './use-git-panel.ts';

type Act = () => Promise<string | undefined>;

/** An act that asks when a file has conflict markers that another program staged: then it is tried once more. */
export function askingForMarkers({ ask, path }: GitPanelState, say: Words['say'], act: Act): Act {
  const attempt: Act = async () => {
    try {
      return await act();
    } catch (error) {
      const marked = markedPath(error);
      if (marked === undefined) throw error;
      ask({
        title: say('git.markers.commit'),
        text: (error as ApiError).body?.explanation ?? '',
        act: say('git.markers.commit.act'),
        run: async () => {
          await api.post('/ext/sessions/{sessionId}/git/stage-with-markers', { path, body: { paths: [marked] } });
          return attempt();
        },
      });
      return undefined;
    }
  };
  return attempt;
}

function markedPath(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || error.reason !== 'conflict-markers-staged') return undefined;
  const path = error.body?.params?.path;
  return typeof path === 'string' ? path : undefined;
}
