import { ActionIcon, Button, TextInput, Tooltip } from '@mantine/core';
import {
  IconChevronDown,
  IconChevronUp,
  IconDownload,
  IconFold,
  IconSearch,
  IconFoldDown as IconUnfold,
} from '@tabler/icons-react';
import { formatCount, formatCounted, formatMegabytes } from '@throughline/contract';
import type { RefObject } from 'react';
import { CopyTextButton } from '../../ui/copying/copy-text-button.tsx';
import classes from './json-view.module.css';

interface JsonToolbarProps {
  readonly searchBox: RefObject<HTMLInputElement | null>;
  readonly text: string;
  readonly onText: (text: string) => void;
  /** Undefined without a search, or until its result arrives. `at` counts from 0. */
  readonly found: { readonly count: number; readonly at: number } | undefined;
  /** The message about the last key press, such as "Copied value"; empty if there is none. */
  readonly status: string;
  /** The number of bytes received so far; undefined once the JSON is complete. Incomplete JSON cannot be copied or saved. */
  readonly loadedBytes: number | undefined;
  readonly onNext: (by: 1 | -1) => void;
  readonly onFoldAll: () => void;
  readonly onOpenAll: () => void;
  readonly copied: () => string;
  readonly onSave: () => void;
}

/** The toolbar above the lines: search, fold, copy and save. */
export function JsonToolbar(props: JsonToolbarProps) {
  const { found, onNext, loadedBytes } = props;
  const loading = loadedBytes !== undefined;
  const none = found === undefined || found.count === 0;
  return (
    <div className={classes.toolbar}>
      <TextInput
        ref={props.searchBox}
        type="search"
        size="xs"
        className={classes.search ?? ''}
        aria-label="Search this JSON"
        placeholder="Search this JSON"
        maxLength={1000}
        leftSection={<IconSearch size={14} aria-hidden />}
        value={props.text}
        onChange={(event) => props.onText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          onNext(event.shiftKey ? -1 : 1);
        }}
      />
      <span role="status" className={classes.found}>
        {found === undefined
          ? ''
          : none
            ? 'Nothing found'
            : `${formatCount(found.at + 1)} of ${formatCounted(found.count, 'line')}`}
      </span>
      <IconAction
        label="Previous match (Shift+Enter)"
        disabled={none}
        onClick={() => onNext(-1)}
        icon={IconChevronUp}
      />
      <IconAction
        label="Next match (Enter)"
        disabled={none}
        onClick={() => onNext(1)}
        icon={IconChevronDown}
      />
      <span role="status" className={classes.status}>
        {loading && props.status === '' ? (
          <>
            Loading <span aria-hidden>{formatMegabytes(loadedBytes)}</span>
          </>
        ) : (
          props.status
        )}
      </span>
      <IconAction label="Collapse all" onClick={props.onFoldAll} icon={IconFold} />
      <IconAction label="Expand all" onClick={props.onOpenAll} icon={IconUnfold} />
      <CopyTextButton label="Copy JSON" value={props.copied} disabled={loading} />
      <Button
        size="xs"
        disabled={loading}
        variant="default"
        leftSection={<IconDownload size={14} aria-hidden />}
        onClick={props.onSave}
      >
        Save file
      </Button>
    </div>
  );
}

interface IconActionProps {
  readonly label: string;
  readonly icon: typeof IconFold;
  readonly disabled?: boolean;
  readonly onClick: () => void;
}

function IconAction({ label, icon: Icon, disabled = false, onClick }: IconActionProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" aria-label={label} disabled={disabled} onClick={onClick}>
        <Icon size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
