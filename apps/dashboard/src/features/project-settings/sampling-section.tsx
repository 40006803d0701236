import { Button, Group, NativeSelect, NumberInput, Text, Title } from '@mantine/core';
import { CAPTURE_MODES, type CaptureMode, type Project } from '@throughline/contract';
import { type FormEvent, useState } from 'react';
import { type Outcome, OutcomeNotice, toOutcome } from '../settings/index.ts';
import { useChangeProject } from './queries.ts';
import classes from './settings.module.css';

const CAPTURES: Readonly<Record<CaptureMode, string>> = {
  all: 'Functions with their values',
  structure: 'Functions without values',
  off: 'Nothing',
};

interface SamplingSectionProps {
  readonly project: Project;
  readonly mayEdit: boolean;
}

/** The sampling settings that the server sends to a project's services. */
export function SamplingSection({ project, mayEdit }: SamplingSectionProps) {
  const { sampleRate, capture } = project.sampling;
  const [percent, setPercent] = useState<number | string>(toPercent(sampleRate));
  const [mode, setMode] = useState(capture);
  const [outcome, setOutcome] = useState<Outcome>();
  const change = useChangeProject(project, 'The capture settings could not be saved.');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const rate = percent === '' ? null : Number(percent) / 100;
    if (rate !== null && !(rate >= 0 && rate <= 1)) {
      setOutcome({ type: 'error', message: 'Enter a sample rate from 0 to 100, or leave the field empty.' });
      return;
    }
    setOutcome(undefined);
    change.mutate(
      { sampling: { sampleRate: rate, capture: mode } },
      {
        onSuccess: () =>
          setOutcome({
            type: 'success',
            message: 'Saved. Services pick it up with their next batch.',
          }),
        onError: (error) => setOutcome(toOutcome(change.explain(error))),
      },
    );
  };
  return (
    <form onSubmit={submit} noValidate aria-labelledby="sampling" className={classes.section}>
      <Title order={2} size="h3" id="sampling">
        Capture
      </Title>
      <Text size="sm" c="dimmed">
        Settings in a service's code or environment take precedence. Changes reach services within a minute.
      </Text>
      <NativeSelect
        label="What to record"
        disabled={!mayEdit}
        value={mode ?? ''}
        onChange={(event) => setMode(CAPTURE_MODES.find((one) => one === event.currentTarget.value) ?? null)}
        data={[
          { value: '', label: "Use the service's own setting" },
          ...CAPTURE_MODES.map((value) => ({ value, label: CAPTURES[value] })),
        ]}
      />
      <NumberInput
        label="Sample rate (%)"
        description="Leave empty to use the service's own setting. Failed and slow requests are always sent, but without steps if they are not in the sample."
        placeholder="Use the service's own setting"
        disabled={!mayEdit}
        min={0}
        max={100}
        decimalScale={3}
        value={percent}
        onChange={setPercent}
      />
      <OutcomeNotice outcome={outcome} onDismiss={() => setOutcome(undefined)} />
      {mayEdit && (
        <Group>
          <Button
            type="submit"
            loading={change.isPending}
            disabled={mode === capture && percent === toPercent(sampleRate)}
          >
            Save
          </Button>
        </Group>
      )}
    </form>
  );
}

function toPercent(rate: number | null): number | '' {
  return rate === null ? '' : Math.round(rate * 100_000) / 1000;
}
