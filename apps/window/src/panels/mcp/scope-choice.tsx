import { useId } from 'react';
import type { OwnScope } from '../../wire/mcp-servers.ts';
import { useWords } from '../../words/words.ts';

/** For this project or for all projects. */
export function ScopeChoice({ scope, choose }: { scope: OwnScope; choose: (scope: OwnScope) => void }) {
  const { say } = useWords();
  const id = useId();
  return (
    <fieldset className="mcp-kinds">
      <legend className="field-label">{say('mcp.form.scope')}</legend>
      {(['project', 'everywhere'] as const).map((one) => (
        <label key={one} className="mcp-kind">
          <input type="radio" name={id} checked={scope === one} onChange={() => choose(one)} />
          {say(`mcp.scope.choice.${one}`)}
        </label>
      ))}
    </fieldset>
  );
}
