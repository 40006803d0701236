import type { ErrorState, Tone } from '@throughline/contract';
import { StateTag } from '../../ui/layout/badges.tsx';

const LOOKS: Readonly<Record<ErrorState, { readonly label: string; readonly tone: Tone }>> = {
  new: { label: 'New', tone: 'red' },
  ongoing: { label: 'Ongoing', tone: 'grey' },
  reopened: { label: 'Reopened', tone: 'red' },
  resolved: { label: 'Resolved', tone: 'green' },
  ignored: { label: 'Ignored', tone: 'grey' },
};

/** Badge with an error's state. */
export function StateBadge({ state }: { readonly state: ErrorState }) {
  const { label, tone } = LOOKS[state];
  return <StateTag tone={tone} label={label} />;
}
