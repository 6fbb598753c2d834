import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeAmbient } from '@fucina/shared/testing';
import { describe, expect, test } from '@jest/globals';
import { isServed, openDataFolder } from './data-folder.ts';

function folder(): { path: string; [Symbol.dispose](): void } {
  const path = mkdtempSync(join(tmpdir(), 'fucina-data-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

describe('the data folder', () => {
  test('is private, has one server, and is shared with other processes', () => {
    using dir = folder();
    const ambient = fakeAmbient();
    const server = openDataFolder(ambient, dir.path, { isServer: true });
    expect(statSync(dir.path).mode & 0o777).toBe(0o700);
    expect(isServed(dir.path)).toBe(true);
    expect(() => openDataFolder(ambient, dir.path, { isServer: true })).toThrow(/SESSION_STORE_BUSY/);
    const tool = openDataFolder(ambient, dir.path, { isServer: false });
    expect(tool.lease).not.toBe(server.lease);
    tool.release();
    server.release();
    expect(isServed(dir.path)).toBe(false);
    openDataFolder(ambient, dir.path, { isServer: true }).release();
  });

  test('records which stores it has contained', () => {
    using dir = folder();
    const first = openDataFolder(fakeAmbient(), dir.path, { isServer: false });
    expect(first.hasHeld('sessions.db')).toBe(false);
    first.noteStore('sessions.db');
    first.release();
    const next = openDataFolder(fakeAmbient(), dir.path, { isServer: false });
    expect(next.hasHeld('sessions.db')).toBe(true);
    next.release();
  });

  test('of a newer version is refused', () => {
    using dir = folder();
    writeFileSync(join(dir.path, 'fucina.json'), JSON.stringify({ format: 2, initialisedAt: '', stores: [] }));
    expect(() => openDataFolder(fakeAmbient(), dir.path, { isServer: false })).toThrow(/CONFIG_INVALID/);
  });

  test('a process releases its lock on exit, and leftovers of crashes are deleted after an hour', () => {
    using dir = folder();
    const ambient = fakeAmbient(Date.now());
    openDataFolder(ambient, dir.path, { isServer: false }).release();
    const locks = join(dir.path, 'locks');
    expect(readdirSync(locks)).toEqual([]);
    for (const name of ['process-old', 'process-new']) writeFileSync(join(locks, name), '');
    const longAgo = new Date(ambient.now() - 7_200_000);
    utimesSync(join(locks, 'process-old'), longAgo, longAgo);
    const server = openDataFolder(ambient, dir.path, { isServer: true });
    expect(readdirSync(locks).filter((name) => !name.startsWith(server.lease))).toEqual(['process-new', 'server']);
    server.release();
  });

  test('reserves disk space and releases it once', async () => {
    using dir = folder();
    const ambient = fakeAmbient();
    const server = openDataFolder(ambient, dir.path, { isServer: true });
    expect(server.freeReserve()).toBe(false);
    await ambient.advance(2_000);
    expect(statSync(join(dir.path, 'reserve')).size).toBe(8 * 1024 * 1024);
    expect(server.freeReserve()).toBe(true);
    expect(existsSync(join(dir.path, 'reserve'))).toBe(false);
    await ambient.advance(60_000);
    expect(existsSync(join(dir.path, 'reserve'))).toBe(true);
    server.release();
  });
});
