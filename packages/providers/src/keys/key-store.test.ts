import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tempDir } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { createHarness, failureIn } from '../../test/harness.ts';

const run = promisify(execFile);
const SCRIPT = join(import.meta.dirname, '../../test/keyring-script.ts');
const hasKeyring = existsSync('/usr/bin/dbus-run-session') && existsSync('/usr/bin/gnome-keyring-daemon');
const isRequired = process.env['FUCINA_TEST_REQUIRE'] === '1';

/** Runs the script below with its own D-Bus; `unlock` starts an unlocked keyring. */
async function withBus(mode: 'unlock' | 'none', ...args: string[]): Promise<Record<string, unknown>> {
  await using home = await tempDir('fucina-keyring-');
  await home.write({ 'run/.keep': '', 'data/.keep': '' });
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home.path,
    XDG_DATA_HOME: join(home.path, 'data'),
    XDG_RUNTIME_DIR: join(home.path, 'run'),
    XDG_CONFIG_HOME: home.path,
    XDG_CACHE_HOME: home.path,
  };
  const node = [process.execPath, '--import', 'tsx', '--conditions=@fucina/source', SCRIPT, home.path, ...args];
  // The daemonizing form: a request before the daemon is up would start a second, locked one.
  const start = 'printf test | gnome-keyring-daemon --unlock --components=secrets >/dev/null; exec "$@"';
  const [command, ...rest] = mode === 'unlock' ? ['dbus-run-session', '--', 'bash', '-c', start, '_', ...node] : node;
  const { stdout } = await run(command as string, rest, { env, cwd: join(import.meta.dirname, '../../../..') });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<string, unknown>;
}

(hasKeyring || isRequired ? describe : describe.skip)(
  'the key store of the system (skipped without dbus-run-session and gnome-keyring)',
  () => {
    test('keeps keys over a restart, per data folder, and deletes removed ones', async () => {
      expect(await withBus('unlock', 'round-trip')).toEqual({
        state: { kind: 'system', state: 'ready' },
        listed: ['Chiave 1', 'Chiave 2'],
        chosen: 'sk-first',
        chosenByAnother: 'sk-first',
        listedByAnother: 2,
        otherFolder: 0,
        afterRemoval: ['Chiave 1'],
        files: false,
      });
    });

    test('serializes changes of two processes', async () => {
      expect(await withBus('unlock', 'race')).toEqual({ kept: 8 });
    });
  },
);

describe('without a key store', () => {
  test('keys are PROVIDER_STORE_UNAVAILABLE and never written to a file, and providers without keys work', async () => {
    expect(await withBus('none', 'unavailable')).toEqual({
      state: { kind: 'system', state: 'no-service' },
      codes: Array.from({ length: 6 }, () => 'PROVIDER_STORE_UNAVAILABLE'),
      failure: { class: 'not-configured', code: 'PROVIDER_STORE_UNAVAILABLE' },
      listed: { rows: 29, withKey: 0 },
      keyless: {
        outcome: 'reached',
        last: { type: 'finish', reason: 'stop' },
        endpointConfigured: true,
        keysSent: 0,
      },
      files: false,
      loaded: [false, true],
    });
  });

  test('keys can be kept in memory by choice and end with the process', async () => {
    await using harness = await createHarness();
    expect(await harness.providers.keys.state()).toEqual({ kind: 'memory', state: 'ready' });
    await harness.connect('deepseek');
    await using again = await createHarness({ needs: { dataDir: harness.dataDir } });
    expect(failureIn(await again.ask('deepseek:m'))).toMatchObject({ code: 'PROVIDER_KEY_REQUIRED' });
  });
});
