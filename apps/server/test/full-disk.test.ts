import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { testServer, until } from './harness.ts';

/** Mounting a small disk needs privileges. */
function smallDisk(path: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=96m', 'tmpfs', path], { stdio: 'ignore' });
    return true;
  } catch {
    // Not root, or an unsupported system: the test reports that and ends.
    return false;
  }
}

test('on a full disk reads and deletes work, writes fail with an error, and recover without a restart', async () => {
  await using dir = await tempDir();
  if (!smallDisk(dir.path)) {
    process.stderr.write('full-disk test skipped: this user cannot mount a small disk\n');
    return;
  }
  const server = await testServer({ dataDir: join(dir.path, 'data') });
  try {
    const kept = await server.startSession({ consegna: 'Kept.' });
    const spare = await server.startSession({ consegna: 'Spare.' });
    const note = { titolo: 'Kept', contenuto: 'x'.repeat(4_000) };
    const { id: noteId } = (await server.call('POST', '/me/notes', { body: note })).data.nota;
    await server.settled(kept);
    await server.settled(spare);
    await until(async () => (existsSync(join(server.dataDir, 'reserve')) ? true : undefined));

    const filler = join(dir.path, 'filler');
    fill(dir.path, filler);
    const body = { cartellaLibera: server.project.path, consegna: 'x', modello: 'ollama:tiny' };
    const refusal = await server.call('POST', '/sessions/custom', { body, headers: { 'accept-language': 'en' } });
    expect([refusal.status, refusal.code, refusal.reason]).toEqual([503, 'SESSION_STORE_WRITE_FAILED', 'disk-full']);
    expect(refusal.error).toMatchObject({ title: 'Disk full' });
    const another = await server.call('POST', '/me/notes', { body: note });
    expect([another.status, another.reason]).toEqual([503, 'disk-full']);
    const rename = () => server.call('POST', `/sessions/${kept}/rename`, { body: { nome: 'x'.repeat(80) } });
    expect(await rename()).toMatchObject({ status: 503, code: 'SESSION_STORE_WRITE_FAILED' });
    expect((await server.call('GET', '/sessions')).data.items).toHaveLength(2);
    expect((await server.events(kept)).at(-1)).toMatchObject({ type: 'RunFinished' });
    expect((await server.call('POST', `/sessions/${spare}/delete`)).data).toMatchObject({ ok: true });
    fill(dir.path, filler);
    expect((await server.call('DELETE', `/me/notes/${noteId}`)).status).toBe(200);

    rmSync(filler);
    const again = await server.startSession({ consegna: 'Again.' });
    expect((await server.settled(again)).motivoChiusura).toBe('fine-lavoro');
    expect((await server.call('GET', '/sessions')).data.items.map((row: any) => row.nome)).toEqual(['Again.', 'Kept.']);
    expect((await rename()).ok).toBe(true);
  } finally {
    await server[Symbol.asyncDispose]();
    execFileSync('umount', [dir.path]);
  }
});

/** Leaves not one free block. */
function fill(disk: string, file: string): void {
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(file, Buffer.alloc(Math.max(0, bavail * bsize - 65_536)));
  for (let piece = 0; statfsSync(disk).bavail > 0 && piece < 64; piece += 1) {
    try {
      writeFileSync(file, Buffer.alloc(bsize), { flag: 'a' });
    } catch {
      // Expected: the disk is full.
      return;
    }
  }
}
