import type { Services } from '@fucina/host';
import { budgetSentence } from '../../budget-sentence.ts';
import type { Terminal } from '../../terminal.ts';
import type { LiveConversation } from '../conversation/conversation.ts';
import type { ScreenState } from '../conversation/state.ts';

export interface AfterTurnNeeds {
  terminal: Pick<Terminal, 'say'>;
  conversation: Pick<LiveConversation, 'sessionId' | 'tell'> & { state(): Pick<ScreenState, 'turn' | 'items'> };
  services: Promise<Pick<Services, 'usage' | 'sessionTitles'>>;
  /** Whether the model names new conversations. */
  suggestsTitles: boolean;
  /** Aborted when the screen closes. */
  signal: AbortSignal;
  failed(error: unknown): void;
}

/** What follows a turn of the screen: a warning once the budget is near, and a title for a new conversation. */
export function createAfterTurn(needs: AfterTurnNeeds): () => Promise<void> {
  const { terminal, conversation, signal } = needs;
  const warned = new Set<string>();
  const titled = new Set<string>();

  const warn = ({ usage }: Pick<Services, 'usage'>, sessionId: string): void => {
    const budget = usage.budget(sessionId);
    const { level, scope, unit } = budget.state;
    const body = budgetSentence(budget, terminal.say);
    const key = `${scope === 'session' ? sessionId : scope} ${unit} ${level}`;
    if (body === undefined || warned.has(key)) return;
    warned.add(key);
    conversation.tell({ tone: level === 'stopped' ? 'danger' : 'warning', body });
  };

  const suggestTitle = async ({ sessionTitles }: Pick<Services, 'sessionTitles'>, sessionId: string): Promise<void> => {
    const { turn, items } = conversation.state();
    const hasAnswer = items.some(({ kind }) => kind === 'text');
    if (!needs.suggestsTitles || turn !== 1 || !hasAnswer || titled.has(sessionId)) return;
    titled.add(sessionId);
    // The session keeps the name made of its first message.
    await sessionTitles.suggest(sessionId, signal).catch(() => undefined);
  };

  return async () => {
    try {
      const services = await needs.services;
      const sessionId = conversation.sessionId();
      if (sessionId === undefined || signal.aborted) return;
      warn(services, sessionId);
      await suggestTitle(services, sessionId);
    } catch (error) {
      needs.failed(error);
    }
  };
}
