import classes from './code-line.module.css';
import { CopyButton } from './copy-button.tsx';

interface CodeLineProps {
  readonly code: string;
  /** Accessible name of the copy button, such as "Copy install command". */
  readonly label: string;
  /** The shown code, if the copied code contains a secret that should not be on the screen. */
  readonly shown?: string;
}

/** Lines of code with a copy button. */
export function CodeLine({ code, label, shown = code }: CodeLineProps) {
  return (
    <div className={classes.root}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling elements must be reachable by keyboard */}
      <pre className={classes.code} tabIndex={0}>
        <code>{shown}</code>
      </pre>
      <div className={classes.copy}>
        <CopyButton value={code} label={label} />
      </div>
    </div>
  );
}
