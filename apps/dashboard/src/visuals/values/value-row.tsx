import { ActionIcon, Tooltip } from '@mantine/core';
import { IconChevronDown, IconChevronRight, IconCopy, IconRoute } from '@tabler/icons-react';
import {
  type ChildLabel,
  escapeControlCharacters,
  escapeControlCharactersInLines,
  summarise,
  type ValueSummary,
} from '@throughline/contract/captured';
import type { ReactNode } from 'react';
import type { MissingRow, ValueNodeRow } from './value-rows.ts';
import classes from './value-tree.module.css';

/** A value's name, summary and, when opened, its long string. */
export function ValueLine({ row }: { readonly row: ValueNodeRow }) {
  return (
    <>
      <span className={classes.twisty} aria-hidden>
        {row.open === undefined ? null : row.open ? (
          <IconChevronDown size={14} />
        ) : (
          <IconChevronRight size={14} />
        )}
      </span>
      {row.label !== undefined && <Label label={row.label} />}
      {row.longText === undefined ? (
        <Summary summary={row.summary} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling elements must be reachable by keyboard
        <pre className={classes.long} tabIndex={0}>
          {escapeControlCharactersInLines(row.longText)}
          {row.summary.note !== undefined && (
            <span className={classes.note}>… {row.summary.note} in all</span>
          )}
        </pre>
      )}
    </>
  );
}

function Label({ label }: { readonly label: ChildLabel }) {
  if (label.kind === 'entry') {
    return (
      <span className={classes.label} data-kind="entry">
        <Summary summary={summarise(label.key)} />
        <span className={classes.arrow}> =&gt;</span>
      </span>
    );
  }
  const text = label.kind === 'index' ? String(label.index) : escapeControlCharacters(label.text);
  return (
    <span className={classes.label} data-kind={label.kind} title={text}>
      {text}
    </span>
  );
}

function Summary({ summary }: { readonly summary: ValueSummary }) {
  const value = (
    <span className={classes.value}>
      {summary.className !== undefined && (
        <span className={classes.className}>{escapeControlCharacters(summary.className)} </span>
      )}
      <span data-tone={summary.tone}>{summary.text}</span>
    </span>
  );
  if (summary.note === undefined) return value;
  return (
    <>
      {value}
      <span className={classes.lineNote}>{summary.note}</span>
    </>
  );
}

/** Shows the number of missing parts. The trace does not record whether there were too many parts or whether they were too large. */
export function MissingLine({ row }: { readonly row: MissingRow }) {
  return (
    <span className={classes.missing}>
      … {row.count.toLocaleString('en-US')} more, not captured: too many or too large
    </span>
  );
}

export type CopiedPart = 'value' | 'path';

interface RowActionsProps {
  readonly path: string;
  readonly onCopy: (part: CopiedPart) => void;
  readonly children?: ReactNode;
}

/** Copy buttons for the pointer; the tree's keys `c` and `p` do the same. `children` are further actions. */
export function RowActions({ path, onCopy, children }: RowActionsProps) {
  return (
    <span className={classes.actions}>
      {children}
      <span className={classes.copying} aria-hidden>
        <Action label="Copy value (c)" onClick={() => onCopy('value')} icon={<IconCopy size={13} />} />
        {path !== '' && (
          <Action label="Copy path (p)" onClick={() => onCopy('path')} icon={<IconRoute size={13} />} />
        )}
      </span>
    </span>
  );
}

/**
 * Names a row for assistive technology. A property has its own name, any other part (such as a list item) has its path. A value without a
 * label is named like its tree.
 */
export function nameRow({ label, path }: ValueNodeRow, tree: string): string {
  if (label === undefined) return tree.toLowerCase();
  return label.kind === 'key' ? escapeControlCharacters(label.text) : escapeControlCharacters(path);
}

function Action({ label, onClick, icon }: { label: string; onClick: () => void; icon: React.ReactNode }) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        size={20}
        variant="subtle"
        color="gray"
        tabIndex={-1}
        aria-label={label}
        onClick={(event) => {
          event.stopPropagation();
          onClick();
        }}
      >
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}
