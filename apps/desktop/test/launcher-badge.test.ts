import { existsSync } from 'node:fs';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { launcherBadge } from '../src/linux/launcher-badge.ts';
import { sessionBusPath } from '../src/linux/session-bus.ts';
import { openBus } from './bus.ts';
import { until } from './computer.ts';

const missing = ['/usr/bin/dbus-daemon', '/usr/bin/dbus-monitor'].filter((path) => !existsSync(path));
const isPossible = missing.length === 0 || process.env.FUCINA_TEST_REQUIRE === '1';
if (!isPossible) process.stderr.write(`badge not tested: no ${missing.join(', ')}\n`);
const onBus = isPossible ? test : test.skip;
const uid = process.getuid?.() ?? 0;

onBus('sends each new number over the session bus, and removes the badge at the end', async () => {
  await using bus = await openBus();
  const badge = launcherBadge({ environment: { DBUS_SESSION_BUS_ADDRESS: bus.address }, uid });
  badge.show(0);
  badge.show(2);
  badge.show(2);
  await until(() => bus.counts().length === 1 || undefined);
  badge.show(1);
  await badge.close();
  await until(() => bus.text().match(/boolean/g)?.length === 3 || undefined);
  expect(bus.counts()).toEqual([2, 1, 0]);
  expect(bus.text()).toContain('string "application://fucina.desktop"');
  expect(bus.text().match(/boolean (true|false)/g)).toEqual(['boolean true', 'boolean true', 'boolean false']);
});

onBus('does nothing where no bus answers', async () => {
  await using dir = await tempDir();
  const first = await openBus();
  const environment = { DBUS_SESSION_BUS_ADDRESS: first.address };
  const badge = launcherBadge({ environment, uid });
  badge.show(2);
  await until(() => first.counts().length === 1 || undefined);
  await first[Symbol.asyncDispose]();
  await badge.close();
  const nowhere = launcherBadge({ environment: { XDG_RUNTIME_DIR: dir.path }, uid });
  nowhere.show(1);
  await nowhere.close();
});

test('finds the session bus by its address, or in the folder of the session', () => {
  const at = (address: string) => sessionBusPath({ DBUS_SESSION_BUS_ADDRESS: address });
  expect(at('unix:path=/run/user/1/bus')).toBe('/run/user/1/bus');
  expect(at('tcp:host=localhost,port=1;unix:guid=0a,path=/a%20b')).toBe('/a b');
  expect(at('unix:abstract=/tmp/dbus-x,guid=0a')).toBe('\0/tmp/dbus-x');
  expect(at('autolaunch:')).toBeUndefined();
  expect(sessionBusPath({ XDG_RUNTIME_DIR: '/run/user/1' })).toBe('/run/user/1/bus');
  expect(sessionBusPath({})).toBeUndefined();
});
