import type { ErrorCode } from '@fucina/shared';

/**
 * Who may call an operation. `token` is the default; `from-window:CODE` names the code of its refusal. `sign-in-state`
 * replaces the token: the operation itself checks the one-time state in its address. So does `page-pass`, which opens
 * one page of one session and the files beside it. `hook-secret` replaces the token by the secret of one automation, as a
 * bearer token; the origin is checked as for every write.
 */
export type Guard =
  | 'token'
  | 'sign-in-state'
  | 'loopback'
  | 'shutdown-token'
  | 'launcher-token'
  | 'page-pass'
  | 'hook-secret'
  | `from-window:${ErrorCode}`;

export interface Secrets {
  token: string | undefined;
  shutdownToken: string | undefined;
  launcherToken: string | undefined;
  /** Opens the MCP server, and nothing else. */
  mcpToken: string | undefined;
}

/** Called through a link from another site without a cookie: the address contains a narrower secret. */
export function isOpenedFromOutside(guards: readonly Guard[]): boolean {
  return guards.includes('sign-in-state') || guards.includes('page-pass');
}

const FROM_WINDOW = 'from-window:';

/** The code with which an operation rejects a caller other than the window, if it has one. */
export function windowCode(guards: readonly Guard[]): ErrorCode | undefined {
  const guard = guards.find((candidate) => candidate.startsWith(FROM_WINDOW));
  return guard && (guard.slice(FROM_WINDOW.length) as ErrorCode);
}
