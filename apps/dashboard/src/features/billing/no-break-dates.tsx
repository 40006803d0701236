import { Fragment } from 'react';
import classes from './billing.module.css';
import { splitAtDays } from './plan/subscription-texts.ts';

/** Renders a string so that no date is broken over two lines. */
export function NoBreakDates({ children }: { readonly children: string }) {
  return splitAtDays(children).map((piece, index) =>
    index % 2 === 0 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one string keep their order
      <Fragment key={index}>{piece}</Fragment>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <span key={index} className={classes.whole}>
        {piece}
      </span>
    ),
  );
}
