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
  const { definizione } = hook ?? {};
  return {
    id: hook?.id ?? '',
    scope: hook?.ambito === 'ovunque' ? 'ovunque' : 'progetto',
    events: definizione?.eventi ?? ['pre_tool_call'],
    command: definizione?.comando ?? '',
    tools: definizione?.filtro ?? '',
    limit: definizione?.limiteSecondi === undefined ? '' : String(definizione.limiteSecondi),
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
    ambito: scope,
    definizione: {
      eventi: [...events],
      comando: command.trim(),
      ...(tools.trim() !== '' && { filtro: tools.trim() }),
      ...(limit.trim() !== '' && { limiteSecondi: Number(limit) }),
    },
  };
}
