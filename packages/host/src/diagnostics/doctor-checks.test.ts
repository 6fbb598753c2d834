import { systemAmbient } from '@fucina/shared';
import { doctorWords } from '@fucina/shared/sentences';
import { describe, expect, test } from '@jest/globals';
import { type DoctorNeeds, doctorChecks } from './doctor-checks.ts';

const { PATH } = process.env;

/** The line about git, where its view is in this state. */
const lineOf = (view: string, environment: Record<string, string | undefined> = { PATH }) => {
  const settings = { ambient: systemAmbient('silent'), environment };
  const needs = { settings, folder: { path: '/nonexistent' }, gitView: async () => view } as unknown as DoctorNeeds;
  return doctorChecks(needs).get('git')?.();
};

describe('the line about git', () => {
  test.each([
    ['working', 'ok', 'found', 'Found.'],
    ['missing', 'attention', 'view-missing', 'Without bubblewrap'],
    ['refused', 'attention', 'view-refused', 'does not let bubblewrap'],
    ['unsupported', 'ok', 'view-unsupported', 'On this system'],
  ])('says whether what writes is limited to the repository: %s', async (view, state, finding, words) => {
    const row = await lineOf(view);
    expect(row).toMatchObject({ id: 'git', state, finding });
    expect(doctorWords({ id: 'git', finding }, 'en').detail).toContain(words);
  });

  test('says first that there is no git', async () => {
    expect(await lineOf('missing', { PATH: '/nonexistent' })).toMatchObject({ state: 'attention', finding: 'missing' });
  });
});

describe('the line about watched folders', () => {
  const folders = { limited: ['/large'], unknown: ['/lost'] };

  test.each([
    [{ limited: [], unknown: [] }, 'ok', 'working', 'Changes of others'],
    [{ ...folders, unknown: [] }, 'attention', 'limited', '/large'],
    [folders, 'attention', 'unknown', 'not known: /lost'],
  ])('says which are not watched as they should be: %j', async (watching, state, finding, words) => {
    const needs = { settings: {}, folder: {}, watching: () => watching } as unknown as DoctorNeeds;
    const row = await doctorChecks(needs).get('folder-watch')?.();
    expect(row).toMatchObject({ id: 'folder-watch', state, finding });
    expect(doctorWords({ id: 'folder-watch', finding, params: row?.params }, 'en').detail).toContain(words);
  });

  test('names the command that raises the limit of the system', () => {
    const { action } = doctorWords({ id: 'folder-watch', finding: 'limited', params: { folders: '/large' } }, 'en');
    expect(action).toContain('sysctl fs.inotify.max_user_watches=');
  });
});
