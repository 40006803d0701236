import { Group, Modal, Stack, Text, Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type KeyboardEvent, type RefObject, useRef, useState } from 'react';
import { CopyField } from '../../ui/copying/copy-field.tsx';
import { useFocusInside } from '../../ui/hooks/use-focus-inside.ts';
import { type CreatedLink, CreateLinkForm } from './create-link-form.tsx';
import { LinkList } from './link-list.tsx';
import { LinkRows } from './link-rows.tsx';
import { useTraceLinks } from './queries.ts';

interface ShareDialogProps {
  readonly traceId: string;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Dialog that creates share links to a trace and lists the active links. */
export function ShareDialog({ traceId, opened, onClose }: ShareDialogProps) {
  const content = useRef<HTMLDivElement>(null);
  const narrow = useMediaQuery('(max-width: 48em)') ?? false;
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      size="lg"
      fullScreen={narrow}
      // The trace dialog below also listens for keys and must stay open, so this dialog handles the keys itself.
      closeOnEscape={false}
      onFocus={({ target }) => target.setAttribute('data-mantine-stop-propagation', 'true')}
      onKeyDown={(event: KeyboardEvent) => {
        event.stopPropagation();
        if (event.key === 'Escape' && !event.nativeEvent.isComposing) onClose();
      }}
    >
      <Modal.Overlay />
      <Modal.Content ref={content} tabIndex={-1}>
        {/* Omits Mantine's header: a page must have only one banner, and the dialog below already has a header. */}
        <Modal.Body pt="md">
          <Group justify="space-between" mb="sm">
            <Modal.Title>Share this trace</Modal.Title>
            <Modal.CloseButton aria-label="Close" />
          </Group>
          <Sharing traceId={traceId} dialog={content} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

interface SharingProps {
  readonly traceId: string;
  readonly dialog: RefObject<HTMLElement | null>;
}

function Sharing({ traceId, dialog }: SharingProps) {
  useFocusInside(dialog);
  const [created, setCreated] = useState<CreatedLink>();
  const dropRevoked = (id: string) => setCreated((current) => (current?.id === id ? undefined : current));
  return (
    <Stack>
      <Text size="sm">
        Anyone with the link can see this trace without an account, until the link expires or the trace is
        deleted.
      </Text>
      <CreateLinkForm traceId={traceId} onCreated={setCreated} />
      <div role="status">
        {created !== undefined && (
          <CopyField
            key={created.id}
            value={created.url}
            label="New link"
            copyLabel="Copy link"
            note="Copy the link now. It will not be shown again."
            autoFocus
          />
        )}
      </div>
      <TraceLinks traceId={traceId} onRevoked={dropRevoked} />
    </Stack>
  );
}

interface TraceLinksProps {
  readonly traceId: string;
  readonly onRevoked: (id: string) => void;
}

function TraceLinks({ traceId, onRevoked }: TraceLinksProps) {
  const links = useTraceLinks(traceId);
  return (
    <section aria-labelledby="trace-links">
      <Stack gap="xs">
        <Title order={3} size="sm" id="trace-links">
          Active links
        </Title>
        <LinkList query={links} rows={1} empty="This trace has no links.">
          {(active) => <LinkRows links={active} label="Active links" mayRevoke onRevoked={onRevoked} />}
        </LinkList>
      </Stack>
    </section>
  );
}
