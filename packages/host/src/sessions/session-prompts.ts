import type { ImprovedPrompt, ImproveRequest, Providers } from '@fucina/providers';
import type { Sessions } from '@fucina/sessions';

/** Rewriting a prompt with a session's model: sessions knows which model, providers asks it. */
export interface SessionPrompts {
  /** NOT_FOUND for a session that is not there; otherwise as `PromptImprover.improve`. */
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
