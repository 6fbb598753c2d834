import type { Token, Tokens } from 'marked';
import { Fragment, memo, type ReactNode, useRef } from 'react';
import { withWords } from '../words/words.ts';
import { type Blocks, growBlocks, NO_BLOCKS } from './blocks.ts';
import { Code } from './code.tsx';
import { FileLink } from './file-link.tsx';
import { isFile } from './file-reference.ts';
import { lazyPart, Waiting } from './lazy-part.tsx';
import { isMath, type MathToken } from './math/math-tokens.ts';
import { OutsideLink } from './outside-link.tsx';

const Formula = lazyPart(async () => (await import('./math/formula.tsx')).Formula, { isQuiet: true });
const Diagram = lazyPart(async () => (await withWords(import('./diagram/diagram.tsx'))).Diagram, { isQuiet: true });

/** Its source until the typesetter is loaded. */
function formula({ text, isBlock }: MathToken): ReactNode {
  return (
    <Waiting fallback={<code>{text}</code>}>
      <Formula text={text} isBlock={isBlock} />
    </Waiting>
  );
}

function inline(tokens: readonly Token[] | undefined): ReactNode {
  return tokens?.map((token, at) => <Fragment key={at}>{piece(token)}</Fragment>);
}

function piece(token: Token): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong>{inline(token.tokens)}</strong>;
    case 'em':
      return <em>{inline(token.tokens)}</em>;
    case 'del':
      return <del>{inline(token.tokens)}</del>;
    case 'codespan':
      return isFile(token.text) ? (
        <FileLink text={token.text}>
          <code>{token.text}</code>
        </FileLink>
      ) : (
        <code>{token.text}</code>
      );
    case 'br':
      return <br />;
    case 'link':
      return <OutsideLink address={token.href}>{inline(token.tokens)}</OutsideLink>;
    case 'image':
      // Not loaded: an external image would reveal that the answer was read.
      return <OutsideLink address={token.href}>{token.text || token.href}</OutsideLink>;
    case 'checkbox':
      return <Checked isChecked={(token as { checked?: boolean }).checked === true} />;
    case 'escape':
      return token.text;
    case 'text':
      return token.tokens ? inline(token.tokens) : unescaped(token as Tokens.Text);
    default:
      // HTML, among others: shown as source.
      return isMath(token) ? formula(token) : token.raw;
  }
}

/** Decodes the entities that the lexer leaves. */
function unescaped({ text }: Tokens.Text): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

function Checked({ isChecked }: { isChecked: boolean }) {
  return <input type="checkbox" checked={isChecked} disabled readOnly aria-label={isChecked ? '✓' : '–'} />;
}

const HEADINGS = ['h2', 'h3', 'h4', 'h5', 'h6'] as const;
type Heading = (typeof HEADINGS)[number];

/** Heading level of each block, so that levels on the page increase one at a time. */
function headingsOf(tokens: readonly Token[]): (Heading | undefined)[] {
  const depths = tokens.map((token) => (token.type === 'heading' ? (token.depth as number) : undefined));
  const top = Math.min(...depths.filter((depth) => depth !== undefined));
  let level = -1;
  return depths.map((depth) => {
    if (depth === undefined) return undefined;
    level = Math.min(depth - top, level + 1, HEADINGS.length - 1);
    return HEADINGS[level];
  });
}

/** An item of a streaming list is redrawn only when its text changed. */
const ListItem = memo(
  ({ item }: { item: Tokens.ListItem }) => (
    <li className={item.task ? 'task' : undefined}>
      {item.task && !item.tokens.some((inner) => inner.type === 'checkbox') && (
        <Checked isChecked={item.checked === true} />
      )}
      {item.tokens.map((inner, place) => (
        <Fragment key={place}>
          {inner.type === 'text' || inner.type === 'checkbox' ? piece(inner) : block(inner, false)}
        </Fragment>
      ))}
    </li>
  ),
  (one, other) => one.item.raw === other.item.raw && one.item.loose === other.item.loose,
);
ListItem.displayName = 'ListItem';

function list(token: Tokens.List): ReactNode {
  const items = token.items.map((item, at) => <ListItem key={at} item={item} />);
  return token.ordered ? <ol start={token.start === '' ? 1 : token.start}>{items}</ol> : <ul>{items}</ul>;
}

function table(token: Tokens.Table): ReactNode {
  const cell = (at: number) => ({ textAlign: token.align[at] ?? undefined });
  return (
    <div className="table-scroll" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {token.header.map((head, at) => {
              // The empty corner of a table is not a heading.
              const Cell = head.text ? 'th' : 'td';
              return (
                <Cell key={at} style={cell(at)}>
                  {inline(head.tokens)}
                </Cell>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, place) => (
            <tr key={place}>
              {row.map((data, at) => (
                <td key={at} style={cell(at)}>
                  {inline(data.tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function block(token: Token, isOpen: boolean, Heading: Heading = 'h6'): ReactNode {
  switch (token.type) {
    case 'heading':
      return <Heading>{inline(token.tokens)}</Heading>;
    case 'paragraph':
      return <p>{inline(token.tokens)}</p>;
    case 'code':
      return code(token as Tokens.Code, isOpen);
    case 'list':
      return list(token as Tokens.List);
    case 'table':
      return table(token as Tokens.Table);
    case 'blockquote':
      return (
        <blockquote>
          {token.tokens?.map((inner, at) => (
            <Fragment key={at}>{block(inner, false)}</Fragment>
          ))}
        </blockquote>
      );
    case 'hr':
      return <hr />;
    case 'space':
    case 'def':
      return null;
    case 'text':
      return <p>{piece(token)}</p>;
    default:
      return isMath(token) ? <p>{formula(token)}</p> : <p className="raw">{token.raw}</p>;
  }
}

function code({ text, lang }: Tokens.Code, isOpen: boolean): ReactNode {
  const language = lang?.split(/\s/)[0] ?? '';
  const source = <Code code={text} language={language} isOpen={isOpen} />;
  // Half a diagram is an error.
  if (language !== 'mermaid' || isOpen) return source;
  return (
    <Waiting fallback={source}>
      <Diagram code={text} />
    </Waiting>
  );
}

const Block = memo(
  ({ token, isOpen, heading }: { token: Token; isOpen: boolean; heading: Heading | undefined }) =>
    block(token, isOpen, heading),
  (one, other) =>
    one.token.raw === other.token.raw &&
    one.token.type === other.token.type &&
    one.isOpen === other.isOpen &&
    one.heading === other.heading,
);
Block.displayName = 'Block';

/** Renders Markdown as elements, never as HTML text. `isOpen`: still streaming. */
export const Markdown = memo(function Markdown({ text, isOpen = false }: { text: string; isOpen?: boolean }) {
  const blocks = useRef<Blocks>(NO_BLOCKS);
  blocks.current = growBlocks(blocks.current, text, isOpen);
  const { tokens } = blocks.current;
  const headings = headingsOf(tokens);
  return (
    <div className="prose">
      {tokens.map((token, at) => (
        <Block key={at} token={token} heading={headings[at]} isOpen={isOpen && at === tokens.length - 1} />
      ))}
    </div>
  );
});
