import { type CapturedValue, type Trace, writeTerm } from '@throughline/contract';
import { classifyValue, listParts } from '@throughline/contract/captured';
import { REDACTED_TEXT } from '../copy/shell-word.ts';

/** An attribute that names the customer, or the group of users, on whose behalf a request was made. */
interface TenantAttribute {
  readonly name: string;
  readonly value: string;
  /** The filter of the trace list that matches this attribute. */
  readonly filter: string;
}

/** Words that mean a tenant. The name of a tenant attribute ends with such a word, or with such a word and an identifying word. */
const TENANT_WORDS: ReadonlySet<string> = new Set(
  'tenant organization organisation org account workspace company team merchant'.split(' '),
);
/** Words that can follow a word for a tenant, as in `tenantId`. */
const IDENTIFYING_WORDS: ReadonlySet<string> = new Set(
  'id uuid guid name key slug code number no'.split(' '),
);
/** The header has room for a few chips only. */
const MAX_TENANTS = 3;
/** Maximum length of a filter in the URL. */
const MAX_FILTER = 1000;

/** Finds the attributes of a request whose names mean a tenant, such as `tenant`, `org_id` or `app.workspace.name`. */
export function findTenants(attributes: Trace['attributes']): readonly TenantAttribute[] {
  return Object.entries(attributes)
    .flatMap(([name, value]) => {
      if (typeof value !== 'string' && typeof value !== 'number') return [];
      const text = String(value);
      const filter = writeAttributeFilter(name, text);
      const isShown = text !== '' && !text.includes(REDACTED_TEXT) && filter.length <= MAX_FILTER;
      return isShown && isTenantName(name) ? [{ name, value: text, filter }] : [];
    })
    .slice(0, MAX_TENANTS);
}

/** Returns the term that filters for a row of a request's attributes. Returns undefined for a part of an attribute's value. */
export function findAttributeTerm(attributes: CapturedValue, key: string): string | undefined {
  const [, index, ...deeper] = key.split('/');
  const child = deeper.length > 0 ? undefined : listParts(attributes).children[Number(index)];
  if (child?.label.kind !== 'key') return undefined;
  const shape = classifyValue(child.value);
  if (shape.kind !== 'simple' || String(shape.value).includes(REDACTED_TEXT)) return undefined;
  const filter = writeAttributeFilter(child.label.text, String(shape.value));
  return filter.length <= MAX_FILTER ? writeTerm('attribute', filter, false).text : undefined;
}

function isTenantName(name: string): boolean {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
  // `cloud.account.id` is no tenant: OpenTelemetry uses this name for the operator's own account at a cloud provider.
  if (words[0] === 'cloud') return false;
  const last = words.findLast((word) => !IDENTIFYING_WORDS.has(word));
  return last !== undefined && TENANT_WORDS.has(last);
}

/** Writes the value of the filter `attribute`: `name:value`. A name with a colon or a quote is in quotes. */
function writeAttributeFilter(name: string, value: string): string {
  return `${/[:"]/.test(name) ? JSON.stringify(name) : name}:${value}`;
}
