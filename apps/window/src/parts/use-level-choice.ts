import { openOverlay } from '../shell/overlay-state.ts';
import type { PermissionLevel } from '../wire/records.ts';
import { useWords } from '../words/words.ts';

/** Confirms a choice that removes all limits. `choose` is called after the confirmation. */
export function useLevelChoice(choose: (level: PermissionLevel) => unknown): (level: PermissionLevel) => void {
  const { say } = useWords();
  return (level) => {
    if (level !== 'Full access') {
      choose(level);
      return;
    }
    openOverlay({
      kind: 'confirm',
      title: say('level.confirm.title'),
      text: say('level.confirm.text'),
      act: say('level.confirm.act'),
      isDangerous: true,
      run: async () => {
        await choose(level);
      },
    });
  };
}
