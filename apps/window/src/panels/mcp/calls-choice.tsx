import { cleanText } from '@fucina/conversation/clean-text';
import { useId, useState } from 'react';
import type { McpCallAnswer, McpServer } from '../../wire/mcp-servers.ts';
import { useWords } from '../../words/words.ts';

const ANSWERS: readonly McpCallAnswer[] = ['allow', 'by-tool', 'ask'];

interface CallsChoiceProps {
  /** Undefined: the first call asks. */
  chosen: McpCallAnswer | undefined;
  choose: (answer: McpCallAnswer) => void;
}

/** Whether the calls of a server ask. */
export function CallsChoice({ chosen, choose }: CallsChoiceProps) {
  const { say } = useWords();
  const id = useId();
  return (
    <fieldset className="mcp-kinds">
      <legend className="field-label">{say('mcp.calls')}</legend>
      {ANSWERS.map((answer) => (
        <label key={answer} className="mcp-kind">
          <input type="radio" name={id} checked={chosen === answer} onChange={() => choose(answer)} />
          {say(`mcp.calls.${answer}`)}
        </label>
      ))}
    </fieldset>
  );
}

/** The choice in a dialog, which reads the answer when it is confirmed. */
export function CallsField({ choose }: Pick<CallsChoiceProps, 'choose'>) {
  const { say } = useWords();
  const [chosen, setChosen] = useState<McpCallAnswer>();
  const take = (answer: McpCallAnswer) => {
    setChosen(answer);
    choose(answer);
  };
  return (
    <>
      <CallsChoice chosen={chosen} choose={take} />
      <p className="small muted">{say('mcp.calls.unanswered')}</p>
    </>
  );
}

/** The answer about a server as it is now, and the tools that no longer ask. */
export function ServerCalls({ row, choose }: { row: McpServer } & Pick<CallsChoiceProps, 'choose'>) {
  const { say } = useWords();
  const { answer, allowedTools = [] } = row.calls ?? {};
  return (
    <div>
      <CallsChoice chosen={answer} choose={choose} />
      {answer === undefined && <p className="small muted">{say('mcp.calls.unanswered')}</p>}
      {allowedTools.length > 0 && (
        <p className="small muted">{say('mcp.calls.allowed', { tools: cleanText(allowedTools.join(', ')) })}</p>
      )}
    </div>
  );
}
