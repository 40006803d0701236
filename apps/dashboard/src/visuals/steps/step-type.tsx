import {
  IconArrowsExchange,
  IconBolt,
  IconCube,
  IconDatabase,
  IconFileText,
  IconFilter,
  IconFunction,
  IconRoute,
  IconStack2,
} from '@tabler/icons-react';
import type { StepType } from '@throughline/contract';
import { stepHue } from '../../shell/theme/tones.ts';

const ICONS = {
  middleware: IconFilter,
  handler: IconRoute,
  function: IconFunction,
  database: IconDatabase,
  http: IconArrowsExchange,
  cache: IconBolt,
  queue: IconStack2,
  log: IconFileText,
  custom: IconCube,
} as const satisfies Record<StepType, unknown>;

/** Shows a step's type as a coloured icon. Always used next to the type's name or the step's name. */
export function StepTypeIcon({ type, size = 14 }: { readonly type: StepType; readonly size?: number }) {
  const Icon = ICONS[type];
  return <Icon size={size} aria-hidden style={{ color: stepHue(type), flex: 'none' }} />;
}

/** The type's label next to a step's name; plain functions, the most common type, have no label. */
export const STEP_TYPE_WORDS: Readonly<Record<StepType, string>> = {
  middleware: 'mw',
  handler: 'handler',
  function: '',
  database: 'db',
  http: 'http',
  cache: 'cache',
  queue: 'queue',
  log: 'log',
  custom: 'custom',
};
