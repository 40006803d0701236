import { type BusinessAnalytics, formatCount, formatCounted, formatRate } from '@throughline/contract';
import type { ViewChange } from '../../../shell/url-state/search-params.ts';
import { TOP_ROWS, useShowAll } from '../../../ui/tables/use-show-all.tsx';
import { BarsChart } from '../../../visuals/plots/bars/bars-chart.tsx';
import { SERIES_LOOKS } from '../../../visuals/plots/frame/plot-colours.ts';
import classes from '../analytics.module.css';
import { rateText } from '../data/measures.ts';
import { isCompared } from '../data/previous-period.ts';
import { useBusiness } from '../data/queries.ts';
import type { Scope, TabProps } from '../data/scope.ts';
import { Funnel } from '../funnel/funnel.tsx';
import { EndpointCell } from '../tables/endpoint-cell.tsx';
import { buildTracedColumn, countColumn, rateColumn } from '../tables/figure-columns.tsx';
import { Change, computeChange } from '../tables/figures.tsx';
import { type RankColumn, RankTable } from '../tables/rank-table.tsx';
import { buildScopeSearch, linkSearch } from '../tables/trace-links.ts';
import { DrawnTracesLink, NamedTraces } from '../tables/traces-link.tsx';
import { TabBody } from './tab-body.tsx';

export function BusinessTab({ scope, project }: TabProps) {
  return (
    <TabBody
      what="Business intelligence"
      query={useBusiness(scope)}
      panels={['wide', 'half', 'half']}
      isEmpty={({ endpointUsage }) => endpointUsage.length === 0}
      empty={{
        title: 'No business data in this range',
        hint: 'Usage of endpoints and features appears here once there are traces in this range.',
      }}
    >
      {(business) => (
        <>
          <div className={classes.wide}>
            <EndpointUsage endpointUsage={business.endpointUsage} compare={isCompared(business.range)} />
          </div>
          <Adoption featureUsage={business.featureUsage} scope={scope} />
          <Features featureUsage={business.featureUsage} scope={scope} compare={isCompared(business.range)} />
          <div className={classes.wide}>
            <Funnel scope={scope} project={project} business={business} />
          </div>
        </>
      )}
    </TabBody>
  );
}

type EndpointUse = BusinessAnalytics['endpointUsage'][number];

/** Builds a column that shows how a share changed since the previous period. */
function buildChangeColumn<
  Row extends Share<Key> & { readonly previous: Share<Key> | null },
  Key extends 'usageRate' | 'adoptionRate',
>(name: string, key: Key): RankColumn<Row> {
  return {
    name,
    kind: 'number',
    value: (row) => computeChange(row[key], row.previous?.[key] ?? null),
    cell: (row) => (
      <Change now={row[key]} before={row.previous?.[key] ?? null} write={formatRate} bad={false} />
    ),
  };
}

type Share<Key extends string> = { readonly [key in Key]: number | null };

interface EndpointUsageProps extends Pick<BusinessAnalytics, 'endpointUsage'> {
  readonly compare: boolean;
}

function EndpointUsage({ endpointUsage, compare }: EndpointUsageProps) {
  return (
    <RankTable
      label="Endpoint usage"
      rows={endpointUsage}
      getKey={({ endpoint }) => endpoint}
      buildTraceLink={({ traces }) => linkSearch(traces)}
      empty="No requests"
      columns={[
        {
          name: 'Endpoint',
          kind: 'text',
          value: ({ method, path }) => `${method} ${path}`,
          cell: (row) => <EndpointCell {...row} search={linkSearch(row.traces)} />,
        },
        countColumn('Requests', 'requestCount'),
        rateColumn('Usage rate', 'usageRate'),
        ...(compare ? [buildChangeColumn<EndpointUse, 'usageRate'>('Usage vs. previous', 'usageRate')] : []),
      ]}
    />
  );
}

interface FeaturesProps extends Pick<BusinessAnalytics, 'featureUsage'> {
  readonly scope: Scope;
}

function Adoption({ featureUsage, scope }: FeaturesProps) {
  const { shown, button } = useShowAll(featureUsage, TOP_ROWS, 'features');
  return (
    <BarsChart
      label="Feature adoption"
      most={100}
      rows={shown.map(({ feature, userCount, adoptionRate }) => ({
        key: feature,
        label: feature,
        value: adoptionRate ?? 0,
        text: `${formatCounted(userCount, 'user')} · ${rateText(adoptionRate)}`,
        look: SERIES_LOOKS[0],
      }))}
      table={{
        columns: [
          { name: 'Feature' },
          { name: 'Users', write: formatCount },
          { name: 'Adoption rate', unit: '%', write: formatRate },
        ],
        rows: featureUsage.map(({ feature, userCount, adoptionRate }) => [feature, userCount, adoptionRate]),
      }}
      empty="No features used"
      link={({ key, value }, drawn) => (
        // The bar counts known users, so its link selects only requests with a known user.
        <DrawnTracesLink
          search={value === 0 ? undefined : buildScopeSearch(scope, { feature: key, users: 'known' })}
        >
          {drawn}
        </DrawnTracesLink>
      )}
      actions={button}
    />
  );
}

type Feature = BusinessAnalytics['featureUsage'][number];

function Features({ featureUsage, scope, compare }: FeaturesProps & { readonly compare: boolean }) {
  const of = ({ feature }: Feature) => buildScopeSearch(scope, { feature });
  const ofKnown = (row: Feature): ViewChange => ({ ...of(row), users: 'known' });
  return (
    <RankTable
      label="Feature usage"
      rows={featureUsage}
      getKey={({ feature }) => feature}
      buildTraceLink={of}
      empty="No features used"
      columns={[
        {
          name: 'Feature',
          kind: 'text',
          value: ({ feature }) => feature,
          cell: (row) => <NamedTraces name={row.feature} search={of(row)} />,
        },
        countColumn('Requests', 'requestCount'),
        rateColumn('Usage rate', 'usageRate'),
        buildTracedColumn('Users', 'userCount', ofKnown),
        {
          ...rateColumn('Adoption rate', 'adoptionRate'),
          buildTraceLink: (row) => (row.userCount === 0 ? undefined : ofKnown(row)),
        },
        ...(compare
          ? [
              buildChangeColumn<Feature, 'usageRate'>('Usage vs. previous', 'usageRate'),
              buildChangeColumn<Feature, 'adoptionRate'>('Adoption vs. previous', 'adoptionRate'),
            ]
          : []),
      ]}
    />
  );
}
