import type { ImprovedPrompt, ImproveRequest, Providers } from '@fucina/providers';
import type { SessionResolver } from './session-resolver.ts';

/** Rewrites a prompt with a session's model. */
export interface SessionPrompts {
  /** NOT_FOUND for an unknown session; otherwise as `PromptImprover.improve`. */
  improve(sessionId: string, request: Omit<ImproveRequest, 'model'>): Promise<ImprovedPrompt>;
}

export function createSessionPrompts(needs: { resolver: SessionResolver; providers: Providers }): SessionPrompts {
  return {
    async improve(sessionId, request) {
      const { model } = await needs.resolver.resolve(sessionId);
      return needs.providers.prompts.improve({ ...request, model: await model() });
    },
  };
}
