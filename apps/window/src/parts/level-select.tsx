import { openOverlay } from '../shell/overlay-state.ts';
import { PERMISSION_LEVELS, type PermissionLevel } from '../wire/records.ts';
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

/** A compact permission select. */
export function LevelSelect(props: { value: string; choose: (level: PermissionLevel) => unknown }) {
  const { say } = useWords();
  const pick = useLevelChoice(props.choose);
  const known = PERMISSION_LEVELS.find((level) => level === props.value);
  return (
    <select
      className="chip"
      aria-label={say('status.permission')}
      title={known ? say(`level.${known}.why`) : ''}
      value={known ?? ''}
      onChange={(event) => {
        const level = PERMISSION_LEVELS.find((candidate) => candidate === event.currentTarget.value);
        if (level) pick(level);
      }}
    >
      {!known && <option value="">{props.value}</option>}
      {PERMISSION_LEVELS.map((level) => (
        <option key={level} value={level}>
          {say(`level.${level}`)}
        </option>
      ))}
    </select>
  );
}
