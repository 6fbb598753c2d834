import type { ImprovedPrompt, ImproveRequest, Providers } from '@fucina/providers';
import type { Sessions } from '@fucina/sessions';

/** Rewrites a prompt with a session's model: sessions knows the model, providers calls it. */
export interface SessionPrompts {
  /** NOT_FOUND for an unknown session; otherwise as `PromptImprover.improve`. */
  improve(sessionId: string, request: Omit<ImproveRequest, 'model'>): Promise<ImprovedPrompt>;
}

export function createSessionPrompts(needs: { sessions: Sessions; providers: Providers }): SessionPrompts {
  return {
    async improve(sessionId, request) {
      const { settings } = await needs.sessions.read(sessionId);
      return needs.providers.prompts.improve({ ...request, model: settings.model });
    },
  };
}
