import { readdir, readFile, readlink } from 'node:fs/promises';

/** Process ids of a network namespace, as this process sees them. */
export async function processesIn(namespace: string): Promise<string[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const own = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/ns/net`).catch(() => undefined)));
  return pids.filter((_pid, at) => own[at] === namespace);
}

/** A TCP socket of a namespace. */
export interface NamespaceSocket {
  /** Its local port. */
  port: number;
  isListening: boolean;
  inode: string;
}

const LISTENING = '0A';

/** Read through one of its processes; empty when that one has ended. */
export async function socketsSeenBy(pid: string): Promise<NamespaceSocket[]> {
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/${pid}/net/${name}`, 'utf8').catch(() => '')),
  );
  return tables.flatMap((table) =>
    table
      .split('\n')
      .slice(1)
      .flatMap((line) => {
        const columns = line.trim().split(/\s+/);
        const [, local = '', , state] = columns;
        const port = Number.parseInt(local.split(':')[1] ?? '', 16);
        return port > 0 ? [{ port, isListening: state === LISTENING, inode: columns[9] ?? '0' }] : [];
      }),
  );
}
