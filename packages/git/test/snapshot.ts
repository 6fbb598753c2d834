import { shellIn, type TempRepo } from '@fucina/testkit';

/** HEAD, branches, stashes, index, and every file by its bytes. In one shell: see `tempRepo`. */
const EVERYTHING = `
  git symbolic-ref -q HEAD || echo none
  echo ---; git for-each-ref
  echo ---; git stash list --format='%H %gs'
  echo ---; git ls-files -s
  echo ---; git status --porcelain=v2 --untracked-files=all --ignored
  echo ---; find . -path ./.git -prune -o -type f -exec sha1sum {} + | LC_ALL=C sort
  ls .git | grep -i -e fucina -e lock || true
`;

/** Everything that an operation could have touched. */
export function snapshot(repo: TempRepo): Promise<string> {
  return shellIn(repo.path)(EVERYTHING);
}
