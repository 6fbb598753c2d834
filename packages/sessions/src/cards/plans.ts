import type { Ambient, SelectablePermissionLevel, SessionEvent } from '@fucina/shared';
import { sessionsError } from '../errors.ts';
import type { Registry } from '../registry.ts';
import { CUSTOM_EVENTS, customEvent, type PlanDecision, type PlanValue } from '../state/custom-events.ts';
import { answerDigest } from '../state/digest.ts';
import type { SessionSettings } from '../state/session.ts';
import type { Journal } from '../store/journal.ts';
import type { SessionRecord } from '../store/store.ts';
import type { Turns } from '../turn/turns.ts';

/** The pending plan of a session. */
export interface PlanCard {
  requestId: string;
  planId: string;
  revision: number;
  hash: string;
  /** Markdown. */
  content: string;
}

export interface PlanAnswer {
  requestId: string;
  decision: PlanDecision;
  /** Hash of the plan that the user sees. */
  hash: string;
  feedback?: string;
}

export interface Plans {
  read(record: SessionRecord): PlanCard | undefined;
  decide(sessionId: string, answer: PlanAnswer): Promise<void>;
}

export interface PlanNeeds {
  ambient: Ambient;
  journal: Journal;
  registry: Registry;
  turns: Turns;
  /** A session on the same folder that starts with only the plan; `begin` starts its turn, `undo` deletes it. */
  openFresh(record: SessionRecord, plan: string): Promise<{ sessionId: string; begin(): void; undo(): void }>;
}

const LEVEL_OF: Partial<Record<PlanDecision, SelectablePermissionLevel>> = {
  'procedi-con-conferma': 'On request',
  'procedi-accetta-modifiche': 'Workspace write',
};

export function createPlans(needs: PlanNeeds): Plans {
  const { registry, journal } = needs;

  const readValue = (record: SessionRecord): PlanValue | undefined => {
    const { pendingPlan } = record.fold;
    const shown = pendingPlan && journal.read(record, pendingPlan.seq);
    return shown?.type === 'CUSTOM' ? (shown.value as PlanValue) : undefined;
  };

  return {
    read(record) {
      const value = readValue(record);
      if (!value) return undefined;
      const { requestId, planId, revision, hash, content } = value;
      return { requestId, planId, revision, hash, content };
    },

    async decide(sessionId, answer) {
      const record = registry.get(sessionId);
      const { requestId, decision, hash, feedback } = answer;
      const status = decision === 'continua-a-pianificare' ? 'changes-requested' : 'approved';
      const before = record.fold.answered.find((one) => one.requestId === requestId);
      if (before?.digest === answerDigest({ status, decisione: decision, feedback, hash })) return;
      const value = readValue(record);
      if (value?.requestId !== requestId || registry.runsElsewhere(record)) throw sessionsError('PLAN_NOT_PENDING');
      if (value.hash !== hash) throw sessionsError('PLAN_STALE');
      const fresh = decision === 'conversazione-pulita' ? await needs.openFresh(record, value.content) : undefined;
      const decided: PlanValue = {
        ...value,
        status,
        decisione: decision,
        da: 'persona',
        at: new Date(needs.ambient.now()).toISOString(),
        ...(feedback !== undefined && { feedback }),
        ...(fresh && { nuovaSessionId: fresh.sessionId }),
      };
      try {
        save(record, decided, needs);
      } catch (error) {
        fresh?.undo();
        throw sessionsError('PLAN_DECISION_NOT_SAVED', { cause: error });
      }
      fresh?.begin();
      const turn = registry.live.get(sessionId);
      if (turn) turn.cardSlot.answer(requestId, { kind: 'plan', decision, feedback, newSessionId: fresh?.sessionId });
      else if (!fresh) await needs.turns.resume(sessionId);
    },
  };
}

/** Commits together the decision, its settings and, if no turn waits for it, the result of the call. */
function save(record: SessionRecord, decided: PlanValue, { ambient, registry, turns }: PlanNeeds): void {
  const decision = decided.decisione as PlanDecision;
  const permissions = LEVEL_OF[decision];
  const settings: SessionSettings | undefined = permissions && { ...record.settings, mode: 'normal', permissions };
  const events: SessionEvent[] = [customEvent(CUSTOM_EVENTS.plan, decided)];
  if (settings) {
    const change = { modalitaOperativa: 'normale', permessi: permissions, motivo: 'piano-approvato' };
    events.push(customEvent(CUSTOM_EVENTS.settings, change));
  }
  if (!registry.live.has(record.header.sessionId)) {
    turns.assertOpen();
    events.push({
      type: 'ToolCallResult',
      messageId: ambient.newId(),
      toolCallId: decided.toolCallId,
      role: 'tool',
      content: planResult(decision, decided.feedback),
    });
  }
  registry.append(record, events, settings && { settings });
}

/** The result for the model. */
export function planResult(decision: PlanDecision, feedback: string | undefined): string {
  switch (decision) {
    case 'procedi-con-conferma':
      return 'The user approved the plan. Implement it now; every change and command will be confirmed one by one.';
    case 'procedi-accetta-modifiche':
      return 'The user approved the plan. Implement it now; changes inside the folder need no confirmation.';
    case 'conversazione-pulita':
      return 'The user approved the plan and started it in a new session. There is nothing left to do here.';
    case 'continua-a-pianificare':
      return `The user requested changes to the plan.${feedback ? ` They say:\n${feedback}` : ''}\nRevise it and present it again.`;
  }
}
