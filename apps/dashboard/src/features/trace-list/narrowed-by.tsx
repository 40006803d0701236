import { CloseButton, Group } from '@mantine/core';
import { useChangeView } from '../../shell/search-params.ts';
import classes from './trace-list.module.css';
import { useListParams } from './use-list-params.ts';

const NAMES = {
  method: 'Method',
  code: 'Status code',
  route: 'Route',
  service: 'Service',
  environment: 'Environment',
  release: 'Release',
} as const;
const KEYS = ['method', 'code', 'route', 'service', 'environment', 'release'] as const;

interface NarrowedByProps {
  /** Methods that the bar itself shows. */
  readonly methods: readonly string[];
}

/** What narrows the list besides what its bar shows: from a link, such as a figure's. Each can be taken away. */
export function NarrowedBy({ methods }: NarrowedByProps) {
  const params = useListParams();
  const change = useChangeView();
  const set = KEYS.flatMap((key) => {
    const value = params[key];
    return value === undefined || (key === 'method' && methods.includes(value)) ? [] : [{ key, value }];
  });
  if (set.length === 0) return null;
  return (
    <Group gap="xs" mb="xs" role="group" aria-label="Narrowed to">
      {set.map(({ key, value }) => (
        <span key={key} className={classes.narrowed}>
          <span className={classes.filterName}>{NAMES[key]}</span>
          <span className="mono">{value}</span>
          <CloseButton
            size={24}
            aria-label={`Take away ${NAMES[key].toLowerCase()} ${value}`}
            onClick={() => change({ [key]: undefined }, { replace: true })}
          />
        </span>
      ))}
    </Group>
  );
}
