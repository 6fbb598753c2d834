import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode, writeFileAtomically } from '@fucina/shared';
import * as z from 'zod';

const FILE = 'running-server.json';
const running = z.object({ url: z.url({ protocol: /^http$/, hostname: /^(127\.0\.0\.1|\[::1\]|localhost)$/ }) });
type RunningServer = z.infer<typeof running>;

/** Says where the server of a data folder listens; the returned function takes it back. */
export async function noteRunningServer(folder: string, server: RunningServer): Promise<() => Promise<void>> {
  const file = join(folder, FILE);
  await writeFileAtomically(file, `${JSON.stringify(server)}\n`, { exactMode: 0o600 });
  return () => rm(file, { force: true });
}

/** What the last server said; it may have been killed since. Undefined when none did, or the file is damaged. */
export async function runningServer(folder: string): Promise<RunningServer | undefined> {
  try {
    return running.safeParse(JSON.parse(await readFile(join(folder, FILE), 'utf8'))).data;
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
