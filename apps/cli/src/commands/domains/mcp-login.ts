import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SignInReturn } from '@fucina/host';
import { isAppError } from '@fucina/shared';
import { mcpSignedInWords, sentencesFor } from '@fucina/shared/sentences';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import type { Terminal } from '../../terminal.ts';
import { type Flags, oneLine, reportDone } from './listing.ts';
import { withTarget } from './mcp.ts';

/** Prints the address to open, and waits on this computer until the browser comes back. */
export async function loginMcp(flags: Flags, [id = '']: string[], terminal: Terminal): Promise<ExitCode> {
  const { say, out, io } = terminal;
  const waiting = new AbortController();
  const stop = io.onInterrupt(() => waiting.abort());
  try {
    const { done } = await withTarget(flags, terminal, {
      id,
      async act(mcp, target) {
        await using door = await openDoor(terminal, (answer) => mcp.finishSignIn(answer));
        const { address, expiresInMs } = await mcp.signIn(target, door.returnTo);
        out(flags.json ? JSON.stringify({ id, address }) : say('mcp.login-open', { id: oneLine(id), address }));
        const expiry = AbortSignal.timeout(expiresInMs);
        return await door.signedIn(AbortSignal.any([waiting.signal, expiry]));
      },
    });
    if (done) reportDone(say('mcp.logged-in', { id: oneLine(id) }), { id, isSignedIn: true }, { flags, terminal });
    else terminal.err(`fucina: ${say(waiting.signal.aborted ? 'mcp.login-stopped' : 'mcp.login-expired')}`);
    return done ? EXIT.done : waiting.signal.aborted ? EXIT.interrupted : EXIT.failed;
  } finally {
    stop();
  }
}

export async function logoutMcp(flags: Flags, [id = '']: string[], terminal: Terminal): Promise<ExitCode> {
  await withTarget(flags, terminal, { id, act: (mcp, target) => mcp.signOut(target) });
  reportDone(terminal.say('mcp.logged-out', { id: oneLine(id) }), { id, isSignedIn: false }, { flags, terminal });
  return EXIT.done;
}

interface Door extends AsyncDisposable {
  returnTo: string;
  /** False when aborted. Throws what the sign-in throws. */
  signedIn(signal: AbortSignal): Promise<boolean>;
}

const PATH = '/return';

/** A page of this computer for the return of the browser. A request with a wrong state changes nothing. */
async function openDoor({ language }: Terminal, finish: (answer: SignInReturn) => Promise<void>): Promise<Door> {
  const answers = new EventEmitter();
  const server = createServer((request, response) => {
    const page = (status: number, { title, action }: { title: string; action: string }): void => {
      const headers = { 'content-type': 'text/plain; charset=utf-8', connection: 'close' };
      response.writeHead(status, headers).end(`${title}\n\n${action}\n`);
    };
    const url = new URL(request.url ?? '/', returnTo);
    if (request.headers.host !== new URL(returnTo).host || request.method !== 'GET' || url.pathname !== PATH) {
      return void response.writeHead(404, { connection: 'close' }).end();
    }
    void finish(Object.fromEntries(url.searchParams)).then(
      () => {
        page(200, mcpSignedInWords(language));
        answers.emit('ended', true);
      },
      (error: unknown) => {
        const code = isAppError(error) ? error.code : 'INTERNAL_ERROR';
        page(400, sentencesFor(code, language, isAppError(error) ? error.reason : undefined));
        if (code !== 'OAUTH_ATTESA_IGNOTA' && code !== 'OAUTH_CODICE_MANCANTE') answers.emit('ended', error);
      },
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const returnTo = `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`;
  return {
    returnTo,
    async signedIn(signal) {
      const [result] = await once(answers, 'ended', { signal }).catch(() => [false]);
      if (typeof result !== 'boolean') throw result;
      return result;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, 'close');
    },
  };
}
