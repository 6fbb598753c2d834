import '../styles/forms.css';
import '../styles/settings.css';
import { ApiError, OFFLINE, PREFIX } from '@fucina/client';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Fold } from '../parts/box.tsx';
import { Answer } from '../parts/states.tsx';
import { matches } from '../shell/pick-list.tsx';
import { useWords } from '../words/words.ts';

interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  description?: string;
}

interface Operation {
  tags?: string[];
  summary?: string;
  description?: string;
  parameters?: { name: string; in: string; required?: boolean; schema?: Schema; description?: string }[];
  requestBody?: { content?: Record<string, { schema?: Schema }> };
  responses?: Record<string, { description?: string; content?: Record<string, { schema?: Schema }> }>;
  'x-errors'?: string[];
}

interface Description {
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema> };
}

interface Listed {
  method: string;
  path: string;
  operation: Operation;
}

const METHODS = ['get', 'post', 'patch', 'put', 'delete'];
const DEEPEST = 5;

async function readDescription(): Promise<Description> {
  const response = await fetch('/openapi.json').catch((cause: unknown) => {
    throw new ApiError(OFFLINE, { status: 0, cause });
  });
  if (!response.ok) throw new ApiError(OFFLINE, { status: response.status });
  return (await response.json()) as Description;
}

function byTag(description: Description, search: string): [string, Listed[]][] {
  const tags = new Map<string, Listed[]>();
  for (const [path, operations] of Object.entries(description.paths)) {
    for (const method of METHODS) {
      const operation = operations[method];
      if (!operation || !matches(`${method} ${path.replace(PREFIX, '')} ${operation.summary ?? ''}`, search)) continue;
      const tag = operation.tags?.[0] ?? '';
      const listed = tags.get(tag) ?? [];
      listed.push({ method, path, operation });
      tags.set(tag, listed);
    }
  }
  return [...tags];
}

function named(schema: Schema): string {
  if (schema.$ref) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return options.map(named).join(' | ');
  if (schema.type === 'array') return `${schema.items ? named(schema.items) : ''}[]`;
  const type = Array.isArray(schema.type) ? schema.type.join(' | ') : (schema.type ?? 'object');
  return schema.format ? `${type} (${schema.format})` : type;
}

/** The fields of a schema, with references resolved a few levels deep. */
function Shape({ schema, all, depth = 0 }: { schema: Schema; all: Record<string, Schema>; depth?: number }) {
  const { say } = useWords();
  const target = schema.$ref ? all[named(schema)] : schema.type === 'array' ? schema.items : schema;
  const whole = target?.$ref ? all[named(target)] : target;
  if (!whole?.properties || depth > DEEPEST) return depth === 0 ? <p>{named(schema)}</p> : null;
  return (
    <ul className="shape">
      {Object.entries(whole.properties).map(([name, field]) => (
        <li key={name} className="shape-row">
          <code>{name}</code> <span className="muted">{named(field)}</span>
          {whole.required?.includes(name) && depth === 0 && (
            <span className="small muted"> · {say('api.required')}</span>
          )}
          {field.description && <span className="muted"> — {field.description}</span>}
          <Shape schema={field} all={all} depth={depth + 1} />
        </li>
      ))}
    </ul>
  );
}

const bodyOf = (content: Record<string, { schema?: Schema }> | undefined) => Object.values(content ?? {})[0]?.schema;

function Details({ operation, all }: { operation: Operation; all: Record<string, Schema> }) {
  const { say } = useWords();
  const body = bodyOf(operation.requestBody?.content);
  const success = Object.entries(operation.responses ?? {}).find(([status]) => status.startsWith('2'));
  const answer = bodyOf(success?.[1].content);
  const failures = Object.entries(operation.responses ?? {}).filter(([status]) => !status.startsWith('2'));
  return (
    <div className="operation-body">
      {operation.description && <p>{operation.description}</p>}
      {operation.parameters && operation.parameters.length > 0 && (
        <div>
          <h3>{say('api.parameters')}</h3>
          <ul className="shape">
            {operation.parameters.map((parameter) => (
              <li key={`${parameter.in} ${parameter.name}`} className="shape-row">
                <code>{parameter.name}</code>{' '}
                <span className="muted">
                  {parameter.in}
                  {parameter.schema && `, ${named(parameter.schema)}`}
                </span>
                {parameter.required && <span className="small muted"> · {say('api.required')}</span>}
                {parameter.description && <span className="muted"> — {parameter.description}</span>}
              </li>
            ))}
          </ul>
        </div>
      )}
      {body && (
        <div>
          <h3>{say('api.body')}</h3>
          <Shape schema={body} all={all} />
        </div>
      )}
      {success && (
        <div>
          <h3>
            {say('api.answer')} {success[0]}
          </h3>
          {answer ? <Shape schema={answer} all={all} /> : <p className="muted">{success[1].description}</p>}
        </div>
      )}
      {(failures.length > 0 || operation['x-errors']) && (
        <div>
          <h3>{say('api.errors')}</h3>
          {operation['x-errors'] && <p>{operation['x-errors'].join(', ')}</p>}
          <ul className="shape">
            {failures.map(([status, response]) => (
              <li key={status} className="shape-row">
                <code>{status}</code> <span className="muted">{response.description}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

function Operations({ description }: { description: Description }) {
  const { say } = useWords();
  const [search, setSearch] = useState('');
  const tags = useMemo(() => byTag(description, search), [description, search]);
  const count = tags.reduce((sum, [, listed]) => sum + listed.length, 0);
  const all = description.components?.schemas ?? {};
  return (
    <>
      <input
        className="input"
        type="search"
        aria-label={say('api.search')}
        placeholder={say('api.search')}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <p className="muted small tabular" role="status">
        {count === 0 ? say('api.none') : say('api.count', { count })}
      </p>
      {tags.map(([tag, listed]) => (
        <section key={tag}>
          <h2 className="group-title">{tag}</h2>
          {listed.map(({ method, path, operation }) => (
            <Fold
              key={`${method} ${path}`}
              className="operation"
              head={
                <>
                  <span className="method" data-method={method}>
                    {method.toUpperCase()}
                  </span>
                  <span className="operation-path">{path.replace(PREFIX, '')}</span>
                  <span className="small muted operation-summary">{operation.summary}</span>
                </>
              }
            >
              {() => <Details operation={operation} all={all} />}
            </Fold>
          ))}
        </section>
      ))}
    </>
  );
}

/** The API reference as a page. */
export function ApiDocsPage() {
  const { say } = useWords();
  const query = useQuery({ queryKey: ['openapi'], queryFn: readDescription, staleTime: Number.POSITIVE_INFINITY });
  return (
    <main className="stage stage-page">
      <div className="page">
        <h1>{say('api.title')}</h1>
        <p className="muted">{say('api.intro')}</p>
        <Answer query={query} lines={10}>
          {(description) => <Operations description={description} />}
        </Answer>
      </div>
    </main>
  );
}
