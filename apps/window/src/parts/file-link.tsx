import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { filePage, parseFileReference } from './file-reference.ts';

interface FileLinkProps {
  /** As written, possibly with a line number. */
  text: string;
  line?: number | undefined;
  children: ReactNode;
}

/** Opens a file of the session's folder, at the line; plain text without a session or for an invalid path. */
export function FileLink({ text, line, children }: FileLinkProps) {
  const { sessionId } = useParams();
  const spot = parseFileReference(text);
  if (!sessionId || !spot) return <>{children}</>;
  return <Link to={filePage(sessionId, { path: spot.path, line: line ?? spot.line })}>{children}</Link>;
}
