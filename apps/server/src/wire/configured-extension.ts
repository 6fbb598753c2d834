import type { ConfiguredHook, ConfiguredSkill, SkillDetails } from '@fucina/host';
import * as z from 'zod';
import { encoded, renamed } from '../http/renamed.ts';
import { text } from './common.ts';
import { extensionId, ownScope, placeFields, SCOPES, targetNames } from './extension-place.ts';

export const hookParams = z.strictObject({ hookId: extensionId });
export const skillParams = z.strictObject({ skillId: extensionId });

const EVENTS = ['pre_tool_call', 'post_tool_call', 'session_start', 'session_end'] as const;

const hookDefinition = z.strictObject({
  eventi: z.array(z.enum(EVENTS)).max(EVENTS.length),
  comando: z.string().max(8_192),
  filtro: z.string().max(1_000).optional(),
  limiteSecondi: z.number().optional(),
});
const hookSaved = {
  ...placeFields,
  ambito: ownScope,
  definizione: renamed(hookDefinition, {
    eventi: 'events',
    comando: 'command',
    filtro: 'matcher',
    limiteSecondi: 'timeoutSeconds',
  }),
};
const hookSavedNames = { ...targetNames, definizione: 'definition' } as const;
export const newHook = renamed(z.strictObject({ id: extensionId, ...hookSaved }), hookSavedNames);
export const hookChange = renamed(z.strictObject(hookSaved), hookSavedNames);

const HOOK_STATES = { active: 'attivo', off: 'spento', untrusted: 'non-fidato', failed: 'fallito' } as const;

export const configuredHook = encoded(
  z
    .object({
      id: z.string(),
      ambito: z.enum(['ovunque', 'progetto', 'file']),
      definizione: hookDefinition.nullable(),
      attivo: z.boolean(),
      stato: z.enum(['attivo', 'spento', 'non-fidato', 'fallito']),
      errore: z.string().nullable(),
    })
    .meta({ id: 'ConfiguredHook' }),
  ({ id, scope, definition, isOn, state, problem }: ConfiguredHook) => ({
    id,
    ambito: SCOPES[scope],
    definizione: definition && {
      eventi: [...definition.events],
      comando: definition.command,
      ...(definition.matcher !== undefined && { filtro: definition.matcher }),
      ...(definition.timeoutSeconds !== undefined && { limiteSecondi: definition.timeoutSeconds }),
    },
    attivo: isOn,
    stato: HOOK_STATES[state],
    errore: problem,
  }),
);

export const configuredHooks = renamed(z.object({ hooks: z.array(configuredHook), errore: z.string().nullable() }), {
  hooks: 'rows',
  errore: 'problem',
});

const skillText = {
  nome: text.max(200),
  descrizione: text.max(4_000),
  istruzioni: z.string().max(200_000),
};
const skillSaved = { ...placeFields, ambito: ownScope, ...skillText };
const skillNames = { nome: 'name', descrizione: 'description', istruzioni: 'instructions' } as const;
export const newSkill = renamed(z.strictObject({ id: extensionId, ...skillSaved }), { ...targetNames, ...skillNames });
export const skillChange = renamed(z.strictObject(skillSaved), { ...targetNames, ...skillNames });

export const configuredSkill = encoded(
  z
    .object({
      id: z.string(),
      ambito: z.enum(['ovunque', 'progetto']),
      nome: z.string(),
      descrizione: z.string(),
      attivo: z.boolean(),
      sostituita: z.boolean(),
      file: z.string().nullable(),
      errore: z.string().nullable(),
    })
    .meta({ id: 'ConfiguredSkill' }),
  ({ id, scope, name, description, isOn, isReplaced, file, problem }: ConfiguredSkill) => ({
    id,
    ambito: SCOPES[scope],
    nome: name,
    descrizione: description,
    attivo: isOn,
    sostituita: isReplaced,
    file,
    errore: problem,
  }),
);

export const skillDetails = encoded(
  z
    .object({ nome: z.string(), descrizione: z.string(), istruzioni: z.string(), altriFile: z.array(z.string()) })
    .meta({ id: 'SkillDetails' }),
  ({ name, description, instructions, files }: SkillDetails) => ({
    nome: name,
    descrizione: description,
    istruzioni: instructions,
    altriFile: [...files],
  }),
);
