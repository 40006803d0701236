import { Menu } from '@mantine/core';
import type { QueryTerm } from '@throughline/contract';
import { useChangeView } from '../../../shell/url-state/search-params.ts';
import { useFocusBack } from '../../../ui/hooks/use-focus-back.ts';
import { useListParams } from '../filters/use-list-params.ts';
import classes from './query-bar.module.css';
import { addQuery } from './query-params.ts';
import { listRowTerms } from './row-terms.ts';
import type { OpenRowMenu } from './use-row-menu.ts';

interface RowMenuProps {
  readonly opened: OpenRowMenu;
  readonly onClose: () => void;
}

/** Menu of a row's values: each value can be filtered for or filtered out. */
export function RowMenu({ opened: { row, left, top }, onClose }: RowMenuProps) {
  useFocusBack();
  const view = useListParams();
  const change = useChangeView();
  const renderItem = (term: QueryTerm) => (
    <Menu.Item
      key={term.text}
      onClick={() => change(addQuery(view, term.text).change ?? {}, { replace: true })}
    >
      <span className={`mono ${classes.term}`}>{term.text}</span>
    </Menu.Item>
  );
  return (
    <Menu opened onClose={onClose} position="bottom-start">
      <Menu.Target>
        <button
          type="button"
          className={classes.menuPlace}
          style={{ left, top }}
          tabIndex={-1}
          aria-label="Filter by this row"
        />
      </Menu.Target>
      <Menu.Dropdown className={classes.menu ?? ''}>
        <Menu.Label>Filter for</Menu.Label>
        {listRowTerms(row, false).map(renderItem)}
        <Menu.Label>Filter out</Menu.Label>
        {listRowTerms(row, true).map(renderItem)}
      </Menu.Dropdown>
    </Menu>
  );
}
