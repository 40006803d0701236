import type { QueryParams } from '../../platform/trace-store/index.ts';
import { ENDPOINT } from './names-store.ts';

/** A part of a project's requests. A field that is null or absent does not restrict the part. */
export interface RequestPart {
  readonly service?: string | null;
  readonly environment?: string | null;
  /** Method and route, such as `GET /orders/:id`. */
  readonly endpoint?: string | null;
}

const CONDITIONS = {
  service: 'service = {service:String}',
  environment: 'environment = {environment:String}',
  endpoint: `concat(method, ' ', ${ENDPOINT}) = {endpoint:String}`,
} as const satisfies Record<keyof RequestPart, string>;

/** Builds SQL conditions that select a part, each condition preceded by AND, and the parameters of the conditions. */
export function selectPart(part: RequestPart): { readonly sql: string; readonly params: QueryParams } {
  const names = (['service', 'environment', 'endpoint'] as const).filter(
    (name) => (part[name] ?? null) !== null,
  );
  return {
    sql: names.map((name) => ` AND ${CONDITIONS[name]}`).join(''),
    params: Object.fromEntries(names.map((name) => [name, part[name] ?? ''])),
  };
}
