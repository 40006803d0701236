import { MAX_CHARACTERS, SPAN_LIMITS } from '@throughline/contract';
import { type Redactor, redactService } from '@throughline/contract/redaction';
import { type Attributes, type Sender, setAttribute } from '../decode/sent-span.ts';
import { cutSecretText } from './cut-text.ts';
import { TakenAttributes } from './taken-attributes.ts';

/** The service that a resource describes, with the same fields as in traces, and the resource's other attributes. */
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
  /** The resource as redacted JSON, limited in size because it is stored with each step. */
  readonly json: string;
}

/** Returns a function that reads each resource only once for all its spans. */
export function createServiceReader(redactor: Redactor): (sender: Sender) => ServiceDetails {
  const known = new WeakMap<Attributes, ServiceDetails>();
  return ({ resource }) => {
    // While the redactor hides the secrets of one trace, a cached result could not be used for other traces.
    if (redactor.hidesSecrets) return readService(resource, redactor);
    const before = known.get(resource);
    if (before !== undefined) return before;
    const details = readService(resource, redactor);
    known.set(resource, details);
    return details;
  };
}

function readService(resource: Attributes, redactor: Redactor): ServiceDetails {
  const taken = new TakenAttributes(resource);
  const text = (...names: readonly string[]) => {
    const found = taken.text(...names);
    return found === undefined ? undefined : cutSecretText(found, MAX_CHARACTERS.service, redactor);
  };
  const version = text('service.version') ?? '';
  const runtime = [
    text('process.runtime.name', 'telemetry.sdk.language'),
    text('process.runtime.version'),
  ].filter((part) => part !== undefined);
  const service = {
    name: text('service.name') ?? '',
    version,
    environment: text('deployment.environment.name', 'deployment.environment') ?? '',
    // OpenTelemetry has no attribute for the release, so the commit is used, otherwise the version.
    release: text('vcs.ref.head.revision') ?? version,
    instance: text('service.instance.id', 'host.name') ?? '',
    runtime: cutSecretText(runtime.join(' '), MAX_CHARACTERS.service, redactor),
  };
  return {
    service: redactService(service, redactor),
    rest: taken.rest(),
    json: writeWithin(redactor.fields({ ...resource }), MAX_STEP_BYTES),
  };
}

/**
 * Writes the attributes as JSON, in order. Omits attributes that would exceed `maxBytes` and then adds the number of omitted attributes.
 */
function writeWithin(attributes: Attributes, maxBytes: number): string {
  const json = JSON.stringify(attributes);
  if (Buffer.byteLength(json) <= maxBytes) return json;
  const fitting: Attributes = {};
  let bytes = 0;
  let dropped = 0;
  for (const [name, value] of Object.entries(attributes)) {
    const own = Buffer.byteLength(JSON.stringify({ [name]: value }));
    if (bytes + own > maxBytes) dropped += 1;
    else {
      bytes += own;
      setAttribute(fitting, name, value);
    }
  }
  return JSON.stringify({ ...fitting, [DROPPED]: dropped });
}

const MAX_STEP_BYTES = SPAN_LIMITS.stepResourceBytes.max;
const DROPPED = 'otel.dropped_attributes_count';
