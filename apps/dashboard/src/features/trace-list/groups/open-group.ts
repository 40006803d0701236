import { ViewParams } from '../../../shell/url-state/search-params.ts';
import { addQuery } from '../query-bar/query-params.ts';

/** Builds the URL parameters of the list of one group's requests. `view` contains the parameters of the page with the groups. */
export function openGroup(view: ViewParams, term: string): ViewParams {
  const { groupBy: _groupBy, groupSort: _groupSort, ...list } = view;
  return ViewParams.parse({ ...list, ...addQuery(list, term).change });
}
