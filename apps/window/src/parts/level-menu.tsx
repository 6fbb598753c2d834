import { ChevronDown, Shield } from 'lucide-react';
import { PERMISSION_LEVELS, type PermissionLevel } from '../wire/records.ts';
import { useWords } from '../words/words.ts';
import { Menu } from './menu.tsx';
import { useLevelChoice } from './use-level-choice.ts';

/** The permission level, and a menu that explains the four. */
export function LevelMenu({ value, choose }: { value: string; choose: (level: PermissionLevel) => unknown }) {
  const { say } = useWords();
  const pick = useLevelChoice(choose);
  const known = PERMISSION_LEVELS.find((level) => level === value);
  const name = known ? say(`level.${known}`) : value;
  return (
    <Menu
      className="chip menu-chip"
      label={`${say('status.permission')}: ${name}`}
      icon={
        <>
          <Shield size={14} aria-hidden />
          {name}
          <ChevronDown size={12} aria-hidden />
        </>
      }
      entries={PERMISSION_LEVELS.map((level) => ({
        id: level,
        name: say(`level.${level}`),
        why: say(`level.${level}.why`),
        isChosen: level === value,
        act: () => pick(level),
      }))}
    />
  );
}
