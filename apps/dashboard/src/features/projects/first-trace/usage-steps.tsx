import { Group, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { CodeLine } from '../../../ui/copying/code-line.tsx';
import classes from '../dialogs/api-key-dialog.module.css';
import { formatEnvironment, installCommand, type Setup, WAYS_TO_START } from './setup-commands.ts';
import { ShellChoice, useShell } from './shell-choice.tsx';

interface UsageStepsProps {
  readonly setup: Setup;
  /** The API key as displayed, which can be masked. Copying uses the full key from `setup`. */
  readonly shownKey: string;
}

/** Three steps with commands to paste, from the API key to the first trace. */
export function UsageSteps({ setup, shownKey }: UsageStepsProps) {
  const [shell, setShell] = useShell();
  const [way, setWay] = useState<string>(WAYS_TO_START[0].way);
  const chosen = WAYS_TO_START.find((each) => each.way === way) ?? WAYS_TO_START[0];
  return (
    <section aria-label="Usage">
      <Group justify="space-between" mb="xs">
        <Title order={3}>Trace an app with this key</Title>
        <ShellChoice shell={shell} onChange={setShell} />
      </Group>
      <ol className={classes.steps}>
        <li>
          <Stack gap={4}>
            <Text size="sm">Set the API key and the server's address:</Text>
            <CodeLine
              code={formatEnvironment(setup, shell)}
              shown={formatEnvironment({ ...setup, apiKey: shownKey }, shell)}
              label="Copy environment variables"
            />
          </Stack>
        </li>
        <li>
          <Stack gap={4}>
            <Text size="sm">Install the SDK in the app's folder:</Text>
            <CodeLine code={installCommand(setup)} label="Copy install command" />
          </Stack>
        </li>
        <li>
          <Stack gap={4}>
            <Group justify="space-between" gap="xs">
              <Text size="sm">Start the app with the SDK:</Text>
              <SegmentedControl
                size="xs"
                aria-label="How to start"
                value={way}
                onChange={setWay}
                data={WAYS_TO_START.map((each) => ({ value: each.way, label: each.label }))}
              />
            </Group>
            <Text size="sm" c="dimmed">
              {chosen.explanation}
            </Text>
            <CodeLine code={chosen.code} label="Copy start code" />
          </Stack>
        </li>
      </ol>
    </section>
  );
}
