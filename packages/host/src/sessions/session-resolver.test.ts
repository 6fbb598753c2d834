import type { Sessions } from '@fucina/sessions';
import { commonError } from '@fucina/shared';
import { describe, expect, test } from '@jest/globals';
import { createSessionResolver } from './session-resolver.ts';

const FOLDERS: Readonly<Record<string, string>> = { one: '/work/one', 'one-more': '/work/one-more' };

const folderOf: Sessions['folderOf'] = async (sessionId) => {
  const folder = FOLDERS[sessionId];
  if (folder === undefined) throw commonError('NOT_FOUND');
  return folder;
};
const read = (async (sessionId: string) => ({ settings: { model: `model of ${sessionId}` } })) as Sessions['read'];

describe('the resolver of sessions', () => {
  const { resolve, inFolder, ofKnown } = createSessionResolver(() => ({ folderOf, read }));

  test('gives the folder and the model of the session that was named', async () => {
    const { sessionId, folder, model } = await resolve('one');
    expect([sessionId, folder, await model()]).toEqual(['one', '/work/one', 'model of one']);
  });

  test('gives a function the folder of the session and all other arguments', async () => {
    const remove = inFolder(async (folder, path: string, depth: number) => ({ folder, path, depth }));
    expect(await remove('one', 'a.txt', 2)).toEqual({ folder: '/work/one', path: 'a.txt', depth: 2 });
    expect(await remove('one-more', 'a.txt', 2)).toMatchObject({ folder: '/work/one-more' });
  });

  test('gives a function the id of a known session', async () => {
    const close = ofKnown(async (sessionId, terminal: string) => [sessionId, terminal]);
    expect(await close('one', 't1')).toEqual(['one', 't1']);
  });

  test('calls no function for an unknown session', async () => {
    let called = 0;
    const act = async (): Promise<void> => void called++;
    await expect(resolve('other')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(inFolder(act)('other')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(ofKnown(act)('on')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(called).toBe(0);
  });
});
