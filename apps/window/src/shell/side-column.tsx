import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { lazyPart } from '../parts/lazy-part.tsx';
import { ColumnResizer } from './column-resizer.tsx';
import { closeDrawer, type Side, useLayout, wideQuery } from './layout.ts';

const SideDrawer = lazyPart(async () => (await import('./side-drawer.tsx')).SideDrawer);

/** Whether a column is beside the main content, not a drawer over it. */
const useIsWide = (side: Side): boolean =>
  useMediaQuery(wideQuery(side), undefined, { getInitialValueInEffect: false });

/** Whether the column, or its drawer in a narrow window, is shown. */
export function useIsColumnShown(side: Side): boolean {
  const layout = useLayout();
  return useIsWide(side) ? !layout[side].isCollapsed : layout.drawer === side;
}

/** A column beside the main content, or a drawer over it in a narrow window. */
export function SideColumn({ side, label, children }: { side: Side; label: string; children: ReactNode }) {
  const { width } = useLayout()[side];
  const isWide = useIsWide(side);
  if (!useIsColumnShown(side)) return null;
  if (!isWide) {
    return (
      <SideDrawer side={side} label={label} close={closeDrawer}>
        {children}
      </SideDrawer>
    );
  }
  return (
    <aside className={`side side-${side}`} aria-label={label} style={{ width }}>
      <div className="side-content">{children}</div>
      <ColumnResizer side={side} label={label} width={width} />
    </aside>
  );
}
