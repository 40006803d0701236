import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { ACCESS_TOKEN_DAYS, type AccessTokenDays, MAX_ACCESS_TOKEN_NAME } from '@throughline/contract';
import { type FormEvent, useState } from 'react';
import { FormError } from '../../../ui/feedback/form-error.tsx';
import { useCreateToken } from './queries.ts';

/** A new access token. Only the response to its creation contains `token`. */
export interface CreatedToken {
  readonly id: string;
  readonly token: string;
}

const LIFETIMES = ACCESS_TOKEN_DAYS.map((days) => ({ value: String(days), label: `${days} days` }));
const DEFAULT_DAYS: AccessTokenDays = 30;

/** Form to create an access token with a name and a lifetime. */
export function CreateTokenForm({ onCreated }: { readonly onCreated: (created: CreatedToken) => void }) {
  const [name, setName] = useState('');
  const [days, setDays] = useState<AccessTokenDays>(DEFAULT_DAYS);
  const create = useCreateToken();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(
      { name, days },
      {
        onSuccess: ({ accessToken, token }) => {
          setName('');
          onCreated({ id: accessToken.id, token });
        },
      },
    );
  };
  return (
    <form onSubmit={submit} noValidate aria-label="New access token">
      <Stack gap="sm">
        <Group align="flex-end" gap="sm">
          <TextInput
            label="Name"
            placeholder="Build server"
            autoComplete="off"
            maxLength={MAX_ACCESS_TOKEN_NAME}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            flex="1 1 200px"
          />
          <NativeSelect
            label="Expires after"
            data={LIFETIMES}
            value={String(days)}
            onChange={({ currentTarget }) =>
              setDays(ACCESS_TOKEN_DAYS.find((one) => String(one) === currentTarget.value) ?? DEFAULT_DAYS)
            }
            w={120}
          />
          <Button type="submit" loading={create.isPending}>
            Create token
          </Button>
        </Group>
        <FormError {...create.problem} />
      </Stack>
    </form>
  );
}
