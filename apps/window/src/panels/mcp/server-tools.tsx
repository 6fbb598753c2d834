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
  const off = new Set(row.strumentiSpenti);
  if (!row.strumenti) {
    return (
      <div className="mcp-tools-none">
        <p className="small muted">{say('mcp.tools.unknown')}</p>
        {row.attivo && row.stato !== 'non-fidato' && (
          <Button size="compact-sm" variant="default" disabled={isConnecting} onClick={connect}>
            {isConnecting && <LoaderCircle size={12} className="spin" aria-hidden />} {say('mcp.connect')}
          </Button>
        )}
      </div>
    );
  }
  if (row.strumenti.length === 0) return <p className="small muted">{say('mcp.tools.none')}</p>;
  const turn = (name: string, isOn: boolean) =>
    choose(isOn ? row.strumentiSpenti.filter((one) => one !== name) : [...row.strumentiSpenti, name]);
  const names = row.strumenti.map(({ nome }) => nome);
  const isAllOn = !names.some((name) => off.has(name));
  return (
    <fieldset className="mcp-tools">
      <legend className="unseen">{say('mcp.tools.of', { name: row.nome })}</legend>
      <button
        type="button"
        className="text-button small"
        onClick={() => choose(isAllOn ? [...new Set([...row.strumentiSpenti, ...names])] : [])}
      >
        {say(isAllOn ? 'mcp.tools.allOff' : 'mcp.tools.allOn')}
      </button>
      {row.strumenti.map(({ nome, descrizione }, at) => (
        <label key={nome} className="mcp-tool">
          <input
            type="checkbox"
            checked={!off.has(nome)}
            aria-describedby={descrizione ? `${id}-${at}` : undefined}
            onChange={(event) => turn(nome, event.currentTarget.checked)}
          />
          <span>
            <code>{nome}</code>
            {descrizione && (
              <span id={`${id}-${at}`} className="small muted mcp-tool-why">
                {descrizione}
              </span>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
