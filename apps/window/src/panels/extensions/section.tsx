import '../../styles/extensions.css';
import '../../styles/mcp.css';
import { Button } from '@mantine/core';
import { Anvil, BookMarked, type LucideIcon, Plus, Puzzle, Webhook } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Code } from '../../parts/code.tsx';
import { useWords } from '../../words/words.ts';

type Kind = 'hooks' | 'plugins' | 'skills' | 'forged';

const ICONS: Record<Kind, LucideIcon> = {
  hooks: Webhook,
  plugins: Puzzle,
  skills: BookMarked,
  forged: Anvil,
};

/** An example to copy. */
const EXAMPLES: Partial<Record<Kind, { path: string; text: string; language: string }>> = {
  hooks: {
    path: '.svc/hooks.json',
    language: 'json',
    text: '{\n  "hooks": [\n    { "id": "guard", "events": ["pre_tool_call"], "command": "node scripts/guard.js" }\n  ]\n}',
  },
  plugins: {
    path: '.svc/plugins/helper/plugin.json',
    language: 'json',
    text: '{\n  "name": "Helper",\n  "description": "Counts words.",\n  "tools": [\n    { "name": "count", "description": "Counts the words of a text.", "command": "node count.js" }\n  ]\n}',
  },
  skills: {
    path: '.svc/skills/release/SKILL.md',
    language: 'markdown',
    text: '---\nname: Release\ndescription: How this project is released\n---\n1. Run the tests.\n2. Write the changelog.',
  },
};

/** Rows, or why the project's file cannot be read. */
interface Declared<Row> {
  rows: readonly Row[] | null;
  problem: string | null;
}

interface SectionProps<Row> {
  kind: Kind;
  /** Adds one. */
  add?: { label: string; isOpen: boolean; toggle: () => void } | undefined;
  /** Below the head: the form of a new one. */
  form?: ReactNode;
  declared: Declared<Row>;
  row: (row: Row) => ReactNode;
  more?: ReactNode;
}

/** Extensions of one kind: what they are, the rows, and an example where there are none. */
export function Section<Row extends { id: string }>({ kind, declared, row, more, add, form }: SectionProps<Row>) {
  const { say } = useWords();
  const id = useId();
  const Icon = ICONS[kind];
  const isEmpty = declared.rows?.length === 0 && !more;
  return (
    <section className="extension-section" aria-labelledby={id}>
      <div className="mcp-head">
        <h2 id={id}>
          <Icon size={16} aria-hidden /> {say(`extensions.${kind}`)}
          {declared.rows && declared.rows.length > 0 && <span className="count tabular">{declared.rows.length}</span>}
        </h2>
        {add && (
          <Button leftSection={<Plus size={14} aria-hidden />} aria-expanded={add.isOpen} onClick={add.toggle}>
            {add.label}
          </Button>
        )}
      </div>
      <p className="muted small">{say(`extensions.${kind}.why`)}</p>
      {form}
      {declared.problem !== null && (
        <div className="banner" role="alert">
          <p>{say('extensions.unreadable')}</p>
          <code>{declared.problem}</code>
        </div>
      )}
      {declared.rows && declared.rows.length > 0 && <ul className="extension-list">{declared.rows.map(row)}</ul>}
      {more}
      {isEmpty && <Example kind={kind} />}
    </section>
  );
}

function Example({ kind }: { kind: Kind }) {
  const { say } = useWords();
  const [isOpen, setIsOpen] = useState(false);
  const example = EXAMPLES[kind];
  return (
    <div className="extension-none">
      <p className="muted">
        {say(`extensions.${kind}.none`)}
        {example && (
          <>
            {' '}
            <button type="button" className="text-button" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
              {say('extensions.example')}
            </button>
          </>
        )}
      </p>
      {example && isOpen && (
        <>
          <p className="small">
            <code>{example.path}</code>
          </p>
          <Code code={example.text} language={example.language} />
        </>
      )}
    </div>
  );
}
