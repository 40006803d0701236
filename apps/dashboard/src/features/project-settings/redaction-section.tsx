import { Button, Group, Text, Textarea, Title } from '@mantine/core';
import { type Project, RedactionChange } from '@throughline/contract';
import { type FormEvent, useState } from 'react';
import { type Outcome, OutcomeNotice, toOutcome } from '../settings/index.ts';
import { useChangeProject } from './queries.ts';
import { RedactionPreview } from './redaction-preview.tsx';
import classes from './settings.module.css';

interface RedactionSectionProps {
  readonly project: Project;
  readonly mayEdit: boolean;
}

/** A project's own redaction rules, and a preview of what the rules would hide in a stored trace. */
export function RedactionSection({ project, mayEdit }: RedactionSectionProps) {
  const [keys, setKeys] = useState(project.redaction.keys.join('\n'));
  const [paths, setPaths] = useState(project.redaction.paths.join('\n'));
  const [outcome, setOutcome] = useState<Outcome>();
  const change = useChangeProject(project, 'The redaction rules could not be saved.');
  const read = RedactionChange.safeParse({ keys: splitLines(keys), paths: splitLines(paths) });
  const findProblem = (part: 'keys' | 'paths') =>
    read.error?.issues.find((issue) => issue.path[0] === part)?.message;
  const unchanged = read.success && JSON.stringify(read.data) === JSON.stringify(project.redaction);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!read.success) return;
    setOutcome(undefined);
    change.mutate(
      { redaction: read.data },
      {
        onSuccess: (answer) => {
          setKeys(answer.project.redaction.keys.join('\n'));
          setPaths(answer.project.redaction.paths.join('\n'));
          setOutcome({ type: 'success', message: 'Saved. Applies to new traces.' });
        },
        onError: (error) => setOutcome(toOutcome(change.explain(error))),
      },
    );
  };
  return (
    <form onSubmit={submit} noValidate aria-labelledby="redaction" className={classes.section}>
      <Title order={2} size="h3" id="redaction">
        Redaction
      </Title>
      <Text size="sm" c="dimmed">
        Passwords, tokens, cookies, card numbers and similar secrets are always removed, by the SDK and by the
        server. These rules remove more values before a trace is stored.
      </Text>
      <Textarea
        label="Field names"
        description="One per line, compared word by word: customerRef also matches customer_ref and oldCustomerRef."
        placeholder="customerRef"
        autosize
        minRows={2}
        maxRows={10}
        spellCheck={false}
        readOnly={!mayEdit}
        value={keys}
        error={findProblem('keys')}
        onChange={(event) => setKeys(event.currentTarget.value)}
      />
      <Textarea
        label="Paths"
        description="One per line, separated by dots. * matches any one name or position."
        placeholder="request.body.items.*.note"
        autosize
        minRows={2}
        maxRows={10}
        spellCheck={false}
        readOnly={!mayEdit}
        value={paths}
        error={findProblem('paths')}
        onChange={(event) => setPaths(event.currentTarget.value)}
      />
      <RedactionPreview projectId={project.id} rules={read.data} />
      <OutcomeNotice outcome={outcome} onDismiss={() => setOutcome(undefined)} />
      {mayEdit && (
        <Group>
          <Button type="submit" loading={change.isPending} disabled={!read.success || unchanged}>
            Save
          </Button>
        </Group>
      )}
    </form>
  );
}

function splitLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
