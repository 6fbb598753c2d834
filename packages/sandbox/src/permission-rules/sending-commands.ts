import { fitsCommand } from './rule.ts';
import { readShellLine, withoutWrappers } from './shell-line.ts';

/** Commands that send the project or a part of it to a host that is free for fetching. */
const SENDING = [
  'git push *',
  'git send-email *',
  'git lfs push *',
  'git-lfs push *',
  'hg push *',
  'jj git push *',
  'npm publish *',
  'pnpm publish *',
  'yarn publish *',
  'yarn npm publish *',
  'bun publish *',
  'jsr publish *',
  'cargo publish *',
  'gem push *',
  'twine upload *',
  'uv publish *',
  'poetry publish *',
  'dotnet nuget push *',
  'docker push *',
  'podman push *',
  'mvn deploy *',
  'hf upload *',
  'huggingface-cli upload *',
].map((text) => text.split(' '));

/** Every pattern has one of these words: other lines need no parser. */
const MAY_SEND = /\b(push|publish|upload|deploy|send-email)\b/;

/** Whether a command line shows that it sends something out. What a script sends is not seen. */
export async function isSending(line: string): Promise<boolean> {
  if (!MAY_SEND.test(line)) return false;
  const { commands } = await readShellLine(line);
  return commands.some(({ words }) =>
    withoutWrappers(words).some((rest) => {
      // Unknown words match nothing: a variable alone is no reason to ask.
      const known = rest.map((word) => word ?? '');
      return SENDING.some((pattern) => fitsCommand(pattern, known, false));
    }),
  );
}
