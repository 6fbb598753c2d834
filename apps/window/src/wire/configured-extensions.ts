import type { Answer, Schemas } from '@fucina/client';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';
export type Hook = Schemas['ConfiguredHook'];
export type HookDefinition = NonNullable<Hook['definizione']>;
export type HookEvent = HookDefinition['eventi'][number];
export type Skill = Schemas['ConfiguredSkill'];
export type SkillDetails = Schemas['SkillDetails'];
export type OwnScope = Skill['ambito'];

/** A project by its folder or one of its sessions; without either all projects. */
export interface ExtensionPlace {
  cartella?: string | undefined;
  sessionId?: string | undefined;
}

/** Of an existing hook or skill. */
export interface Named {
  id: string;
  ambito: Hook['ambito'];
}

/** One of the user's own, not of the project's file. */
export interface OwnNamed {
  id: string;
  ambito: OwnScope;
}

/** A project's files may change at any time: polled while visible. */
const POLL_MS = 10_000;

const keyOf = (kind: string, { cartella, sessionId }: ExtensionPlace) =>
  ['configured-extensions', kind, cartella ?? '', sessionId ?? ''] as const;
const query = ({ cartella, sessionId }: ExtensionPlace) => ({ cartella, sessionId });

export const hooksQuery = (place: ExtensionPlace) =>
  queryOptions({
    queryKey: keyOf('hooks', place),
    queryFn: ({ signal }) => api.get('/ext/hooks', { query: query(place), signal }),
    refetchInterval: POLL_MS,
  });

export const skillsQuery = (place: ExtensionPlace) =>
  queryOptions({
    queryKey: keyOf('skills', place),
    queryFn: async ({ signal }) => (await api.get('/ext/skills', { query: query(place), signal })).skills,
    refetchInterval: POLL_MS,
  });

export const refreshConfigured = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: ['configured-extensions'] });

/** All of these throw ApiError. */
const targetOf = <Scope extends Hook['ambito']>(place: ExtensionPlace, { ambito }: { ambito: Scope }) => ({
  ...query(place),
  ambito,
});

export interface SavedHook extends OwnNamed {
  definizione: HookDefinition;
}

export const addHook = (place: ExtensionPlace, hook: SavedHook): Promise<unknown> =>
  api.post('/ext/hooks', { body: { ...query(place), ...hook } });

export const changeHook = (place: ExtensionPlace, { id, ...hook }: SavedHook): Promise<unknown> =>
  api.patch('/ext/hooks/{hookId}', { path: { hookId: id }, body: { ...query(place), ...hook } });

export const removeHook = (place: ExtensionPlace, hook: Named): Promise<unknown> =>
  api.delete('/ext/hooks/{hookId}', { path: { hookId: hook.id }, query: targetOf(place, hook) });

export const turnHook = (place: ExtensionPlace, hook: Named, attivo: boolean): Promise<unknown> =>
  api.post('/ext/hooks/{hookId}/choices', { path: { hookId: hook.id }, body: { ...targetOf(place, hook), attivo } });

export const trustHook = (place: ExtensionPlace, hook: Named): Promise<unknown> =>
  api.post('/ext/hooks/{hookId}/trust', { path: { hookId: hook.id }, body: targetOf(place, hook) });

export interface SavedSkill extends OwnNamed {
  nome: string;
  descrizione: string;
  istruzioni: string;
}

export const addSkill = (place: ExtensionPlace, skill: SavedSkill): Promise<unknown> =>
  api.post('/ext/skills', { body: { ...query(place), ...skill } });

export const changeSkill = (place: ExtensionPlace, { id, ...skill }: SavedSkill): Promise<unknown> =>
  api.patch('/ext/skills/{skillId}', { path: { skillId: id }, body: { ...query(place), ...skill } });

export const readSkill = async (place: ExtensionPlace, skill: OwnNamed): Promise<SkillDetails> =>
  (await api.get('/ext/skills/{skillId}', { path: { skillId: skill.id }, query: targetOf(place, skill) })).skill;

export const removeSkill = (place: ExtensionPlace, skill: OwnNamed): Promise<unknown> =>
  api.delete('/ext/skills/{skillId}', { path: { skillId: skill.id }, query: targetOf(place, skill) });

export const turnSkill = (place: ExtensionPlace, skill: OwnNamed, attivo: boolean): Promise<unknown> =>
  api.post('/ext/skills/{skillId}/choices', {
    path: { skillId: skill.id },
    body: { ...targetOf(place, skill), attivo },
  });

export type Plugin = Schemas['ConfiguredPlugin'];
export type ShownPlugin = Schemas['ShownPlugin'];

export type PluginList = Answer<'get', '/ext/plugins'>;

export const pluginsQuery = (place: ExtensionPlace) =>
  queryOptions({
    queryKey: keyOf('plugins', place),
    queryFn: ({ signal }) => api.get('/ext/plugins', { query: query(place), signal }),
    refetchInterval: POLL_MS,
  });

export const previewPlugin = async (percorso: string): Promise<ShownPlugin> =>
  (await api.post('/ext/plugins/preview', { body: { percorso } })).plugin;

export const addPlugin = (
  place: ExtensionPlace,
  plugin: { percorso: string; impronta: string; ambito: OwnScope },
): Promise<unknown> => api.post('/ext/plugins', { body: { ...query(place), ...plugin } });

export const removePlugin = (place: ExtensionPlace, plugin: Named): Promise<unknown> =>
  api.delete('/ext/plugins/{pluginId}', { path: { pluginId: plugin.id }, query: targetOf(place, plugin) });

export const turnPlugin = (place: ExtensionPlace, plugin: Named, attivo: boolean): Promise<unknown> =>
  api.post('/ext/plugins/{pluginId}/choices', {
    path: { pluginId: plugin.id },
    body: { ...targetOf(place, plugin), attivo },
  });

export const trustPlugin = (place: ExtensionPlace, plugin: Named): Promise<unknown> =>
  api.post('/ext/plugins/{pluginId}/trust', { path: { pluginId: plugin.id }, body: targetOf(place, plugin) });
