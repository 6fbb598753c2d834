import { Button } from '@mantine/core';
import { LoaderCircle } from 'lucide-react';
import { useId } from 'react';
import type { McpServer } from '../../wire/mcp-servers.ts';
import { useWords } from '../../words/words.ts';

interface ServerToolsProps {
  row: McpServer;
  isConnecting: boolean;
  connect: () => void;
  choose: (off: string[]) => void;
}

/** The tools of a server, each on or off. */
export function ServerTools({ row, isConnecting, connect, choose }: ServerToolsProps) {
  const { say } = useWords();
  const id = useId();
  const off = new Set(row.offTools);
  if (!row.tools) {
    return (
      <div className="mcp-tools-none">
        <p className="small muted">{say('mcp.tools.unknown')}</p>
        {row.isOn && row.state !== 'not-trusted' && (
          <Button size="compact-sm" variant="default" disabled={isConnecting} onClick={connect}>
            {isConnecting && <LoaderCircle size={12} className="spin" aria-hidden />} {say('mcp.connect')}
          </Button>
        )}
      </div>
    );
  }
  if (row.tools.length === 0) return <p className="small muted">{say('mcp.tools.none')}</p>;
  const turn = (name: string, isOn: boolean) =>
    choose(isOn ? row.offTools.filter((one) => one !== name) : [...row.offTools, name]);
  const names = row.tools.map(({ name }) => name);
  const isAllOn = !names.some((name) => off.has(name));
  return (
    <fieldset className="mcp-tools">
      <legend className="unseen">{say('mcp.tools.of', { name: row.name })}</legend>
      <button
        type="button"
        className="text-button small"
        onClick={() => choose(isAllOn ? [...new Set([...row.offTools, ...names])] : [])}
      >
        {say(isAllOn ? 'mcp.tools.allOff' : 'mcp.tools.allOn')}
      </button>
      {row.tools.map(({ name, description }, at) => (
        <label key={name} className="mcp-tool">
          <input
            type="checkbox"
            checked={!off.has(name)}
            aria-describedby={description ? `${id}-${at}` : undefined}
            onChange={(event) => turn(name, event.currentTarget.checked)}
          />
          <span>
            <code>{name}</code>
            {description && (
              <span id={`${id}-${at}`} className="small muted mcp-tool-why">
                {description}
              </span>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
