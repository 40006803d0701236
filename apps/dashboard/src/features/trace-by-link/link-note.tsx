import { IconLink } from '@tabler/icons-react';
import type { SharedLink } from '@throughline/contract';
import { EndTime } from '../../ui/time/end-time.tsx';

/** Notice that the trace is shared by a link, with the visible values and the link's expiry time. */
export function SharedNote({ link: { values, expiresAt } }: { readonly link: SharedLink }) {
  return (
    <>
      <IconLink size={16} aria-hidden />
      <span>
        Shared trace · values {values} · link expires <EndTime at={expiresAt} />
      </span>
    </>
  );
}
