import type { Hook, HookEvent, OwnScope, SavedHook } from '../../wire/configured-extensions.ts';

/** A hook as it is typed. */
export interface HookDraft {
  id: string;
  scope: OwnScope;
  events: readonly HookEvent[];
  command: string;
  tools: string;
  limit: string;
}

export function draftOfHook(hook: Hook | undefined): HookDraft {
  const { definition } = hook ?? {};
  return {
    id: hook?.id ?? '',
    scope: hook?.scope === 'everywhere' ? 'everywhere' : 'project',
    events: definition?.events ?? ['pre_tool_call'],
    command: definition?.command ?? '',
    tools: definition?.filter ?? '',
    limit: definition?.timeoutSeconds === undefined ? '' : String(definition.timeoutSeconds),
  };
}

export const EXTENSION_ID = /^[A-Za-z0-9](?!.*\.\.)[A-Za-z0-9._-]{0,63}$/;

/** The first field that cannot be saved. */
export function hookProblem(draft: HookDraft): 'id' | 'events' | 'command' | 'tools' | 'limit' | undefined {
  if (!EXTENSION_ID.test(draft.id.trim())) return 'id';
  if (draft.events.length === 0) return 'events';
  if (draft.command.trim() === '') return 'command';
  if (!/^[\w*.\-|\s]*$/.test(draft.tools)) return 'tools';
  const limit = draft.limit.trim();
  return limit === '' || (/^\d{1,3}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= 600) ? undefined : 'limit';
}

export function savedHook(draft: HookDraft): SavedHook {
  const { id, scope, events, command, tools, limit } = draft;
  return {
    id: id.trim(),
    scope,
    definition: {
      events: [...events],
      command: command.trim(),
      ...(tools.trim() !== '' && { filter: tools.trim() }),
      ...(limit.trim() !== '' && { timeoutSeconds: Number(limit) }),
    },
  };
}
