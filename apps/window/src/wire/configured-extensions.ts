import type { Answer, Schemas } from '@fucina/client';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';
export type Hook = Schemas['ConfiguredHook'];
export type HookDefinition = NonNullable<Hook['definition']>;
export type HookEvent = HookDefinition['events'][number];
export type Skill = Schemas['ConfiguredSkill'];
export type SkillDetails = Schemas['SkillDetails'];
export type OwnScope = Skill['scope'];

/** A project by its folder or one of its sessions; without either all projects. */
export interface ExtensionPlace {
  folder?: string | undefined;
  sessionId?: string | undefined;
}

/** Of an existing hook or skill. */
export interface Named {
  id: string;
  scope: Hook['scope'];
}

/** One of the user's own, not of the project's file. */
export interface OwnNamed {
  id: string;
  scope: OwnScope;
}

/** A project's files may change at any time: polled while visible. */
const POLL_MS = 10_000;

const keyOf = (kind: string, { folder, sessionId }: ExtensionPlace) =>
  ['configured-extensions', kind, folder ?? '', sessionId ?? ''] as const;
const query = ({ folder, sessionId }: ExtensionPlace) => ({ folder, sessionId });

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
const targetOf = <Scope extends Hook['scope']>(place: ExtensionPlace, { scope }: { scope: Scope }) => ({
  ...query(place),
  scope,
});

export interface SavedHook extends OwnNamed {
  definition: HookDefinition;
}

export const addHook = (place: ExtensionPlace, hook: SavedHook): Promise<unknown> =>
  api.post('/ext/hooks', { body: { ...query(place), ...hook } });

export const changeHook = (place: ExtensionPlace, { id, ...hook }: SavedHook): Promise<unknown> =>
  api.patch('/ext/hooks/{hookId}', { path: { hookId: id }, body: { ...query(place), ...hook } });

export const removeHook = (place: ExtensionPlace, hook: Named): Promise<unknown> =>
  api.delete('/ext/hooks/{hookId}', { path: { hookId: hook.id }, query: targetOf(place, hook) });

export const turnHook = (place: ExtensionPlace, hook: Named, isOn: boolean): Promise<unknown> =>
  api.post('/ext/hooks/{hookId}/choices', { path: { hookId: hook.id }, body: { ...targetOf(place, hook), isOn } });

export const trustHook = (place: ExtensionPlace, hook: Named): Promise<unknown> =>
  api.post('/ext/hooks/{hookId}/trust', { path: { hookId: hook.id }, body: targetOf(place, hook) });

export interface SavedSkill extends OwnNamed {
  name: string;
  description: string;
  instructions: string;
}

export const addSkill = (place: ExtensionPlace, skill: SavedSkill): Promise<unknown> =>
  api.post('/ext/skills', { body: { ...query(place), ...skill } });

export const changeSkill = (place: ExtensionPlace, { id, ...skill }: SavedSkill): Promise<unknown> =>
  api.patch('/ext/skills/{skillId}', { path: { skillId: id }, body: { ...query(place), ...skill } });

export const readSkill = async (place: ExtensionPlace, skill: OwnNamed): Promise<SkillDetails> =>
  (await api.get('/ext/skills/{skillId}', { path: { skillId: skill.id }, query: targetOf(place, skill) })).skill;

export const removeSkill = (place: ExtensionPlace, skill: OwnNamed): Promise<unknown> =>
  api.delete('/ext/skills/{skillId}', { path: { skillId: skill.id }, query: targetOf(place, skill) });

export const turnSkill = (place: ExtensionPlace, skill: OwnNamed, isOn: boolean): Promise<unknown> =>
  api.post('/ext/skills/{skillId}/choices', {
    path: { skillId: skill.id },
    body: { ...targetOf(place, skill), isOn },
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

export const previewPlugin = async (path: string): Promise<ShownPlugin> =>
  (await api.post('/ext/plugins/preview', { body: { path } })).plugin;

export const addPlugin = (
  place: ExtensionPlace,
  plugin: { path: string; fingerprint: string; scope: OwnScope },
): Promise<unknown> => api.post('/ext/plugins', { body: { ...query(place), ...plugin } });

export const removePlugin = (place: ExtensionPlace, plugin: Named): Promise<unknown> =>
  api.delete('/ext/plugins/{pluginId}', { path: { pluginId: plugin.id }, query: targetOf(place, plugin) });

export const turnPlugin = (place: ExtensionPlace, plugin: Named, isOn: boolean): Promise<unknown> =>
  api.post('/ext/plugins/{pluginId}/choices', {
    path: { pluginId: plugin.id },
    body: { ...targetOf(place, plugin), isOn },
  });

export const trustPlugin = (place: ExtensionPlace, plugin: Named): Promise<unknown> =>
  api.post('/ext/plugins/{pluginId}/trust', { path: { pluginId: plugin.id }, body: targetOf(place, plugin) });
