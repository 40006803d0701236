import { NativeSelect } from '@mantine/core';
import { GROUP_FIELDS } from '@throughline/contract';
import { useChangeView, ViewParams } from '../../../shell/url-state/search-params.ts';
import { useListParams } from '../filters/use-list-params.ts';
import classes from '../trace-list.module.css';
import { GROUP_NAMES } from './group-names.ts';

const NONE = 'none';

export function GroupBySelect() {
  const { groupBy } = useListParams();
  const change = useChangeView();
  return (
    <NativeSelect
      aria-label="Group by"
      leftSection={<span className={classes.filterName}>Group by</span>}
      leftSectionWidth={70}
      w={172}
      className={classes.groupBy ?? ''}
      data={[
        { value: NONE, label: 'None' },
        ...GROUP_FIELDS.map((value) => ({ value, label: GROUP_NAMES[value].field })),
      ]}
      value={groupBy ?? NONE}
      onChange={({ currentTarget: { value } }) =>
        change(ViewParams.pick({ groupBy: true }).parse({ groupBy: value }), { replace: true })
      }
    />
  );
}
