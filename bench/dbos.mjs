// A published durable engine beside ours, where the user has put one: FUCINA_BENCH_DBOS is a folder in which
// @dbos-inc/dbos-sdk is installed, FUCINA_BENCH_POSTGRES the address of an empty database on this machine.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { nowMs } from './lib.mjs';

/** Opens it, or answers undefined where there is none. `rate` makes `rows` workflows at once do `steps` steps between them. */
export async function openDbos({ rows }) {
  const { FUCINA_BENCH_DBOS: folder, FUCINA_BENCH_POSTGRES: systemDatabaseUrl } = process.env;
  if (!folder || !systemDatabaseUrl) return undefined;
  const { DBOS } = createRequire(join(folder, 'package.json'))('@dbos-inc/dbos-sdk');
  const { version } = JSON.parse(readFileSync(join(folder, 'node_modules/@dbos-inc/dbos-sdk/package.json'), 'utf8'));
  DBOS.setConfig({
    name: 'bench',
    systemDatabaseUrl,
    systemDatabasePoolSize: rows / 2,
    logLevel: 'error',
    runAdminServer: false,
  });
  const step = async () => 'done';
  const row = DBOS.registerWorkflow(
    async (count) => {
      for (let at = 0; at < count; at += 1) await DBOS.runStep(step, { name: 'step' });
    },
    { name: 'row' },
  );
  await DBOS.launch();
  return {
    version,
    async rate(steps) {
      const each = Math.ceil(steps / rows);
      const from = nowMs();
      const begun = await Promise.all(Array.from({ length: rows }, () => DBOS.startWorkflow(row)(each)));
      await Promise.all(begun.map((one) => one.getResult()));
      return (each * rows) / ((nowMs() - from) / 1_000);
    },
    close: () => DBOS.shutdown(),
  };
}
