import * as z from 'zod';
import { type Declared, declaredId, firstOfEach, readDeclared } from '../project-file.ts';

export const HOOK_EVENTS = ['pre_tool_call', 'post_tool_call', 'session_start', 'session_end'] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

const events = z.array(z.enum(HOOK_EVENTS)).min(1).max(HOOK_EVENTS.length);
const command = z.string().min(1).max(8_192);

/** Both languages of the keys: of two with the same meaning the first wins. */
export const hookShape = z
  .object({
    id: declaredId,
    eventi: events.optional(),
    events: events.optional(),
    comando: command.optional(),
    command: command.optional(),
  })
  .transform((given, context) => {
    const { id, eventi = given.events, comando = given.command } = given;
    if (eventi && comando !== undefined) return { id, eventi, comando };
    context.addIssue({ code: 'custom', path: [eventi ? 'command' : 'events'], message: 'missing' });
    return z.NEVER;
  });
export type DeclaredHook = z.infer<typeof hookShape>;

const file = z.object({ hooks: z.array(hookShape).max(256) });

export const HOOKS_PATH = '.svc/hooks.json';

export async function readHooks(folder: string): Promise<Declared<DeclaredHook[]>> {
  const found = await readDeclared<z.output<typeof file>>(folder, HOOKS_PATH, {
    schema: file,
    missing: { hooks: [] },
  });
  return 'problem' in found ? found : { value: firstOfEach(found.value.hooks) };
}
