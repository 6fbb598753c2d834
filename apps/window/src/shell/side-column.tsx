import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode } from 'react';
import { lazyPart } from '../parts/lazy-part.tsx';

const SideDrawer = lazyPart(async () => (await import('./side-drawer.tsx')).SideDrawer);

interface SidesProps {
  side: 'left' | 'right';
  label: string;
  /** Minimum window width for a column beside the main content; below, it is a drawer. */
  wideFrom: number;
  isOpen: boolean;
  close: () => void;
  children: ReactNode;
}

/** A column beside the main content, or a drawer over it in a narrow window. */
export function SideColumn(props: SidesProps) {
  const isWide = useMediaQuery(`(min-width: ${props.wideFrom}px)`, undefined, { getInitialValueInEffect: false });
  if (isWide) {
    return (
      <aside className={`side side-${props.side}`} aria-label={props.label}>
        {props.children}
      </aside>
    );
  }
  if (!props.isOpen) return null;
  return (
    <SideDrawer side={props.side} label={props.label} close={props.close}>
      {props.children}
    </SideDrawer>
  );
}
