import type { InstrumentedSite } from '../../record/types.ts';

const kinds = ['sync', 'async', 'generator', 'async-generator'] as const;

/**
 * A site as stored: name, file, line, kind, inputs, bindings, how many bindings are parameters, whether the function
 * returns a value, last line.
 */
export type CachedSite = readonly [
  string,
  string,
  number,
  InstrumentedSite['kind'],
  readonly string[],
  readonly string[],
  number,
  boolean,
  number,
];

/** Lists the facts about a function that come from its source, without the role that a framework gives it later. */
export function toCachedSite(site: InstrumentedSite): CachedSite {
  return [
    site.name,
    site.file,
    site.line,
    site.kind,
    site.inputs,
    site.bindings,
    site.parameters,
    site.returns,
    site.lastLine ?? 0,
  ];
}

/** Parses a list of sites. Returns undefined if the JSON is not such a list. */
export function readSites(json: string): InstrumentedSite[] | undefined {
  const sites: InstrumentedSite[] = [];
  const list = parseSites(json);
  if (!Array.isArray(list)) return undefined;
  for (const item of list) {
    const site = parseSite(item);
    if (site === undefined) return undefined;
    sites.push(site);
  }
  return sites;
}

function parseSites(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function parseSite(item: unknown): InstrumentedSite | undefined {
  if (!Array.isArray(item)) return undefined;
  const [name, file, line, kind, inputs, bindings, parameters, returns, lastLine]: unknown[] = item;
  const known = kinds.find((one) => one === kind);
  return typeof name === 'string' &&
    typeof file === 'string' &&
    typeof line === 'number' &&
    known !== undefined &&
    isNames(inputs) &&
    isNames(bindings) &&
    typeof parameters === 'number' &&
    typeof returns === 'boolean' &&
    typeof lastLine === 'number'
    ? {
        name,
        file,
        line,
        kind: known,
        inputs,
        bindings,
        parameters,
        returns,
        ...(lastLine > 0 && { lastLine }),
      }
    : undefined;
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}
