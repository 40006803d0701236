import { Button, Group, List, Radio, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { routes, TEXTS } from '@throughline/contract';
import { useState } from 'react';
import { api } from '../../../shell/api.ts';
import { ErrorNotice } from '../../../ui/feedback/error-notice.tsx';
import { CardsSkeleton } from '../../../ui/feedback/skeletons.tsx';
import { ButtonLink } from '../../../ui/layout/links.tsx';
import classes from './account-type-chooser.module.css';

/** Account types that have a registration form. */
const WITH_FORM = ['solo', 'organization'] as const;
type ChosenType = (typeof WITH_FORM)[number];

const readChoice = (text: string): ChosenType | undefined => WITH_FORM.find((type) => type === text);

/** The account types that the server offers, as radio cards. */
export function AccountTypeChooser({ onChosen }: { readonly onChosen: (type: ChosenType) => void }) {
  const [choice, setChoice] = useState<ChosenType>();
  const offered = useQuery({
    queryKey: ['registration-types'],
    queryFn: ({ signal }) => api.call(routes.auth.registrationTypes, { signal }),
    select: ({ types }) => types.filter((type) => readChoice(type.id) !== undefined),
  });

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (choice !== undefined) onChosen(choice);
      }}
    >
      <Stack>
        {offered.isPending && <CardsSkeleton what="account types" cards={2} />}
        {offered.isError && (
          <ErrorNotice
            what="The account types could not be loaded."
            error={offered.error}
            onRetry={() => void offered.refetch()}
            retrying={offered.isFetching}
          />
        )}
        {offered.data?.length === 0 && (
          <Text size="sm" role="status">
            {TEXTS.registrationClosed}
          </Text>
        )}
        {offered.isSuccess && offered.data.length > 0 && (
          <Radio.Group
            value={choice ?? null}
            onChange={(value) => setChoice(readChoice(value))}
            label="Account type"
            classNames={{ label: 'visually-hidden' }}
          >
            <Stack gap="sm">
              {offered.data.map((type) => (
                <Radio.Card
                  key={type.id}
                  value={type.id}
                  className={classes.card}
                  aria-label={type.name}
                  aria-describedby={`about-${type.id}`}
                >
                  <Group wrap="nowrap" align="flex-start">
                    <Radio.Indicator mt={2} />
                    <div id={`about-${type.id}`}>
                      <Text fw={600}>{type.name}</Text>
                      <Text size="sm" c="dimmed">
                        {type.description}
                      </Text>
                      <List size="sm" mt="xs" spacing={2} className={classes.features}>
                        {type.features.map((feature) => (
                          <List.Item key={feature}>{feature}</List.Item>
                        ))}
                      </List>
                    </div>
                  </Group>
                </Radio.Card>
              ))}
            </Stack>
          </Radio.Group>
        )}
        <Group justify="space-between">
          <ButtonLink variant="default" to="/login">
            Back to Login
          </ButtonLink>
          {offered.data?.length !== 0 && (
            <Button type="submit" disabled={choice === undefined}>
              Continue
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
