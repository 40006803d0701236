import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { formatCount, formatCounted } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { memo, type ReactNode } from 'react';
import { CopyButton } from '../../ui/copying/copy-button.tsx';
import { isUnfinished, type JsonLines } from './json-lines.ts';
import classes from './json-view.module.css';
import { readFoldedPreview, readLineText, readValueText, splitLine } from './line-text.ts';

interface JsonLineProps {
  readonly lines: JsonLines;
  readonly line: number;
  /** True if the line is folded; undefined if it opens no object or list that can be folded. */
  readonly folded: boolean | undefined;
  /** The search string; empty without a search. */
  readonly marked: string;
  /** True if the pointer is on the line, which then shows a button that copies its value. */
  readonly pointed: boolean;
}

/** One line of highlighted JSON. A folded line shows how much it hides, and the beginning of the hidden part. */
export const JsonLine = memo(({ lines, line, folded, marked, pointed }: JsonLineProps) => {
  const { text, cutBytes } = readLineText(lines, line);
  const { key, value, comma, tone } = splitLine(text);
  const Twisty = folded === true ? IconChevronRight : IconChevronDown;
  return (
    <>
      <span className={classes.twisty}>{folded !== undefined && <Twisty size={14} aria-hidden />}</span>
      <span className={classes.text}>
        {key !== '' && (
          <>
            <span className={classes.key}>
              <Marked text={escapeControlCharacters(key)} wanted={marked} />
            </span>
            {': '}
          </>
        )}
        <span className={classes.value} data-kind={tone}>
          <Marked text={escapeControlCharacters(value)} wanted={marked} />
        </span>
        {comma}
        {folded === true && <Folded lines={lines} line={line} />}
        {cutBytes > 0 && <span className={classes.note}> … {formatCount(cutBytes)} more bytes</span>}
      </span>
      {pointed && !isUnfinished(lines, line) && (
        <span className={classes.actions}>
          <CopyButton label="Copy value" value={() => readValueText(lines, line)} />
        </span>
      )}
    </>
  );
});

function Folded({ lines, line }: { readonly lines: JsonLines; readonly line: number }) {
  const count = lines.counts[line] ?? 0;
  const unfinished = isUnfinished(lines, line);
  const closing = unfinished ? '' : readLineText(lines, lines.ends[line] ?? line).text;
  const object = readLineText(lines, line).text.endsWith('{');
  return (
    <>
      <span className={classes.note}> {escapeControlCharacters(readFoldedPreview(lines, line))} </span>
      {closing}
      <span className={classes.note}>
        {' '}
        {formatCounted(count, object ? 'member' : 'item')}
        {unfinished && ' so far'}
      </span>
    </>
  );
}

/** Marks every match of the search string, ignoring case. */
function Marked({ text, wanted }: { readonly text: string; readonly wanted: string }): ReactNode {
  if (wanted === '') return text;
  // Every second part is a match.
  const parts = text.split(new RegExp(`(${escapePattern(wanted)})`, 'giu'));
  if (parts.length === 1) return text;
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no ids and keep their order
  return parts.map((part, index) => (index % 2 === 1 ? <mark key={index}>{part}</mark> : part));
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
