import { Button } from '@mantine/core';
import { type BusinessAnalytics, formatCount, formatRate, type Project } from '@throughline/contract';
import { useState } from 'react';
import { useSignedIn } from '../../../shell/session/use-session.ts';
import { BarsChart } from '../../../visuals/plots/bars/bars-chart.tsx';
import { SERIES_LOOKS } from '../../../visuals/plots/frame/plot-colours.ts';
import { mayDoWith } from '../../projects/index.ts';
import classes from '../analytics.module.css';
import { rateText } from '../data/measures.ts';
import { isCompared } from '../data/previous-period.ts';
import type { Scope } from '../data/scope.ts';
import { buildScopeSearch } from '../tables/trace-links.ts';
import { DrawnTracesLink } from '../tables/traces-link.tsx';
import { FunnelEditor } from './funnel-editor.tsx';

interface FunnelProps {
  readonly scope: Scope;
  readonly project: Project;
  readonly business: BusinessAnalytics;
}

/** The number of users who completed each step of the funnel in order. The project defines the steps. */
export function Funnel({ scope, project, business }: FunnelProps) {
  const [editing, setEditing] = useState(false);
  const mayEdit = mayDoWith(useSignedIn(), project, 'projects.edit');
  const { defined, steps } = business.conversionFunnel;
  if (editing) {
    return (
      <section aria-label="Conversion funnel" className={classes.panel}>
        <h2 className={classes.title}>Conversion funnel</h2>
        <FunnelEditor
          scope={scope}
          steps={steps}
          endpoints={business.endpointUsage}
          onClose={() => setEditing(false)}
        />
      </section>
    );
  }
  if (!defined) {
    return (
      <section aria-label="Conversion funnel" className={classes.panel}>
        <h2 className={classes.title}>Conversion funnel</h2>
        <p className={classes.empty}>
          No conversion funnel is defined. See how many users complete each step, e.g. cart, checkout,
          payment.
        </p>
        {mayEdit ? (
          <Button size="compact-sm" variant="default" onClick={() => setEditing(true)}>
            Define a funnel
          </Button>
        ) : (
          <p className={classes.note}>Only owners and admins can define a funnel.</p>
        )}
      </section>
    );
  }
  const buildKey = (place: number) => String(place);
  const formatStep = (place: number) => {
    const step = steps[place];
    return step === undefined
      ? ''
      : `${place + 1}. ${step.name === '' ? `${step.method} ${step.path}` : step.name}`;
  };
  return (
    <BarsChart
      label="Conversion funnel"
      rows={steps.map(({ userCount, conversionRate, stepRate, previous }, place) => ({
        key: buildKey(place),
        label: formatStep(place),
        value: userCount,
        text: `${formatCount(userCount)} · ${rateText(conversionRate)}${stepRate === null ? '' : ` · ${rateText(stepRate)} of the step before`}${previous === null ? '' : ` · ${formatCount(previous.userCount)} in the previous period`}`,
        look: SERIES_LOOKS[0],
      }))}
      table={{
        columns: [
          { name: 'Step' },
          { name: 'Users', write: formatCount },
          { name: 'Of first step', unit: '%', write: formatRate },
          { name: 'Of previous step', unit: '%', write: formatRate },
          ...(isCompared(business.range)
            ? [{ name: 'Users in the previous period', write: formatCount }]
            : []),
        ],
        rows: steps.map(({ userCount, conversionRate, stepRate, previous }, place) => [
          formatStep(place),
          userCount,
          conversionRate,
          stepRate,
          ...(isCompared(business.range) ? [previous?.userCount ?? null] : []),
        ]),
      }}
      link={({ key }, drawn) => {
        const step = steps.find((_, place) => buildKey(place) === key);
        return (
          <DrawnTracesLink
            search={
              step && buildScopeSearch(scope, { method: step.method, endpoint: step.path, status: 'success' })
            }
          >
            {drawn}
          </DrawnTracesLink>
        );
      }}
      actions={
        mayEdit && (
          <Button size="compact-xs" variant="default" onClick={() => setEditing(true)}>
            Edit
          </Button>
        )
      }
    />
  );
}
