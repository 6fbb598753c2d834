import { DEFAULT_THEME, THEME_NAMES, type ThemeMode, type ThemeName } from '@fucina/shared/theme-names';
import { useSyncExternalStore } from 'react';
import { readStored, writeStored } from '../ambient.ts';

export const SCHEMES = ['auto', 'light', 'dark'] as const;
export type Scheme = (typeof SCHEMES)[number];

export interface Appearance {
  theme: ThemeName;
  scheme: Scheme;
  /** What `scheme` comes to now. */
  mode: ThemeMode;
}

const isTheme = (value: unknown): value is ThemeName => THEME_NAMES.includes(value as ThemeName);
const isScheme = (value: unknown): value is Scheme => SCHEMES.includes(value as Scheme);

const listeners = new Set<() => void>();
const prefersDark = matchMedia('(prefers-color-scheme: dark)');
let appearance: Appearance = { theme: DEFAULT_THEME, scheme: 'auto', mode: 'dark' };

/** The colours of each theme and mode are in a style sheet that the build makes of the themes. */
function apply(theme: ThemeName, scheme: Scheme): void {
  const mode = scheme === 'auto' ? (prefersDark.matches ? 'dark' : 'light') : scheme;
  appearance = { theme, scheme, mode };
  const root = document.documentElement;
  root.style.colorScheme = mode;
  root.dataset.theme = theme;
  root.dataset.mode = mode;
  for (const listener of listeners) listener();
}

export function startAppearance(): void {
  apply(readStored('theme', isTheme) ?? DEFAULT_THEME, readStored('scheme', isScheme) ?? 'auto');
  prefersDark.addEventListener('change', () => apply(appearance.theme, appearance.scheme));
}

export function setTheme(theme: ThemeName): void {
  writeStored('theme', theme);
  apply(theme, appearance.scheme);
}

export function setScheme(scheme: Scheme): void {
  writeStored('scheme', scheme);
  apply(appearance.theme, scheme);
}

export function useAppearance(): Appearance {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => appearance,
  );
}
