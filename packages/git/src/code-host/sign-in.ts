import { type Ambient, isAppError, type RunningProcess, textEnd } from '@fucina/shared';
import { hostError } from '../errors.ts';
import { HOST, type HostTool, READ_MS } from './tool.ts';

export type SignInState = 'idle' | 'starting' | 'waiting' | 'signed-in' | 'failed' | 'expired' | 'cancelled';

export interface SignIn {
  state: SignInState;
  /** To be entered at `address` while it is pending. */
  code: string | null;
  address: string | null;
  /** An error code. */
  error: string | null;
}

export interface SignIns {
  current(): SignIn;
  /**
   * Resolves with a code to enter; a pending one is returned again. HOST_LOGIN_FAILED, HOST_OUTPUT_*, HOST_TIMEOUT.
   */
  start(): Promise<SignIn>;
  /** False when none was pending. */
  cancel(): Promise<boolean>;
}

const WAIT_MS = 16 * 60_000;
const CODE = /\b[A-Z0-9]{4}-[A-Z0-9]{4}\b/;
const ADDRESS = /https:\/\/github\.com\/login\/device\b/;
const NONE = { code: null, address: null, error: null } as const;

export function createSignIns({ ambient, tool }: { ambient: Ambient; tool: HostTool }): SignIns {
  let shown: SignIn = { state: 'idle', ...NONE };
  let running: RunningProcess | undefined;
  let starting: Promise<SignIn> | undefined;

  const begin = async (): Promise<SignIn> => {
    await tool.require();
    shown = { state: 'starting', ...NONE };
    let said = '';
    let onCode = (_found: { code: string; address: string }): void => undefined;
    const found = new Promise<{ code: string; address: string }>((resolve) => (onCode = resolve));
    const args = ['auth', 'login', '--hostname', HOST, '--git-protocol', 'https', '--web'];
    const child = await tool.start(args, (text) => {
      said = textEnd(said + text, 65_536);
      const [code, address] = [CODE.exec(said)?.[0], ADDRESS.exec(said)?.[0]];
      if (code !== undefined && address !== undefined) onCode({ code, address });
    });
    running = child;
    const cancelLimit = ambient.timer(WAIT_MS, () => {
      shown = { state: 'expired', ...NONE };
      void child.stop();
    });
    const over = child.done.then((outcome) => {
      cancelLimit();
      if (running === child) running = undefined;
      return outcome;
    });
    let cancelWait = (): void => undefined;
    const late = new Promise<'late'>((resolve) => (cancelWait = ambient.timer(READ_MS, () => resolve('late'))));
    const first = await Promise.race([found, over, late]);
    cancelWait();
    if (first === 'late') {
      await child.stop();
      throw hostError('HOST_TIMEOUT');
    }
    if ('code' in first) {
      shown = { state: 'waiting', ...first, error: null };
      void over.then(({ exitCode }) => {
        if (shown.state !== 'waiting') return;
        if (exitCode === 0) shown = { state: 'signed-in', ...NONE };
        else shown = { state: /expired/.test(said) ? 'expired' : 'failed', ...NONE, error: 'HOST_LOGIN_FAILED' };
      });
      return shown;
    }
    if (first.ending === 'not-started') throw hostError('HOST_STORE_UNAVAILABLE', { reason: 'not-started' });
    if (first.ending === 'output-limit') throw hostError('HOST_OUTPUT_TOO_LARGE');
    if (first.exitCode === 0) throw hostError('HOST_OUTPUT_INVALID', { reason: 'no-code' });
    throw hostError('HOST_LOGIN_FAILED', { details: { exitCode: first.exitCode } });
  };

  return {
    current: () => shown,
    start() {
      if (running && shown.state === 'waiting') return Promise.resolve(shown);
      starting ??= begin()
        .catch((error: unknown) => {
          shown = { state: 'failed', ...NONE, error: isAppError(error) ? error.code : 'HOST_LOGIN_FAILED' };
          throw error;
        })
        .finally(() => (starting = undefined));
      return starting;
    },
    async cancel() {
      const child = running;
      if (!child) return false;
      shown = { state: 'cancelled', ...NONE };
      await child.stop();
      return true;
    },
  };
}
