import { join } from 'node:path';
import { runProcess, systemAmbient } from '@fucina/shared';
import { createWriteView, type ViewPlaces } from '../../src/write-view/write-view.ts';

/** Prints one line of JSON: the output of each script, in a view in which `project` may be written. */
export interface ScriptRun {
  script: string;
  starts: ViewPlaces['starts'];
}

const [base = '', runs = '[]'] = process.argv.slice(2);
const environment = { ...process.env, HOME: join(base, 'home'), XDG_RUNTIME_DIR: join(base, 'run'), TMPDIR: undefined };
const ambient = systemAmbient('silent');
const view = createWriteView({ ambient, environment });
const folder = join(base, 'project');
const outputs: string[] = [];
for (const { script, starts } of JSON.parse(runs) as ScriptRun[]) {
  await using open = await view.open({ folder, writable: [folder], unchanged: [join(folder, 'kept')], starts });
  if (!open) throw new Error(await view.state());
  const argv = [open.program, ...open.args, '/bin/sh', '-c', `exec 2>&1; ${script}`] as const;
  const { stdout, stderr } = await runProcess({ ambient, environment, argv, cwd: folder, admit: open.admit });
  outputs.push(Buffer.concat([stdout.bytes, stderr.bytes]).toString().trim());
}
process.stdout.write(JSON.stringify(outputs));
