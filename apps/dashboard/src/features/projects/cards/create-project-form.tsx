import { Button, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { Project } from '@throughline/contract';
import { type FormEvent, useState } from 'react';
import { findRefusal } from '../../../shell/session/refusal.ts';
import { FormError } from '../../../ui/feedback/form-error.tsx';
import { LimitDialog, type ReachedLimit } from '../../billing/index.ts';
import { useCreateProject } from '../queries.ts';
import classes from './create-project-form.module.css';

export function CreateProjectForm({ onCreated }: { readonly onCreated: (project: Project) => void }) {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [limit, setLimit] = useState<ReachedLimit>();
  const creation = useCreateProject();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '' || creation.isPending) return;
    creation.mutate(
      { name, description },
      {
        onSuccess: ({ project }) => {
          setName('');
          setDescription('');
          onCreated(project);
        },
        onError: (error) => {
          const refusal = findRefusal(error);
          if (refusal?.details?.upgradeRequired !== true) return;
          const hasLargerPlan = (refusal.details.upgradeTo ?? null) !== null;
          setLimit({ message: refusal.message, hasLargerPlan });
        },
      },
    );
  };
  return (
    <form onSubmit={submit} className={classes.root} aria-label="Create a project">
      <TextInput
        label="Project name"
        placeholder="checkout-api"
        maxLength={100}
        required
        value={name}
        onChange={(event) => {
          setName(event.currentTarget.value);
          // Clears the error, which is about the earlier name or an earlier state of the plan.
          if (creation.isError) creation.reset();
        }}
        className={classes.name}
      />
      <TextInput
        label="Description"
        placeholder="Optional"
        maxLength={1000}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
        className={classes.description}
      />
      <Button
        type="submit"
        leftSection={<IconPlus size={16} aria-hidden />}
        disabled={name.trim() === ''}
        loading={creation.isPending}
      >
        Create Project
      </Button>
      <div className={classes.error}>
        <FormError {...creation.problem} />
        <LimitDialog limit={limit} onClose={() => setLimit(undefined)} />
      </div>
    </form>
  );
}
