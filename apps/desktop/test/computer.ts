import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { processesWith } from '@fucina/testkit';

export async function until<Value>(look: () => Value | undefined | Promise<Value | undefined>, limitMs = 120_000) {
  const end = performance.now() + limitMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() > end) throw new Error(`not within ${limitMs} ms: ${look.toString()}`);
    await sleep(50);
  }
}

/** A user's account, on which `fucina` can be run. */
export interface Computer {
  dataDir: string;
  fucina(...args: string[]): ChildProcess;
  /** Exit code. */
  run(...args: string[]): Promise<number>;
  /** Exit code, and what it wrote to standard error. */
  failing(...args: string[]): Promise<{ code: number; said: string }>;
  /** With the token of the data folder. */
  call(path: string, body?: unknown): Promise<any>;
  serverPid(): number | undefined;
}

export interface ComputerFacts {
  /** Absolute. */
  home: string;
  display: string;
  path: string;
  /** How to start Fucina. */
  command: readonly [string, ...string[]];
  user?: { uid: number; gid: number };
  /** Address of a session bus. */
  bus?: string;
}

export function computer({ home, display, path, command, user, bus }: ComputerFacts): Computer {
  const dataDir = join(home, 'data');
  const env = {
    PATH: path,
    HOME: home,
    DISPLAY: display,
    LANG: 'en_GB.UTF-8',
    FUCINA_KEY_STORE: 'memory',
    FUCINA_PUBLIC_CATALOG: '0',
    FUCINA_DATA_DIR: dataDir,
    ...(bus !== undefined && { DBUS_SESSION_BUS_ADDRESS: bus }),
  };
  const [program, ...first] = command;
  const start = (args: string[], stderr: 'inherit' | 'pipe') =>
    spawn(program, [...first, ...args], { env, cwd: home, stdio: ['ignore', 'inherit', stderr], ...user });
  const fucina = (...args: string[]) => start(args, 'inherit');
  return {
    dataDir,
    fucina,
    async run(...args) {
      const [code] = (await once(fucina(...args), 'exit')) as [number];
      return code;
    },
    async failing(...args) {
      const child = start(args, 'pipe');
      const [said, [code]] = await Promise.all([text(child.stderr as Readable), once(child, 'exit')]);
      return { code, said };
    },
    async call(path_, body) {
      const { url } = JSON.parse(readFileSync(join(dataDir, 'running-server.json'), 'utf8'));
      const token = readFileSync(join(dataDir, 'launcher-token'), 'utf8').trim();
      const headers = { cookie: `svc_token=${token}`, origin: url.slice(0, -1), 'content-type': 'application/json' };
      const answer = await fetch(`${url}api/v1/${path_}`, {
        headers,
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      });
      if (!answer.ok) throw new Error(`${path_}: ${answer.status}`);
      return ((await answer.json()) as any).data;
    },
    serverPid: () => processesWith(`serve --hide-token --data-dir ${dataDir}`)[0],
  };
}
