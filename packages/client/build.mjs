// What the published package contains besides its compiled sources: generated types and tables, and the license.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';

const here = import.meta.dirname;
const generated = join(here, '..', 'wire-types', 'dist');
for (const name of [
  'api.d.ts',
  ...['names', 'first-names', 'event-names', 'addresses', 'rename'].flatMap((one) => [`${one}.js`, `${one}.d.ts`]),
]) {
  copyFileSync(join(generated, name), join(here, 'dist', name));
}
copyFileSync(join(here, '..', '..', 'LICENSE'), join(here, 'dist', 'LICENSE'));
