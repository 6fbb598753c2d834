// What the published package contains besides its compiled sources: the generated types and the license.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';

const here = import.meta.dirname;
copyFileSync(join(here, '..', 'wire-types', 'dist', 'api.d.ts'), join(here, 'dist', 'api.d.ts'));
copyFileSync(join(here, '..', '..', 'LICENSE'), join(here, 'dist', 'LICENSE'));
