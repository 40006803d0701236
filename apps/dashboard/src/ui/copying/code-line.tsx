import classes from './code-line.module.css';
import { CopyButton } from './copy-button.tsx';

interface CodeLineProps {
  readonly code: string;
  /** The name of the copy button: "Copy install command". */
  readonly label: string;
  /** The shown text, if the code holds a secret that need not be on the screen. */
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
