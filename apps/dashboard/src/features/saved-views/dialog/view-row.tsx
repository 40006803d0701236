import { ActionIcon, Group } from '@mantine/core';
import {
  type Icon,
  IconFilterEdit,
  IconPencil,
  IconPin,
  IconPinFilled,
  IconTrash,
  IconUsers,
} from '@tabler/icons-react';
import type { SavedView } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { notifySuccess } from '../../../ui/feedback/notify-success.tsx';
import { AnchorLink } from '../../../ui/layout/links.tsx';
import { describeSaved } from '../describe-saved.ts';
import { usePinView, useUpdateView } from '../queries.ts';
import classes from '../saved-views.module.css';
import { buildViewSearch, PAGE_PATHS } from '../view-address.ts';
import type { ViewsStep } from './views-step.ts';

/** Describes a saved view: its number of filters, its time range and, for a shared view, the user who created it. */
export function describeView(view: SavedView): string {
  return [
    ...describeSaved(view.params),
    ...(view.shared ? [`by ${view.createdBy ?? 'a deleted user'}`] : []),
  ].join(' · ');
}

interface ViewLinkProps {
  readonly view: SavedView;
  readonly onClose: () => void;
}

/** A link that opens a saved view, and below it the description of the view. */
export function ViewLink({ view, onClose }: ViewLinkProps) {
  const name = escapeControlCharacters(view.name);
  return (
    <>
      <AnchorLink
        to={PAGE_PATHS[view.page]}
        search={buildViewSearch(view)}
        activeOptions={{ exact: true }}
        className={classes.rowName ?? ''}
        size="sm"
        title={name}
        onClick={onClose}
      >
        {name}
      </AnchorLink>
      <div className={classes.rowAbout}>{describeView(view)}</div>
    </>
  );
}

interface ViewActionsProps {
  readonly view: SavedView;
  readonly onStep: (step: ViewsStep) => void;
}

/** Buttons for the actions that the viewer is allowed to take on a saved view. */
export function ViewActions({ view, onStep }: ViewActionsProps) {
  const name = escapeControlCharacters(view.name);
  const step = (kind: 'rename' | 'replace' | 'delete') => () => onStep({ kind, view });
  return (
    <Group gap={4} wrap="nowrap" data-toolbar>
      <PinButton view={view} name={name} />
      {view.editable && (
        <>
          {!view.shared && view.projectId !== null && <ShareButton view={view} name={name} />}
          <RowButton icon={IconFilterEdit} label="Replace filters" of={name} onClick={step('replace')} />
          <RowButton icon={IconPencil} label="Rename" of={name} onClick={step('rename')} />
          <RowButton icon={IconTrash} label="Delete" of={name} onClick={step('delete')} />
        </>
      )}
    </Group>
  );
}

interface NamedViewProps {
  readonly view: SavedView;
  readonly name: string;
}

function PinButton({ view, name }: NamedViewProps) {
  const pin = usePinView(view);
  const isPinned = view.pinnedAt !== null;
  return (
    <RowButton
      icon={isPinned ? IconPinFilled : IconPin}
      label={isPinned ? 'Unpin' : 'Pin'}
      of={name}
      onClick={() => pin.mutate()}
    />
  );
}

function ShareButton({ view, name }: NamedViewProps) {
  const update = useUpdateView(view, `${name} could not be shared.`, true);
  return (
    <RowButton
      icon={IconUsers}
      label="Share in the project"
      of={name}
      onClick={() =>
        update.mutate(
          { shared: true },
          {
            onSuccess: () => notifySuccess(`Everyone in the project can now see ${name}.`),
          },
        )
      }
    />
  );
}

interface RowButtonProps {
  readonly icon: Icon;
  readonly label: string;
  readonly of: string;
  readonly onClick: () => void;
}

function RowButton({ icon: ButtonIcon, label, of, onClick }: RowButtonProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={32}
      aria-label={`${label}: ${of}`}
      title={label}
      onClick={onClick}
    >
      <ButtonIcon size={16} aria-hidden />
    </ActionIcon>
  );
}
