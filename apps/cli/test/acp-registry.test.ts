import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const cli = join(import.meta.dirname, '..');
const json = async (file: string) => JSON.parse(await readFile(file, 'utf8'));

/** The required fields and their forms are those of the registry's agent.schema.json. */
test('the entry for the ACP registry has what the registry wants and starts this version', async () => {
  const entry = await json(join(cli, 'acp-registry', 'fucina', 'agent.json'));
  const { version, license } = await json(join(cli, 'package.json'));
  expect(entry).toEqual({
    id: expect.stringMatching(/^[a-z][a-z0-9-]*$/),
    name: 'Fucina',
    version,
    description: expect.stringMatching(/\S/),
    authors: [expect.any(String)],
    license,
    license_url: expect.stringMatching(/^https:\/\//),
    distribution: { npx: { package: `fucina@${version}`, args: ['acp'] } },
  });
});
