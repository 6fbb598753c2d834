import { ApiError } from '@fucina/client';
import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { CircleAlert, CloudOff, RotateCw } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'react-router';
import { later } from '../ambient.ts';
import { useWords } from '../words/words.ts';
import { Ref } from './ref.tsx';

interface EmptyProps {
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  /** It is the only content: its title is the page's heading. */
  isPage?: boolean;
}

/** The empty state of a view. */
export function Empty(props: EmptyProps) {
  const Title = props.isPage ? 'h1' : 'p';
  return (
    <div className="empty">
      {props.icon && <div className="empty-icon">{props.icon}</div>}
      <Title className="empty-title">{props.title}</Title>
      {props.children && <div className="empty-text">{props.children}</div>}
      {props.action}
    </div>
  );
}

const PATIENCE_MS = 200;

/** A skeleton, shown after a noticeable delay. */
export function Loading({ lines = 4 }: { lines?: number }) {
  const { say } = useWords();
  const [isLong, setIsLong] = useState(false);
  useEffect(() => later(PATIENCE_MS, () => setIsLong(true)), []);
  if (!isLong) return null;
  return (
    <div className="loading" role="status" aria-label={say('state.loading')}>
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} className="loading-line" />
      ))}
    </div>
  );
}

/** An error: what happened, what to do, and a reference to copy. */
export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  const { say } = useWords();
  const body = error instanceof ApiError ? error.body : undefined;
  const isOffline = error instanceof ApiError && error.code === 'OFFLINE';
  // The code's own text is about an invalid name; here the name is missing.
  const isModelless = body?.reason === 'no-default-model';
  const Icon = isOffline ? CloudOff : CircleAlert;
  return (
    <div className="failure" role="alert">
      <Icon size={16} className="failure-icon" aria-hidden />
      <div className="failure-body">
        <p className="failure-title">
          {isModelless ? say('error.noModel') : (body?.title ?? say(isOffline ? 'error.offline' : 'error.unknown'))}
        </p>
        <p>
          {isModelless
            ? say('error.noModel.why')
            : (body?.explanation ?? say(isOffline ? 'error.offline.why' : 'error.unknown.why'))}
        </p>
        {body?.action && !isModelless && <p className="muted">{body.action}</p>}
        <div className="failure-foot">
          {retry && (
            <Button leftSection={<RotateCw size={14} aria-hidden />} onClick={retry}>
              {say('act.retry')}
            </Button>
          )}
          {body?.doctorReference && (
            <>
              <Ref value={body.doctorReference} label={say('error.reference')} />
              <Link to={`/settings/doctor?reference=${encodeURIComponent(body.doctorReference)}`}>
                {say('error.details')}
              </Link>
            </>
          )}
        </div>
      </div>
    </div>
  );
}

/** Renders the result of a query, its loading state or its error. */
export function Answer<Data>({
  query,
  lines,
  children,
}: {
  query: UseQueryResult<Data>;
  lines?: number;
  children: (data: Data) => ReactNode;
}) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.isError) return <Failure error={query.error} retry={() => void query.refetch()} />;
  return <Loading {...(lines === undefined ? {} : { lines })} />;
}
