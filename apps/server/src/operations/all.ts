/** Every declared operation, one line per file. `scripts/gen.mjs` makes routes.ts and openapi.json from it. */
export const OPERATION_FILES = {
  'files/trees': () => import('./files/trees.ts'),
  'files/workspace': () => import('./files/workspace.ts'),
  'health/health': () => import('./health/health.ts'),
  'providers/keys': () => import('./providers/keys.ts'),
  'providers/providers': () => import('./providers/providers.ts'),
  'providers/runtime': () => import('./providers/runtime.ts'),
  'sessions/attachments': () => import('./sessions/attachments.ts'),
  'sessions/editing': () => import('./sessions/editing.ts'),
  'sessions/images': () => import('./sessions/images.ts'),
  'sessions/lifecycle': () => import('./sessions/lifecycle.ts'),
  'sessions/observe': () => import('./sessions/observe.ts'),
  'sessions/settings': () => import('./sessions/settings.ts'),
  'tools/tools': () => import('./tools/tools.ts'),
  'turns/commands': () => import('./turns/commands.ts'),
  'turns/requests': () => import('./turns/requests.ts'),
  'turns/turns': () => import('./turns/turns.ts'),
} as const;
