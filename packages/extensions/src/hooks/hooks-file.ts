import * as z from 'zod';
import { type Declared, declaredId, firstOfEach, readDeclared } from '../project-file.ts';

export const HOOK_EVENTS = ['pre_tool_call', 'post_tool_call', 'session_start', 'session_end'] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

export const MAX_HOOK_SECONDS = 600;

const events = z.array(z.enum(HOOK_EVENTS)).min(1).max(HOOK_EVENTS.length);
const command = z.string().min(1).max(8_192);
/** Names of tools, separated by `|`; `*` stands for any text. */
const matcher = z
  .string()
  .trim()
  .min(1)
  .max(1_000)
  .regex(/^[\w*.\-|\s]+$/);
const timeout = z.int().min(1).max(MAX_HOOK_SECONDS);

/** What a hook runs, and when. */
export const hookDefinition = z.strictObject({
  events,
  command: command.refine((text) => !/[\0\r\n]/.test(text) && text.trim() !== '', 'one line'),
  /** Absent: every tool. */
  matcher: matcher.optional(),
  /** Default: 10. */
  timeoutSeconds: timeout.optional(),
});
export type HookDefinition = z.infer<typeof hookDefinition>;

/** Both languages of the keys: of two with the same meaning the first wins. */
export const hookShape = z
  .object({
    id: declaredId,
    eventi: events.optional(),
    events: events.optional(),
    comando: command.optional(),
    command: command.optional(),
    strumenti: matcher.optional(),
    matcher: matcher.optional(),
    limiteSecondi: timeout.optional(),
    timeout: timeout.optional(),
  })
  .transform((given, context) => {
    const { id, eventi = given.events, comando = given.command } = given;
    const { strumenti = given.matcher, limiteSecondi = given.timeout } = given;
    if (eventi && comando !== undefined) {
      // Absent keys stay absent: what is trusted has the form of before they existed.
      const more = {
        ...(strumenti !== undefined && { strumenti }),
        ...(limiteSecondi !== undefined && { limiteSecondi }),
      };
      return { id, eventi, comando, ...more };
    }
    context.addIssue({ code: 'custom', path: [eventi ? 'command' : 'events'], message: 'missing' });
    return z.NEVER;
  });
export type DeclaredHook = z.infer<typeof hookShape>;

/** The same in the names that the user's own hooks have. */
export function definitionOf({ eventi, comando, strumenti, limiteSecondi }: DeclaredHook): HookDefinition {
  return {
    events: eventi,
    command: comando,
    ...(strumenti !== undefined && { matcher: strumenti }),
    ...(limiteSecondi !== undefined && { timeoutSeconds: limiteSecondi }),
  };
}

const file = z.object({ hooks: z.array(hookShape).max(256) });

export const HOOKS_PATH = '.svc/hooks.json';

export async function readHooks(folder: string): Promise<Declared<DeclaredHook[]>> {
  const found = await readDeclared<z.output<typeof file>>(folder, HOOKS_PATH, {
    schema: file,
    missing: { hooks: [] },
  });
  return 'problem' in found ? found : { value: firstOfEach(found.value.hooks) };
}
