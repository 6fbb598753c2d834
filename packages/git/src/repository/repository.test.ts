import { tempRepo } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { findRepository, headCommitFromFiles, type Repository } from './repository.ts';

test('the commit of HEAD is read from its branch file, then from the packed references', async () => {
  await using repo = await tempRepo();
  const repository = (await findRepository(repo.path)) as Repository;
  const commit = async (subject: string): Promise<string> => {
    await repo.git('commit', '--quiet', '--allow-empty', '-m', subject);
    return (await repo.git('rev-parse', 'HEAD')).trim();
  };
  const first = await commit('First');
  expect(await headCommitFromFiles(repository)).toBe(first);
  await repo.git('tag', '-a', 'marked', '-m', 'An annotated tag has a second line');
  await repo.git('pack-refs', '--all');
  expect(await headCommitFromFiles(repository)).toBe(first);
  const second = await commit('Second');
  expect(await headCommitFromFiles(repository)).toBe(second);
  await repo.git('switch', '--quiet', '--orphan', 'unborn');
  expect(await headCommitFromFiles(repository)).toBeUndefined();
});

test('a branch whose name ends like another is not taken for it', async () => {
  await using repo = await tempRepo();
  const repository = (await findRepository(repo.path)) as Repository;
  await repo.git('commit', '--quiet', '--allow-empty', '-m', 'First');
  await repo.git('branch', 'a/work');
  await repo.git('switch', '--quiet', '-c', 'work');
  await repo.git('commit', '--quiet', '--allow-empty', '-m', 'Second');
  await repo.git('pack-refs', '--all');
  expect(await headCommitFromFiles(repository)).toBe((await repo.git('rev-parse', 'work')).trim());
});
