import { Button, Group, NativeSelect, Radio, Stack } from '@mantine/core';
import { SHARE_LINK_DAYS, type SharedValues, type ShareLinkDays } from '@throughline/contract';
import { type FormEvent, useState } from 'react';
import { FormError } from '../../ui/feedback/form-error.tsx';
import { useCreateLink } from './queries.ts';

/** A new share link. Only the response to the creation of the link contains the URL of the link. */
export interface CreatedLink {
  readonly id: string;
  readonly url: string;
}

interface CreateLinkFormProps {
  readonly traceId: string;
  readonly onCreated: (created: CreatedLink) => void;
}

const LIFETIMES = SHARE_LINK_DAYS.map((days) => ({
  value: String(days),
  label: days === 1 ? '1 day' : `${days} days`,
}));
const DEFAULT_DAYS: ShareLinkDays = 7;

/** Form to create a share link: which values the link shows, and its lifetime. */
export function CreateLinkForm({ traceId, onCreated }: CreateLinkFormProps) {
  const [values, setValues] = useState<SharedValues>('masked');
  const [days, setDays] = useState<ShareLinkDays>(DEFAULT_DAYS);
  const create = useCreateLink(traceId);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(
      { values, days },
      { onSuccess: ({ url, shareLink }) => onCreated({ id: shareLink.id, url }) },
    );
  };
  return (
    <form onSubmit={submit} aria-label="New link">
      <Stack gap="sm">
        <Radio.Group
          label="Values"
          value={values}
          onChange={(chosen) => setValues(chosen === 'shown' ? 'shown' : 'masked')}
        >
          <Stack gap="xs" mt="xs">
            <Radio
              value="masked"
              label="Masked"
              description="Functions, files, routes and times. Every value is masked."
            />
            <Radio
              value="shown"
              label="Shown"
              description="Also inputs, variables, headers, bodies, SQL, errors and users. Redacted values stay hidden."
            />
          </Stack>
        </Radio.Group>
        <FormError {...create.problem} />
        <Group align="flex-end" justify="space-between" gap="sm">
          <NativeSelect
            label="Link expires after"
            data={LIFETIMES}
            value={String(days)}
            onChange={({ currentTarget }) =>
              setDays(SHARE_LINK_DAYS.find((one) => String(one) === currentTarget.value) ?? DEFAULT_DAYS)
            }
            w={140}
          />
          <Button type="submit" loading={create.isPending}>
            Create link
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
