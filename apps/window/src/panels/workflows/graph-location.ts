import { useSearchParams } from 'react-router';

export const VIEWS = ['steps', 'graph', 'history'] as const;
export type View = (typeof VIEWS)[number];

export interface GraphLocation {
  /** Undefined: chosen automatically. */
  view: View | undefined;
  /** The selected step. */
  step: string | undefined;
  show(view: View): void;
  open(step: string | undefined): void;
}

/** The current view of a plan or a run, in the address so that back and links work. */
export function useGraphLocation(): GraphLocation {
  const [search, setSearch] = useSearchParams();
  const asked = search.get('view');
  const set = (name: string, value: string | undefined): void =>
    setSearch(
      (was) => {
        const next = new URLSearchParams(was);
        if (value === undefined) next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  return {
    view: VIEWS.find((view) => view === asked),
    step: search.get('step') ?? undefined,
    show: (view) => set('view', view),
    open: (step) => set('step', step),
  };
}
