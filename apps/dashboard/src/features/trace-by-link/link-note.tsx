import { IconLink } from '@tabler/icons-react';
import type { SharedLink } from '@throughline/contract';
import { EndTime } from '../share-links/end-time.tsx';

/** Says that the page was opened by a link, which values it shows, and until when. */
export function SharedNote({ link: { values, expiresAt } }: { readonly link: SharedLink }) {
  return (
    <>
      <IconLink size={16} aria-hidden />
      <span>
        Shared trace · values {values} · link ends <EndTime at={expiresAt} />
      </span>
    </>
  );
}
