import { useId } from 'react';
import { useWords } from '../words/words.ts';

interface ProjectSelectProps {
  folders: readonly string[];
  value: string | undefined;
  choose: (folder: string | undefined) => void;
}

/** One project, or all. */
export function ProjectSelect({ folders, value, choose }: ProjectSelectProps) {
  const { say } = useWords();
  const id = useId();
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {say('sandbox.project')}
      </label>
      <select
        id={id}
        className="input"
        value={value ?? ''}
        onChange={(event) => choose(event.currentTarget.value || undefined)}
      >
        <option value="">{say('sandbox.allProjects')}</option>
        {folders.map((path) => (
          <option key={path} value={path}>
            {path}
          </option>
        ))}
      </select>
    </div>
  );
}
