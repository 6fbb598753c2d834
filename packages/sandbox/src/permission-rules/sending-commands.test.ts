import { expect, test } from '@jest/globals';
import { isSending } from './sending-commands.ts';

test.each([
  'git push',
  'git push origin main',
  'git -C sub push --force',
  'git -c http.proxy=x push',
  'cd x && git push; echo done',
  'sudo git push',
  'env A=1 git push',
  'sh -c "git push origin HEAD"',
  '(git push)',
  'x=$(git push 2>&1)',
  '/usr/bin/git push',
  'npm publish --access public',
  'cargo publish',
  'twine upload dist/*',
  'docker push registry.example/x',
  'git lfs push origin main',
])('sees that %s sends', async (line) => {
  expect(await isSending(line)).toBe(true);
});

test.each([
  'git pushed',
  'git commit -m "git push"',
  'echo git push',
  'git log --grep push',
  'git stash push',
  'git config push.default simple',
  'npm run publish-docs',
  'npm run push',
  'cat push',
  'git fetch',
  'git $CMD push-notes',
  'grep -r "npm publish" .',
])('does not see a sending command in %s', async (line) => {
  expect(await isSending(line)).toBe(false);
});
