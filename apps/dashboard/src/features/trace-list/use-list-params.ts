import { getRouteApi } from '@tanstack/react-router';
import { Narrowing, ViewParams } from '../../shell/search-params.ts';

const route = getRouteApi('/signed-in');
const ListParams = Narrowing.extend(ViewParams.pick({ trace: true }).shape);

/** Of the address, what the list depends on alone: walking through an open trace's steps must not draw the list again. */
export function useListParams() {
  return route.useSearch({ select: (view) => ListParams.parse(view), structuralSharing: true });
}
