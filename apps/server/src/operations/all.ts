/** Every declared operation, one line per file. `scripts/gen.mjs` makes routes.ts and openapi.json from it. */
export const OPERATION_FILES = {
  'health/health': () => import('./health/health.ts'),
  'sessions/lifecycle': () => import('./sessions/lifecycle.ts'),
  'sessions/observe': () => import('./sessions/observe.ts'),
  'sessions/settings': () => import('./sessions/settings.ts'),
  'turns/turns': () => import('./turns/turns.ts'),
} as const;
