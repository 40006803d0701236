import { getRouteApi } from '@tanstack/react-router';

const route = getRouteApi('/signed-in');

/** Of the address, what the list depends on alone: walking through an open trace's steps must not draw the list again. */
export function useListParams() {
  return route.useSearch({
    select: ({
      q,
      status,
      method,
      from,
      to,
      min,
      max,
      code,
      route,
      service,
      environment,
      release,
      trace,
    }) => ({
      q,
      status,
      method,
      from,
      to,
      min,
      max,
      code,
      route,
      service,
      environment,
      release,
      trace,
    }),
    structuralSharing: true,
  });
}
