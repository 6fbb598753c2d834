import * as z from 'zod';
import { type Declared, declaredId, firstOfEach, readDeclared } from '../project-file.ts';

export const HOOK_EVENTS = ['pre_tool_call', 'post_tool_call', 'session_start', 'session_end'] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

export const hookShape = z.object({
  id: declaredId,
  eventi: z.array(z.enum(HOOK_EVENTS)).min(1).max(HOOK_EVENTS.length),
  comando: z.string().min(1).max(8_192),
});
export type DeclaredHook = z.infer<typeof hookShape>;

const file = z.object({ hooks: z.array(hookShape).max(256) });

export const HOOKS_PATH = '.svc/hooks.json';

export async function readHooks(folder: string): Promise<Declared<DeclaredHook[]>> {
  const found = await readDeclared(folder, HOOKS_PATH, { schema: file, missing: { hooks: [] } });
  return 'problem' in found ? found : { value: firstOfEach(found.value.hooks) };
}
