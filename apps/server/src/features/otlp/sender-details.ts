import type { Redactor } from '@throughline/contract/redaction';
import type { Attributes, Sender } from './sent-span.ts';
import { TakenAttributes } from './taken-attributes.ts';

/** What a resource says of the service, by the fields that traces have for it, and the rest of it. */
export interface ServiceDetails {
  readonly service: {
    readonly name: string;
    readonly version: string;
    readonly environment: string;
    readonly release: string;
    readonly instance: string;
    readonly runtime: string;
  };
  readonly rest: Attributes;
  /** The whole resource as JSON text, redacted. */
  readonly json: string;
}

/** Reads each resource once, though all its spans ask. */
export function serviceReader(redactor: Redactor): (sender: Sender) => ServiceDetails {
  const known = new WeakMap<Attributes, ServiceDetails>();
  return ({ resource }) => {
    const before = known.get(resource);
    if (before !== undefined) return before;
    const details = readService(resource, redactor);
    known.set(resource, details);
    return details;
  };
}

function readService(resource: Attributes, redactor: Redactor): ServiceDetails {
  const taken = new TakenAttributes(resource);
  const version = taken.text('service.version') ?? '';
  const service = {
    name: taken.text('service.name') ?? '',
    version,
    environment: taken.text('deployment.environment.name', 'deployment.environment') ?? '',
    // OpenTelemetry has no release; the commit or else the version is what changes with one.
    release: taken.text('vcs.ref.head.revision') ?? version,
    instance: taken.text('service.instance.id', 'host.name') ?? '',
    runtime: [
      taken.text('process.runtime.name', 'telemetry.sdk.language'),
      taken.text('process.runtime.version'),
    ]
      .filter((part) => part !== undefined)
      .join(' '),
  };
  const shown = { ...resource };
  return { service, rest: taken.rest(), json: JSON.stringify(redactor.fields(shown)) };
}
