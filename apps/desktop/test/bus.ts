import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A session bus of its own, with what is signalled on it to docks. */
export interface TestBus extends AsyncDisposable {
  /** Value of `DBUS_SESSION_BUS_ADDRESS`. */
  address: string;
  /** Numbers that were sent for the badge, in order. */
  counts(): number[];
  /** What the monitor printed. */
  text(): string;
}

const ENTRY = "interface='com.canonical.Unity.LauncherEntry'";

export async function openBus(): Promise<TestBus> {
  const daemon = spawn('dbus-daemon', ['--session', '--nofork', '--print-address'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = (await once(daemon.stdout, 'data')) as [Buffer];
  const address = line.toString().trim();
  const monitor = spawn('dbus-monitor', ['--address', address, ENTRY], { stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  monitor.stdout.on('data', (bytes: Buffer) => (text += bytes.toString()));
  await once(monitor.stdout, 'data'); // it listens
  return {
    address,
    text: () => text,
    counts: () => [...text.matchAll(/string "count"\s+variant\s+int64 (\d+)/g)].map(([, count]) => Number(count)),
    async [Symbol.asyncDispose]() {
      for (const child of [monitor, daemon]) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
    },
  };
}
