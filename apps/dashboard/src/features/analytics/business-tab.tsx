import { type BusinessAnalytics, formatCount, formatRate } from '@throughline/contract';
import { BarsChart } from '../../visuals/plots/bars-chart.tsx';
import { SERIES_LOOKS } from '../../visuals/plots/plot-colours.ts';
import classes from './analytics.module.css';
import { EndpointCell } from './endpoint-cell.tsx';
import { Funnel } from './funnel.tsx';
import { useBusiness } from './queries.ts';
import { RankTable } from './rank-table.tsx';
import type { TabProps } from './scope.ts';
import { TabBody } from './tab-body.tsx';
import { linkSearch } from './trace-links.ts';
import { useShowAll } from './use-show-all.tsx';

export function BusinessTab({ scope, project }: TabProps) {
  return (
    <TabBody
      what="Business intelligence"
      query={useBusiness(scope)}
      tiles={2}
      isEmpty={({ endpointUsage }) => endpointUsage.length === 0}
      empty={{
        title: 'No business data in this range',
        hint: 'What is used, and by how many, appears here once requests of this project are traced.',
      }}
    >
      {(business) => (
        <>
          <div className={classes.wide}>
            <EndpointUsage endpointUsage={business.endpointUsage} />
          </div>
          <Adoption featureUsage={business.featureUsage} />
          <Features featureUsage={business.featureUsage} />
          <div className={classes.wide}>
            <Funnel scope={scope} project={project} business={business} />
          </div>
        </>
      )}
    </TabBody>
  );
}

const rate = (value: number | null) => (value === null ? '–' : formatRate(value));

function EndpointUsage({ endpointUsage }: Pick<BusinessAnalytics, 'endpointUsage'>) {
  return (
    <RankTable
      label="Endpoint Usage"
      rows={endpointUsage}
      keyOf={({ endpoint }) => endpoint}
      empty="No endpoint was asked for."
      columns={[
        { name: 'Endpoint', cell: (row) => <EndpointCell {...row} search={linkSearch(row.traces)} /> },
        { name: 'Requests', figure: true, cell: ({ requestCount }) => formatCount(requestCount) },
        { name: 'Usage Rate', figure: true, cell: ({ usageRate }) => rate(usageRate) },
      ]}
    />
  );
}

function Adoption({ featureUsage }: Pick<BusinessAnalytics, 'featureUsage'>) {
  const { shown, button } = useShowAll(featureUsage);
  return (
    <BarsChart
      label="Feature adoption"
      most={100}
      rows={shown.map(({ feature, userCount, adoptionRate }) => ({
        key: feature,
        label: feature,
        value: adoptionRate ?? 0,
        text: `${formatCount(userCount)} users · ${rate(adoptionRate)}`,
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
      empty="No feature was used."
      actions={button}
    />
  );
}

function Features({ featureUsage }: Pick<BusinessAnalytics, 'featureUsage'>) {
  return (
    <RankTable
      label="Feature Usage"
      rows={featureUsage}
      keyOf={({ feature }) => feature}
      empty="No feature was used."
      minWidth={400}
      columns={[
        { name: 'Feature', cell: ({ feature }) => <span className="mono">{feature}</span> },
        { name: 'Requests', figure: true, cell: ({ requestCount }) => formatCount(requestCount) },
        { name: 'Usage Rate', figure: true, cell: ({ usageRate }) => rate(usageRate) },
        { name: 'Users', figure: true, cell: ({ userCount }) => formatCount(userCount) },
        { name: 'Adoption Rate', figure: true, cell: ({ adoptionRate }) => rate(adoptionRate) },
      ]}
    />
  );
}
