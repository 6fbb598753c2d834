import { useQuery } from '@tanstack/react-query';
import { Answer } from '../../parts/states.tsx';
import { type McpPlace, type McpServer, mcpLogQuery } from '../../wire/mcp-servers.ts';
import { useWords } from '../../words/words.ts';

/** What a server did and wrote, newest at the end. */
export function ServerLog({ place, row }: { place: McpPlace; row: McpServer }) {
  const { say, time } = useWords();
  const query = useQuery(mcpLogQuery(place, row));
  return (
    <Answer query={query} lines={3}>
      {(lines) =>
        lines.length === 0 ? (
          <p className="small muted">{say('mcp.log.none')}</p>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
          <section className="mcp-log" tabIndex={0} aria-label={say('mcp.log.of', { name: row.name })}>
            {lines.map((line, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines only follow each other
              <div key={at} data-kind={line.kind}>
                <span className="muted tabular">{time(line.at)}</span> {line.text}
              </div>
            ))}
          </section>
        )
      }
    </Answer>
  );
}
