import type { LucideIcon } from 'lucide-react';

/** A command of the palette. */
export interface Action {
  id: string;
  icon: LucideIcon;
  name: string;
  act: () => void;
}
