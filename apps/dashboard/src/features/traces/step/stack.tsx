import { escapeControlCharactersInLines } from '@throughline/contract/captured';
import classes from './step-details.module.css';

/** A stack trace, folded. */
export function Stack({ text }: { readonly text: string }) {
  return (
    <details className={classes.stack}>
      <summary>Stack</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>{escapeControlCharactersInLines(text)}</pre>
    </details>
  );
}
