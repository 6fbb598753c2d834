/** In display order. */
export const THEME_NAMES = [
  'calm',
  'forge',
  'terminal',
  'aurora',
  'ember',
  'atlas',
  'noir',
  'signal',
  'violet',
  'telemetry',
  'mono',
] as const;

export type ThemeName = (typeof THEME_NAMES)[number];
export type ThemeMode = 'light' | 'dark';

export const DEFAULT_THEME: ThemeName = 'forge';
