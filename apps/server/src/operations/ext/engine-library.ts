import * as z from 'zod';
import { json } from '../../http/answers.ts';
import type { Guard } from '../../http/guard.ts';
import { operation } from '../../http/operation.ts';
import { libraryInstallation } from '../../wire/engine-library.ts';

const tag = 'Extensions';
/** They start npm: only the window, or a program with the token. */
const guards: readonly Guard[] = ['token', 'from-window:ORIGIN_FORBIDDEN'];
const path = '/ext/engine/library';
const answer = json(z.object({ libreria: libraryInstallation }));

export const readEngineLibrary = operation({
  id: 'ext.engine.library',
  tag,
  summary: 'Whether the library that runs local models is installed, or its installation',
  method: 'GET',
  path,
  answer,
  handle: async ({ services }) => ({ libreria: await services.engineLibrary.status() }),
});

export const installEngineLibrary = operation({
  id: 'ext.engine.install',
  tag,
  summary: 'Install the library that runs local models, with npm',
  method: 'POST',
  path,
  answer,
  errors: ['RUNTIME_NOT_AVAILABLE'],
  guards,
  handle: async ({ services }) => ({ libreria: await services.engineLibrary.start() }),
});

export const cancelEngineLibrary = operation({
  id: 'ext.engine.cancel',
  tag,
  summary: 'Cancel the installation of the library that runs local models',
  method: 'DELETE',
  path,
  answer,
  guards,
  handle: async ({ services }) => ({ libreria: await services.engineLibrary.cancel() }),
});
