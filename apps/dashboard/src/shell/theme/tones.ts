import type { StepType, Tone } from '@throughline/contract';

/**
 * The colours of one tone in one scheme. `text` has a contrast of at least 4.5:1 with every surface and with `soft`, the background of
 * badges. `fill` is for bars and marks: its contrast is at least 3:1 with every surface, and 4.5:1 with the text on it, `onFill`.
 */
export interface ToneColours {
  readonly text: string;
  readonly soft: string;
  readonly fill: string;
  readonly onFill: string;
}

type Scheme = 'light' | 'dark';

/** Colours of surfaces (page, card, hovered row, selection), of their borders and of their text. */
export const SURFACES = {
  light: {
    page: '#f8fafc',
    card: '#ffffff',
    hover: '#f1f5f9',
    line: '#e2e8f0',
    control: '#7c8aa0',
    text: '#0f172a',
    dim: '#526077',
    shade: '#e8edf3',
    chosen: '#e6e9fe',
    chosenText: '#3730a3',
  },
  dark: {
    page: '#0a101f',
    card: '#0f172a',
    hover: '#1a2438',
    line: '#27334a',
    control: '#66758c',
    text: '#e2e8f0',
    dim: '#9aa8bd',
    shade: '#1e293f',
    chosen: '#232b5e',
    chosenText: '#d3dbff',
  },
} as const satisfies Record<Scheme, Record<string, string>>;

export const TONES: Readonly<Record<Scheme, Readonly<Record<Tone, ToneColours>>>> = {
  light: {
    blue: { text: '#1d4ed8', soft: '#e3edff', fill: '#2563eb', onFill: '#ffffff' },
    green: { text: '#166534', soft: '#dff5e6', fill: '#008054', onFill: '#ffffff' },
    amber: { text: '#8a4b08', soft: '#fdf0cf', fill: '#b45309', onFill: '#ffffff' },
    red: { text: '#b91c1c', soft: '#fde6e6', fill: '#dc2626', onFill: '#ffffff' },
    darkRed: { text: '#7f1d1d', soft: '#f8d4d4', fill: '#991b1b', onFill: '#ffffff' },
    purple: { text: '#7e22ce', soft: '#f3e8ff', fill: '#9333ea', onFill: '#ffffff' },
    grey: { text: '#475569', soft: '#edf1f5', fill: '#64748b', onFill: '#ffffff' },
  },
  dark: {
    blue: { text: '#8ab8ff', soft: '#14284d', fill: '#3b82f6', onFill: '#071226' },
    green: { text: '#5fd38a', soft: '#0f2e22', fill: '#34c08e', onFill: '#04160c' },
    amber: { text: '#f5bd4f', soft: '#33270f', fill: '#d98a0b', onFill: '#1a1002' },
    red: { text: '#ff9a9a', soft: '#3a1a23', fill: '#ef4444', onFill: '#1c0505' },
    darkRed: { text: '#ff7d7d', soft: '#4a1019', fill: '#c42f3a', onFill: '#ffffff' },
    purple: { text: '#cfa3ff', soft: '#2c1a4a', fill: '#a855f7', onFill: '#14052a' },
    grey: { text: '#a9b6c9', soft: '#1f2a3f', fill: '#7c8aa0', onFill: '#0b1222' },
  },
};

/** The colour of a step type, for text and marks next to its icon. Its contrast with every surface is at least 4.5:1. */
export const STEP_HUES: Readonly<Record<Scheme, Readonly<Record<StepType, string>>>> = {
  light: {
    function: '#475569',
    middleware: '#5f6570',
    handler: '#4338ca',
    database: '#0f6b64',
    http: '#0369a1',
    cache: '#456a0c',
    queue: '#b03a0b',
    log: '#616d80',
    custom: '#86198f',
  },
  dark: {
    function: '#b6c2d4',
    middleware: '#a3a9b4',
    handler: '#a5b0ff',
    database: '#4fd1c0',
    http: '#6cc4f5',
    cache: '#a8d957',
    queue: '#ff9f68',
    log: '#94a1b5',
    custom: '#e79bf0',
  },
};

type ToneUse = keyof ToneColours;

/** Returns the CSS value of a tone: `formatToneColour('green')` for text, `formatToneColour('green', 'fill')` for a bar. */
export function formatToneColour(tone: Tone, use: ToneUse = 'text'): string {
  return `var(--tone-${tone}-${use})`;
}

export function stepHue(type: StepType): string {
  return `var(--step-${type})`;
}

/** Returns every colour token of a scheme as CSS variables: `--surface-*`, `--tone-*-*`, `--step-*`. */
export function colourVariables(scheme: Scheme): Record<`--${string}`, string> {
  const variables: Record<`--${string}`, string> = {};
  for (const [name, colour] of Object.entries(SURFACES[scheme])) variables[`--surface-${name}`] = colour;
  for (const [tone, colours] of Object.entries(TONES[scheme])) {
    for (const [use, colour] of Object.entries(colours)) variables[`--tone-${tone}-${use}`] = colour;
  }
  for (const [type, colour] of Object.entries(STEP_HUES[scheme])) variables[`--step-${type}`] = colour;
  return variables;
}
