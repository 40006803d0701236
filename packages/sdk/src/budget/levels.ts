/** How much of a function is recorded: its values, its calls alone, or nothing. */
export type Level = 'values' | 'structure' | 'off';

/** One function's share, as far as it was seen. */
export interface SiteUse {
  level: Level;
  /** Calls in the time looked at, whatever was recorded of them. */
  readonly calls: number;
  /** CPU time of one call by level, in µs; undefined where it was not seen yet. */
  readonly perCall: { readonly values: number | undefined; readonly structure: number | undefined };
}

const below = { values: 'structure', structure: 'off', off: 'off' } as const;
const above = { off: 'structure', structure: 'values', values: 'values' } as const;
/** The assumed cost of a call without values, as a share of one with values, until it is measured. */
const structureShare = 0.25;
/** Steps up are taken only where so much of the allowance would still be free, so that levels do not swing. */
const filledAtMost = 0.8;

/** µs that a function's calls take at a level. */
export function costAt({ calls, perCall }: SiteUse, level: Level): number {
  if (level === 'off') return 0;
  const structure = perCall.structure ?? (perCall.values ?? 0) * structureShare;
  return calls * (level === 'values' ? (perCall.values ?? structure / structureShare) : structure);
}

/**
 * Changes levels so that all functions together take at most `allowance` µs, `fixed` µs of other costs included: down, the hottest first, one step at a
 * time and none below `lowest`; up, the coolest first, where there is room. Returns how many were changed.
 */
export function adjustLevels(
  sites: Iterable<SiteUse>,
  allowance: number,
  fixed: number,
  lowest: 'structure' | 'off' = 'off',
): number {
  const all = [...sites];
  let total = all.reduce((sum, site) => sum + costAt(site, site.level), fixed);
  return total > allowance ? stepDown() : stepUp();

  function stepDown(): number {
    const lowered = new Set<SiteUse>();
    while (total > allowance) {
      const hottest = findHottest(all, lowest);
      if (hottest === undefined) break;
      total -= costAt(hottest, hottest.level);
      hottest.level = below[hottest.level];
      total += costAt(hottest, hottest.level);
      lowered.add(hottest);
    }
    return lowered.size;
  }

  function stepUp(): number {
    const raised = new Set<SiteUse>();
    const added = (site: SiteUse) => costAt(site, above[site.level]) - costAt(site, site.level);
    const candidates = all.filter((site) => site.level !== 'values').sort((a, b) => added(a) - added(b));
    for (const site of candidates) {
      const more = added(site);
      if (total + more > allowance * filledAtMost) break;
      total += more;
      site.level = above[site.level];
      raised.add(site);
    }
    return raised.size;
  }
}

/** The one that costs most now of those that can be lowered; undefined where there is none. */
function findHottest(sites: readonly SiteUse[], lowest: Level): SiteUse | undefined {
  let hottest: SiteUse | undefined;
  let most = 0;
  for (const site of sites) {
    if (site.level === lowest) continue;
    const cost = costAt(site, site.level);
    if (cost > most) [hottest, most] = [site, cost];
  }
  return hottest;
}
