import {
  type CSSVariablesResolver,
  createTheme,
  localStorageColorSchemeManager,
  type MantineColorsTuple,
} from '@mantine/core';
import { colourVariables } from './tones.ts';

const indigo: MantineColorsTuple = [
  '#eef2ff',
  '#e0e7ff',
  '#c7d2fe',
  '#a5b4fc',
  '#818cf8',
  '#6366f1',
  '#4f46e5',
  '#4338ca',
  '#3730a3',
  '#312e81',
];

/** The colour of dangerous actions. White text is readable on its sixth shade. */
const red: MantineColorsTuple = [
  '#fef2f2',
  '#fee2e2',
  '#fecaca',
  '#fca5a5',
  '#f87171',
  '#ef4444',
  '#dc2626',
  '#b91c1c',
  '#991b1b',
  '#7f1d1d',
];

/** Slate, light to dark: Mantine's neutral colours in the light scheme. */
const gray: MantineColorsTuple = [
  '#f8fafc',
  '#f1f5f9',
  '#e2e8f0',
  '#d5dde7',
  '#cbd5e1',
  '#94a3b8',
  '#526077',
  '#334155',
  '#1e293b',
  '#0f172a',
];

/** Slate, from text to background: Mantine's neutral colours in the dark scheme. */
const dark: MantineColorsTuple = [
  '#e2e8f0',
  '#cbd5e1',
  '#9aa8bd',
  '#7c8aa0',
  '#27334a',
  '#1e293f',
  '#1a2438',
  '#0f172a',
  '#0a101f',
  '#060a14',
];

/** Longest duration of an animation, in milliseconds. Animations are short, since they only show where an element went. */
const MOTION_MS = 120;
const transitionProps = { duration: MOTION_MS };

export const theme = createTheme({
  colors: { indigo, red, gray, dark },
  primaryColor: 'indigo',
  primaryShade: { light: 6, dark: 6 },
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "'JetBrains Mono Variable', ui-monospace, monospace",
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '18px', xl: '24px' },
  lineHeights: { xs: '16px', sm: '20px', md: '20px', lg: '24px', xl: '32px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  radius: { xs: '2px', sm: '4px', md: '6px', lg: '8px', xl: '12px' },
  defaultRadius: 'md',
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '24px', lineHeight: '32px' },
      h2: { fontSize: '18px', lineHeight: '24px' },
      h3: { fontSize: '14px', lineHeight: '20px' },
    },
  },
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Modal: {
      defaultProps: {
        transitionProps,
        overlayProps: { backgroundOpacity: 0.45 },
        closeButtonProps: { 'aria-label': 'Close' },
      },
    },
    // Replaces Mantine's own styles, whose text is 9 to 11 px high and in capitals.
    Badge: { defaultProps: { tt: 'none' }, vars: () => ({ root: { '--badge-fz': '12px' } }) },
    Kbd: { vars: () => ({ root: { '--kbd-fz': '11px' } }) },
    Notification: {
      defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } },
      // A message can contain a long email address or name.
      styles: { description: { overflowWrap: 'anywhere' } },
    },
    Drawer: { defaultProps: { transitionProps, closeButtonProps: { 'aria-label': 'Close' } } },
    // Omits Mantine's placeholder: the placeholder is not a menu item, but screen readers announce it as an empty item.
    Menu: { defaultProps: { transitionProps, withInitialFocusPlaceholder: false } },
    Tooltip: {
      defaultProps: { transitionProps, openDelay: 300, events: { hover: true, focus: true, touch: false } },
    },
    Select: { defaultProps: { comboboxProps: { transitionProps }, allowDeselect: false } },
  },
});

/** Mantine's colours in both schemes, derived from the product's colours. */
const OURS = {
  '--mantine-color-text': 'var(--surface-text)',
  '--mantine-color-dimmed': 'var(--surface-dim)',
  '--mantine-color-placeholder': 'var(--surface-dim)',
  '--mantine-color-error': 'var(--tone-red-text)',
  '--mantine-color-default-border': 'var(--surface-line)',
  '--mantine-color-indigo-light': 'var(--surface-chosen)',
  '--mantine-color-indigo-light-color': 'var(--surface-chosenText)',
};

export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: { ...colourVariables('light'), ...OURS },
  dark: { ...colourVariables('dark'), ...OURS },
});

/** Stores the choice of light, dark or the system's scheme. public/colour-scheme.js reads the same key before the first paint. */
export const colorSchemeManager = localStorageColorSchemeManager({ key: 'colour_scheme' });
