import { automationsError } from './errors.ts';
import type { Automation, Run } from './records.ts';
import type { Store } from './store.ts';
import { threatsIn } from './threats.ts';

export type Decision = 'approve' | 'discard';

export const MIN_DELAY_MS = 5 * 60_000;

/** What a run may change in its own automation: its next time directly, its instructions only as a proposal. */
export interface SelfChange {
  /** AUTOMATION_INVALID when it is less than five minutes ahead, or the automation is inactive. */
  setNextRun(run: Run, at: number): Promise<void>;
  /** Only the last proposal of a run counts. */
  propose(run: Run, instructions: string): Promise<void>;
}

const INSTRUCTIONS_CHARS = 20_000;

export function createSelfChange({ store, now }: { store: Store; now(): number }): SelfChange {
  const mine = (run: Run): { record: Automation; kept: Run } => {
    const record = store.read(run.automationId);
    const kept = store.readRun(run.automationId, run.runId);
    if (record?.version !== 2 || kept?.state !== 'running') throw automationsError('NOT_FOUND');
    return { record, kept };
  };
  const withChange = (run: Run, change: Run['changes'][number]): Run['changes'] => [
    ...new Set([...run.changes, change]),
  ];

  return {
    setNextRun: (run, at) =>
      store.write(() => {
        const { record, kept } = mine(run);
        if (!record.isOn || at < now() + MIN_DELAY_MS) {
          throw automationsError('AUTOMATION_INVALID', { params: { field: 'prossimaEsecuzione' } });
        }
        store.save({ ...record, nextRunAt: at });
        store.saveRun({ ...kept, changes: withChange(kept, 'prossimaEsecuzione') });
        store.note(run.runId, 'cambiata', { nextRunAt: at });
      }),
    propose: (run, instructions) =>
      store.write(() => {
        const { record, kept } = mine(run);
        const isFit = instructions.trim() !== '' && [...instructions].length <= INSTRUCTIONS_CHARS;
        if (!isFit || instructions === record.instructions) {
          throw automationsError('AUTOMATION_INVALID', { params: { field: 'istruzioni' } });
        }
        const threats = threatsIn(instructions);
        const proposal = { before: record.instructions, after: instructions, threats, at: now() };
        store.saveRun({ ...kept, proposal: { ...proposal, state: 'waiting' } });
        store.note(run.runId, 'proposta', { threats });
      }),
  };
}

/** Inside a transaction. AUTOMATION_PROPOSAL_NOT_FOUND, _DECIDED, _STALE. */
export function decide(store: Store, run: Run, { decision, now }: { decision: Decision; now: number }): Run {
  const { proposal } = run;
  if (!proposal) throw automationsError('AUTOMATION_PROPOSAL_NOT_FOUND');
  if (proposal.state !== 'waiting') throw automationsError('AUTOMATION_PROPOSAL_DECIDED');
  const record = store.read(run.automationId);
  if (record?.version !== 2) throw automationsError('NOT_FOUND');
  const isApproved = decision === 'approve';
  if (isApproved && record.instructions !== proposal.before) throw automationsError('AUTOMATION_PROPOSAL_STALE');
  if (isApproved) store.save({ ...record, instructions: proposal.after, asksAddresses: true, changedAt: now });
  const decided: Run = {
    ...run,
    isRead: true,
    changes: isApproved ? [...new Set([...run.changes, 'istruzioni' as const])] : run.changes,
    proposal: { ...proposal, state: isApproved ? 'approved' : 'discarded' },
  };
  store.saveRun(decided);
  store.note(run.runId, 'proposta-decisa', { decision });
  return decided;
}
