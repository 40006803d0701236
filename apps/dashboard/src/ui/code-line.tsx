import classes from './code-line.module.css';
import { CopyButton } from './copy-button.tsx';

interface CodeLineProps {
  readonly code: string;
  /** What it is, as the copy button's name: "Copy install command". */
  readonly label: string;
  /** What is seen instead of the code, where it holds a secret that need not be on the screen. */
  readonly shown?: string;
}

/** Lines to paste, with a button that copies them. */
export function CodeLine({ code, label, shown = code }: CodeLineProps) {
  return (
    <div className={classes.root}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className={classes.code} tabIndex={0}>
        <code>{shown}</code>
      </pre>
      <div className={classes.copy}>
        <CopyButton value={code} label={label} />
      </div>
    </div>
  );
}
