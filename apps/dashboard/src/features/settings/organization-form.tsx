import { Button, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type Organization, OrganizationName, OrganizationSlug, TEXTS } from '@throughline/contract';
import { type FormEvent, useState } from 'react';
import type { FormProblem } from '../../ui/feedback/form-error.tsx';
import { useOpenAfterMount } from '../../ui/hooks/use-open-after-mount.ts';
import { DialogActions } from '../../ui/layout/dialog-actions.tsx';
import { SlugState, stripSlug } from '../auth/index.ts';
import { useNameOrganization } from './queries.ts';

interface OrganizationFormProps {
  /** The organization to rename; null to create an organization. */
  readonly organization: Organization | null;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onDone: (message: string) => void;
}

/** Dialog for the name and slug of a new organization, or of the user's organization. */
export function OrganizationForm({ opened, onClose, ...props }: OrganizationFormProps) {
  return (
    <Modal
      opened={useOpenAfterMount(opened)}
      onClose={onClose}
      title={props.organization === null ? 'Create organization' : 'Rename organization'}
    >
      <Fields {...props} onClose={onClose} />
    </Modal>
  );
}

function Fields({ organization, onClose, onDone }: Omit<OrganizationFormProps, 'opened'>) {
  const [name, setName] = useState(organization?.name ?? '');
  const [slug, setSlug] = useState(organization?.slug ?? '');
  /** True once the user edited the slug; until then the slug follows the name. */
  const [slugTyped, setSlugTyped] = useState(organization !== null);
  const [problem, setProblem] = useState<FormProblem>();
  const naming = useNameOrganization(organization?.id);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const message =
      name.trim() === '' || slug === ''
        ? TEXTS.allFieldsRequired
        : (OrganizationName.safeParse(name).error ?? OrganizationSlug.safeParse(slug).error)?.issues[0]
            ?.message;
    setProblem({ message });
    if (message !== undefined) return;
    naming.mutate(
      { name, slug },
      {
        onSuccess: (answer) => {
          onClose();
          onDone(
            organization === null
              ? `${answer.organization.name} was created. You are its owner.`
              : 'The organization was renamed.',
          );
        },
        onError: (error) => setProblem(naming.explain(error)),
      },
    );
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {organization === null && (
          <Text size="sm">
            You become its owner. Your existing projects stay yours; new projects belong to the organization.
          </Text>
        )}
        <TextInput
          label="Organization name"
          data-autofocus
          autoComplete="organization"
          maxLength={100}
          value={name}
          onChange={(event) => {
            setName(event.currentTarget.value);
            if (!slugTyped) setSlug(stripSlug(event.currentTarget.value));
          }}
        />
        <TextInput
          label="Organization slug"
          description={<SlugState slug={slug} own={organization?.slug} />}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoComplete="off"
          spellCheck={false}
          maxLength={63}
          value={slug}
          onChange={(event) => {
            setSlugTyped(true);
            setSlug(stripSlug(event.currentTarget.value));
          }}
        />
        <DialogActions problem={problem} onCancel={onClose}>
          <Button type="submit" loading={naming.isPending}>
            {organization === null ? 'Create' : 'Save'}
          </Button>
        </DialogActions>
      </Stack>
    </form>
  );
}
