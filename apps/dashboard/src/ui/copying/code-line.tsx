import { useRef } from 'react';
import { useHiddenSides } from '../hooks/use-hidden-sides.ts';
import classes from './code-line.module.css';
import { CopyButton } from './copy-button.tsx';

interface CodeLineProps {
  readonly code: string;
  /** Accessible name of the copy button, such as "Copy install command". */
  readonly label: string;
  /** The shown code, if the copied code contains a secret that should not be on the screen. */
  readonly shown?: string;
}

/** Lines of code with a copy button. In a narrow window, the lines wrap at spaces, and a longer word scrolls. */
export function CodeLine({ code, label, shown = code }: CodeLineProps) {
  const frame = useRef<HTMLPreElement>(null);
  const more = useHiddenSides(frame);
  return (
    <div className={classes.root}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling elements must be reachable by keyboard */}
      <pre ref={frame} className={classes.code} data-more={more} tabIndex={0}>
        <code>{markWords(shown)}</code>
      </pre>
      <div className={classes.copy}>
        <CopyButton value={code} label={label} />
      </div>
    </div>
  );
}

/** Wraps each word in an element, so that lines do not wrap within a word, such as after a hyphen. */
function markWords(code: string) {
  let at = 0;
  return code.split(/(\s+)/).map((part) => {
    const key = at;
    at += part.length;
    return part.trim() === '' ? part : <span key={key}>{part}</span>;
  });
}
