import type { ToolAction } from '@fucina/shared';
import { sessionsError } from './errors.ts';
import { actionHash, type Grant, grantFor } from './gate.ts';

export interface ApprovalAnswer {
  requestId: string;
  isApproved: boolean;
  /** Allow the same tool for the rest of the session under the file's folder, or on that file. */
  scope?: Grant['scope'];
}

export interface PendingApproval {
  requestId: string;
  action: ToolAction;
}

/** Open permission requests and what was granted, per running session; neither survives a restart. */
export interface ApprovalDesk {
  /** Waits for the person. Resolves false when denied, stopped, or when what would run is no longer what was shown. */
  ask(requestId: string, action: ToolAction, signal: AbortSignal): Promise<boolean>;
  answer(answer: ApprovalAnswer): void;
  pending(): PendingApproval | undefined;
  grants: readonly Grant[];
}

export function createApprovalDesk(): ApprovalDesk {
  const grants: Grant[] = [];
  let open: (PendingApproval & { hash: string; settle(isApproved: boolean): void }) | undefined;

  return {
    grants,
    pending: () => open && { requestId: open.requestId, action: open.action },

    async ask(requestId, action, signal) {
      if (signal.aborted) return false;
      const hash = actionHash(action);
      const isApproved = await new Promise<boolean>((settle) => {
        open = { requestId, action, hash, settle };
        signal.addEventListener('abort', () => settle(false), { once: true });
      });
      open = undefined;
      return isApproved && actionHash(action) === hash;
    },

    answer({ requestId, isApproved, scope }) {
      if (open?.requestId !== requestId) throw sessionsError('APPROVAL_NOT_PENDING');
      const grant = isApproved && scope ? grantFor(open.action, scope) : undefined;
      if (grant) grants.push(grant);
      open.settle(isApproved);
      // A second answer to the same card finds nothing: the first one decided.
      open = undefined;
    },
  };
}
