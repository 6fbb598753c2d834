import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { RunningServer, StartOptions } from '../src/server.ts';

type Address = Pick<RunningServer, 'url' | 'port' | 'isNamed'>;
type Message = Address | { undeclared: string } | { isShutdownAsked: true };

const OUT_OF_REACH = new Proxy({} as RunningServer['host'], {
  get: () => {
    throw new Error('this server runs in a process of its own: its host is out of reach');
  },
});

/**
 * The built server in a separate process. A test process is large, and the larger it is, the longer each start of git
 * takes: this process is as small as a user's. It does not share `host`.
 */
export async function startApart(
  options: Pick<StartOptions, 'settings' | 'windowFolder' | 'templatesDir' | 'helpDir'>,
  onUndeclared: (text: string) => void,
): Promise<RunningServer> {
  const child = fork(join(import.meta.dirname, 'server-process.mjs'), {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  let onShutdown = (): void => undefined;
  const shutdownAsked = new Promise<void>((resolve) => (onShutdown = resolve));
  const ready = new Promise<Address>((resolve) => {
    child.on('message', (message: Message) => {
      if ('undeclared' in message) onUndeclared(message.undeclared);
      else if ('url' in message) resolve(message);
      else onShutdown();
    });
  });
  child.send(options);
  const address = await Promise.race([ready, exited.then(([code]) => Promise.reject(new Error(`no server: ${code}`)))]);
  return {
    ...address,
    host: OUT_OF_REACH,
    shutdownAsked,
    async close() {
      child.send('close');
      await exited;
    },
  };
}
