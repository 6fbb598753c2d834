import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

const ramp = (...names: string[]) => names.map((name) => `var(--${name})`) as unknown as MantineColorsTuple;

const accent = ramp(...Array<string>(10).fill('accent'));
const danger = ramp(...Array<string>(10).fill('danger'));

/** The library's greys, lightest first, mapped to our tokens. */
const gray = ramp('surface', 'raised', 'raised', 'line', 'line', 'muted', 'muted', 'muted', 'text', 'text');
const dark = ramp('text', 'text', 'muted', 'muted', 'line', 'raised', 'surface', 'background', 'surface', 'background');

const PLAIN = { background: 'transparent', hover: 'var(--raised)', border: '1px solid transparent' };

function variant(name: string | undefined, color: string | undefined) {
  const ink = color === 'danger' ? 'var(--danger)' : color === 'accent' ? 'var(--accent)' : 'var(--text)';
  if (name === 'filled') {
    const background = color === 'danger' ? 'var(--danger)' : 'var(--accent)';
    const text = color === 'danger' ? 'var(--background)' : 'var(--accent-text)';
    const hover = `color-mix(in srgb, ${background} 88%, var(--text))`;
    return { background, hover, hoverColor: text, color: text, border: '1px solid transparent' };
  }
  if (name === 'subtle' || name === 'transparent') return { ...PLAIN, color: ink };
  // The library sets its first color by default: plain buttons stay plain.
  const text = color === 'danger' ? ink : 'var(--text)';
  return { background: 'var(--surface)', hover: 'var(--raised)', color: text, border: '1px solid var(--line)' };
}

export const mantineTheme = createTheme({
  colors: { accent, danger, gray, dark },
  primaryColor: 'accent',
  primaryShade: 6,
  white: 'var(--background)',
  black: 'var(--text)',
  defaultRadius: 6,
  fontFamily: 'var(--font-words)',
  fontFamilyMonospace: 'var(--font-code)',
  fontSizes: {
    xs: 'var(--size-small)',
    sm: 'var(--size-label)',
    md: 'var(--size-body)',
    lg: 'var(--size-large)',
    xl: 'var(--size-title)',
  },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  variantColorResolver: ({ variant: name, color }) => variant(name, color),
  components: {
    Button: { defaultProps: { size: 'xs', variant: 'default' } },
    ActionIcon: { defaultProps: { size: 28, variant: 'subtle', color: 'gray' } },
    TextInput: { defaultProps: { size: 'sm' } },
    PasswordInput: { defaultProps: { size: 'sm' } },
    NumberInput: { defaultProps: { size: 'sm' } },
    Textarea: { defaultProps: { size: 'sm' } },
    Select: { defaultProps: { size: 'sm' } },
    SegmentedControl: { defaultProps: { size: 'xs' } },
    Modal: { defaultProps: { transitionProps: { duration: 120, transition: 'fade' }, centered: true } },
    Drawer: { defaultProps: { transitionProps: { duration: 120 } } },
    Menu: { defaultProps: { transitionProps: { duration: 80, transition: 'fade' }, shadow: 'md' } },
  },
});

const shared = {
  '--mantine-color-body': 'var(--background)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-bright': 'var(--text)',
  '--mantine-color-dimmed': 'var(--muted)',
  '--mantine-color-placeholder': 'var(--muted)',
  '--mantine-color-anchor': 'var(--accent)',
  '--mantine-color-error': 'var(--danger)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--raised)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-default-border': 'var(--line)',
  '--mantine-color-disabled': 'var(--raised)',
  '--mantine-color-disabled-color': 'var(--muted)',
  '--mantine-color-disabled-border': 'var(--line)',
  '--mantine-primary-color-contrast': 'var(--accent-text)',
  '--mantine-primary-color-filled': 'var(--accent)',
};

export const mantineVariables: CSSVariablesResolver = () => ({ variables: shared, light: shared, dark: shared });
