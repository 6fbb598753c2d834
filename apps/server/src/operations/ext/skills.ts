import * as z from 'zod';
import { json } from '../../http/answers.ts';
import type { Guard } from '../../http/guard.ts';
import { operation } from '../../http/operation.ts';
import { ok } from '../../wire/common.ts';
import { configuredSkill, newSkill, skillChange, skillDetails, skillParams } from '../../wire/configured-extension.ts';
import { extensionPlace, ownSwitch, ownTarget } from '../../wire/extension-place.ts';

const tag = 'Extensions';
/** Agents follow skills: only the window, or a program with the token. */
const guards: readonly Guard[] = ['token', 'from-window:ORIGIN_FORBIDDEN'];
const skill = z.object({ skill: configuredSkill });

export const listConfiguredSkills = operation({
  id: 'ext.skills.list',
  tag,
  summary: 'Skills of the user and of a project, also those that are off or cannot be read',
  method: 'GET',
  path: '/ext/skills',
  query: extensionPlace,
  answer: json(z.object({ skills: z.array(configuredSkill) })),
  errors: ['WORKSPACE_NOT_AVAILABLE'],
  handle: async ({ query, services }) => ({ skills: [...(await services.configuredExtensions.skills(query))] }),
});

export const readSkill = operation({
  id: 'ext.skills.read',
  tag,
  summary: 'The text of a skill, and the files beside it',
  method: 'GET',
  path: '/ext/skills/{skillId}',
  params: skillParams,
  query: ownTarget,
  answer: json(z.object({ skill: skillDetails })),
  errors: ['WORKSPACE_NOT_AVAILABLE'],
  handle: async ({ params, query, services }) => ({
    skill: await services.configuredExtensions.skill({ ...query, id: params.skillId }),
  }),
});

export const addSkill = operation({
  id: 'ext.skills.add',
  tag,
  summary: 'Write a skill into the folder of a project or of the user',
  method: 'POST',
  path: '/ext/skills',
  body: newSkill,
  answer: json(skill, 201),
  errors: ['FILE_EXISTS', 'FILE_TOO_LARGE', 'WORKSPACE_NOT_AVAILABLE'],
  guards,
  handle: async ({ body: { name, description, instructions, ...target }, services }) => ({
    skill: await services.configuredExtensions.addSkill(target, { name, description, instructions }),
  }),
});

export const changeSkill = operation({
  id: 'ext.skills.change',
  tag,
  summary: 'Write a skill anew; other fields of its head stay',
  method: 'PATCH',
  path: '/ext/skills/{skillId}',
  params: skillParams,
  body: skillChange,
  answer: json(skill),
  errors: ['FILE_TOO_LARGE', 'WORKSPACE_NOT_AVAILABLE'],
  guards,
  handle: async ({ params, body: { name, description, instructions, ...place }, services }) => ({
    skill: await services.configuredExtensions.changeSkill(
      { ...place, id: params.skillId },
      { name, description, instructions },
    ),
  }),
});

export const removeSkill = operation({
  id: 'ext.skills.remove',
  tag,
  summary: 'Remove the folder of a skill',
  method: 'DELETE',
  path: '/ext/skills/{skillId}',
  params: skillParams,
  query: ownTarget,
  answer: json(ok),
  errors: ['WORKSPACE_NOT_AVAILABLE'],
  guards,
  handle: async ({ params, query, services }) => {
    await services.configuredExtensions.removeSkill({ ...query, id: params.skillId });
    return { ok: true as const };
  },
});

export const turnSkill = operation({
  id: 'ext.skills.turn',
  tag,
  summary: 'Turn a skill on or off',
  method: 'POST',
  path: '/ext/skills/{skillId}/choices',
  params: skillParams,
  body: ownSwitch,
  answer: json(skill),
  errors: ['WORKSPACE_NOT_AVAILABLE'],
  guards,
  handle: async ({ params, body: { isOn, ...place }, services }) => ({
    skill: await services.configuredExtensions.turnSkill({ ...place, id: params.skillId }, isOn),
  }),
});
