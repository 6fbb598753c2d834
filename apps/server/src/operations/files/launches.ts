import * as z from 'zod';
import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { renamed } from '../../http/renamed.ts';
import { launch } from '../../wire/folder.ts';

const tag = 'Files and folders';

export const offerFolder = operation({
  id: 'launches.offer',
  tag,
  summary: 'Pass a folder from the launcher',
  method: 'POST',
  path: '/workspace-launches',
  guards: ['token', 'launcher-token'],
  body: renamed(z.strictObject({ percorso: z.string().min(1).max(4_096) }), { percorso: 'path' }),
  answer: json(launch),
  errors: ['WORKSPACE_LAUNCH_UNAUTHORIZED', 'WORKSPACE_NOT_AVAILABLE'],
  handle: ({ body, services }) => services.files.launches.offer(body.path),
});

export const readLaunch = operation({
  id: 'launches.read',
  tag,
  summary: "A pending launch's folder",
  method: 'GET',
  path: '/workspace-launches/{launchId}',
  params: z.strictObject({ launchId: z.string().min(1).max(200) }),
  answer: json(launch),
  errors: ['WORKSPACE_LAUNCH_NOT_AVAILABLE'],
  handle: ({ params, services }) => services.files.launches.read(params.launchId),
});
