import { useMemo } from 'react';
import { useSearchParams } from 'react-router';

/** The current file, from the address. */
export interface FilePlace {
  path: string | undefined;
  line: number | undefined;
  isSource: boolean;
  /** Another file adds a history entry; `isReplaced`: replaces the current one. */
  show(path: string | undefined, more?: { line?: number; isReplaced?: boolean }): void;
  setLine(line: number): void;
  setSource(isSource: boolean): void;
}

export function useFilePlace(): FilePlace {
  const [search, setSearch] = useSearchParams();
  return useMemo(() => {
    const path = search.get('file') ?? undefined;
    const line = Number(search.get('line')) || undefined;
    const put = (values: Record<string, string | undefined>, replace: boolean) => {
      const next = new URLSearchParams();
      for (const [name, value] of Object.entries(values)) if (value !== undefined) next.set(name, value);
      setSearch(next, { replace });
    };
    const source = search.get('view') === 'source' ? 'source' : undefined;
    return {
      path,
      line,
      isSource: source !== undefined,
      show: (file, { line: at, isReplaced = false } = {}) => put({ file, line: at?.toString() }, isReplaced),
      setLine: (at) => put({ file: path, line: String(at), view: source }, true),
      setSource: (isSource) => put({ file: path, view: isSource ? 'source' : undefined }, true),
    };
  }, [search, setSearch]);
}
