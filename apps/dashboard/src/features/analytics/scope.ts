import type { AnalyticsQuery, Project } from '@throughline/contract';
import { useMemo } from 'react';
import { useViewParams } from '../../shell/search-params.ts';
import { type Period, periodOf } from './period.ts';

/** What the figures are about, as the address says. */
export interface Scope {
  readonly project: string;
  readonly period: Period;
  readonly service: string | undefined;
  readonly environment: string | undefined;
  readonly release: string | undefined;
  /** Whether the figures of the period before stand beside. */
  readonly compare: boolean;
  readonly query: Partial<AnalyticsQuery>;
}

/** What each tab is given. */
export interface TabProps {
  readonly scope: Scope;
  readonly project: Project;
}

/** The address' scope. A new day begins with the next change of the address. */
export function useScope(project: Pick<Project, 'id'>): Scope {
  const { start, end, service, environment, release, compare } = useViewParams();
  const { id } = project;
  return useMemo(() => {
    const period = periodOf(start, end, new Date());
    return {
      project: id,
      period,
      service,
      environment,
      release,
      compare: compare === 'previous',
      query: {
        startDate: period.start,
        endDate: period.end,
        timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        ...(service === undefined ? {} : { service }),
        ...(environment === undefined ? {} : { environment }),
        ...(release === undefined ? {} : { release }),
        ...(compare === undefined ? {} : { compare }),
      },
    };
  }, [id, start, end, service, environment, release, compare]);
}
