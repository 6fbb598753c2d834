import { Button } from '@mantine/core';
import { ShieldAlert, ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Plugin } from '../../wire/extensions.ts';
import { useWords } from '../../words/words.ts';
import type { TrustRequest } from './trust-facts.tsx';
import { Warnings } from './warnings.tsx';

interface RowProps<Row> {
  row: Row;
  ask: (request: TrustRequest) => void;
}

interface TrustedRowProps {
  name: ReactNode;
  isTrusted: boolean;
  /** Why it is not trusted, if known. */
  because?: string | null;
  trust: (() => void) | undefined;
  label: string;
  children: ReactNode;
}

function TrustedRow({ name, isTrusted, because, trust, label, children }: TrustedRowProps) {
  const { say } = useWords();
  return (
    <li className="extension-row">
      <div className="extension-name">
        {name}
        <span className="tag" data-tone={isTrusted ? 'good' : 'ask'}>
          {isTrusted ? <ShieldCheck size={14} aria-hidden /> : <ShieldAlert size={14} aria-hidden />}
          {say(isTrusted ? 'extensions.trusted' : 'extensions.untrusted')}
        </span>
        {!isTrusted && trust && (
          <Button size="compact-xs" variant="default" aria-label={label} onClick={trust}>
            {say('extensions.trust.look')}
          </Button>
        )}
      </div>
      {!isTrusted && because && <p className="small">{because}</p>}
      {children}
    </li>
  );
}

export function PluginRow({ row, ask }: RowProps<Plugin>) {
  const { say } = useWords();
  const commands = row.comandi.map(({ origine, comando }) => ({ origin: origine, command: comando }));
  const warnings = row.avvisi.map(({ origine, avviso }) => `${origine}: ${avviso}`);
  return (
    <TrustedRow
      name={
        <>
          <b>{row.nome}</b> <code className="muted small">{row.id}</code>
        </>
      }
      isTrusted={row.fidato}
      because={row.frase}
      label={say('extensions.trust.of', { name: row.nome })}
      trust={() => ask({ kind: 'plugins', id: row.id, name: row.nome, commands, warnings })}
    >
      {row.descrizione && <p className="muted small">{row.descrizione}</p>}
      <p className="muted small">
        {say('extensions.brings', { tools: row.tools.join(', ') || '–', hooks: row.hooks.join(', ') || '–' })}
      </p>
      <Warnings warnings={warnings} />
    </TrustedRow>
  );
}
