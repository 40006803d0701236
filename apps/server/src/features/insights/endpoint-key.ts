/** An endpoint of a service in one environment. */
export interface EndpointPlace {
  readonly service: string;
  readonly environment: string;
  readonly method: string;
  readonly path: string;
}

export function buildEndpointKey({ service, environment, method, path }: EndpointPlace): string {
  return JSON.stringify([service, environment, method, path]);
}
