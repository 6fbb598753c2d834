import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { once, systemCode, writeFileAtomically } from '@fucina/shared';
import * as z from 'zod';
import { launcherToken } from './launcher-token.ts';

const FILE = 'running-server.json';
const running = once(() =>
  z.object({ url: z.url({ protocol: /^http$/, hostname: /^(127\.0\.0\.1|\[::1\]|localhost)$/ }) }),
);
type RunningServer = z.infer<ReturnType<typeof running>>;
/** For a computer that is busy; where nothing listens, the answer comes at once. */
const ANSWER_LIMIT_MS = 15_000;

/** Says where the server of a data folder listens; the returned function takes it back. */
export async function noteRunningServer(folder: string, server: RunningServer): Promise<() => Promise<void>> {
  const file = join(folder, FILE);
  await writeFileAtomically(file, `${JSON.stringify(server)}\n`, { exactMode: 0o600 });
  return () => rm(file, { force: true });
}

/** What the last server said; it may have been killed since. Undefined when none did, or the file is damaged. */
async function runningServer(folder: string): Promise<RunningServer | undefined> {
  try {
    return running().safeParse(JSON.parse(await readFile(join(folder, FILE), 'utf8'))).data;
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The server that runs on the folder and accepts its token. Undefined when there is none. */
export async function answeringServer(folder: string): Promise<(RunningServer & { token: string }) | undefined> {
  const server = await runningServer(folder);
  if (!server) return undefined;
  const token = await launcherToken(folder, { isNew: false });
  try {
    const answer = await fetch(`${server.url}api/v1/health`, {
      headers: { cookie: `svc_token=${token}` },
      signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
    });
    return answer.ok ? { ...server, token } : undefined;
  } catch {
    return undefined; // another program may have the port now
  }
}
