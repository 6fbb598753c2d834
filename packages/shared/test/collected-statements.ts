import { sqliteDriver } from '../src/sqlite-driver.ts';

/** Unreferenced statements in a growing heap: they are collected between two ticks. */
const db = new (sqliteDriver())(':memory:');
const kept: object[] = [];
for (let round = 0; round < 600; round += 1) {
  for (let index = 0; index < 20; index += 1) db.prepare(`SELECT ${index}`).get();
  for (let index = 0; index < 2_000; index += 1) kept.push({ round, index });
  await new Promise((resolve) => setTimeout(resolve, 1));
  if (round % 200 === 199) kept.length = 0;
}
db.close();
process.stdout.write('alive\n');
