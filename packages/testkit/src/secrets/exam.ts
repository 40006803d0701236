import {
  HiddenTexts,
  Redactor,
  redactService,
  redactStepFields,
  redactTraceHead,
  StepIds,
} from '@throughline/contract/redaction';
import {
  type IngestEnvelope,
  type OrdinaryItem,
  type PlacedItem,
  placeInTrace,
  readableText,
  type SecretItem,
  showsOrdinary,
  showsSecret,
} from './item.ts';

const START = '2026-01-01T00:00:00.000Z';

/**
 * Redacts a body as the server does: by the rules first, and then by removing all other occurrences of the secrets that the rules found in
 * a trace.
 */
function redactBody(body: IngestEnvelope, redactor: Redactor): unknown {
  const found = new Set<string>();
  const redact = () => ({
    service: redactService(body.service, redactor),
    traces: body.traces.map(({ flow, ...head }) => {
      const ids = new StepIds(redactor);
      return {
        ...redactTraceHead(head, redactor),
        flow: flow.map((step) => redactStepFields(step, redactor, ids)),
      };
    }),
  });
  const once = redactor.collectSecrets(found, redact);
  return found.size === 0 ? once : redactor.hideSecrets(new HiddenTexts(found), redact);
}

function renderItem(item: PlacedItem, redactor: Redactor): string {
  return readableText(redactBody(placeInTrace(item, START), redactor));
}

/** Returns the secrets that stay readable after redaction. */
export function findReadable(secrets: readonly SecretItem[], redactor = new Redactor()): SecretItem[] {
  return secrets.filter((item) => showsSecret(renderItem(item, redactor), item));
}

/** Returns the ordinary values that are no longer readable after redaction. */
export function findHidden(values: readonly OrdinaryItem[], redactor = new Redactor()): OrdinaryItem[] {
  return values.filter((item) => !showsOrdinary(renderItem(item, redactor), item));
}
