/** How much of a function is recorded: its values, only its calls, or nothing. */
export type Level = 'values' | 'structure' | 'off';

/** Recording level of one function or route, with the number and the cost of its calls. */
export interface SiteUse {
  level: Level;
  /** Number of calls since the last adjustment of levels, whatever was recorded of them. */
  readonly calls: number;
  /** The number to which `calls` would rise if the service were as busy as at its recent busiest time. At least `calls`. */
  readonly busyCalls: number;
  /** CPU time per call at each level, in µs; undefined if not measured yet. */
  readonly perCall: { readonly values: number | undefined; readonly structure: number | undefined };
}

const below = { values: 'structure', structure: 'off', off: 'off' } as const;
const above = { off: 'structure', structure: 'values', values: 'values' } as const;
/** Cost of a call without values, as a share of the cost of a call with values. Assumed until both are measured. */
const structureShare = 0.25;
/** A level is raised only if the cost of all functions then stays below this share of the allowance, so that levels do not oscillate. */
const filledAtMost = 0.8;

/** Returns the CPU time in µs that recording `calls` calls of a function takes at a level. */
export function computeCost(site: SiteUse, level: Level, calls = site.calls): number {
  if (level === 'off') return 0;
  const { perCall } = site;
  const structure = perCall.structure ?? (perCall.values ?? 0) * structureShare;
  return calls * (level === 'values' ? (perCall.values ?? structure / structureShare) : structure);
}

/**
 * Changes levels so that all functions together, and `fixed` µs of other costs, take at most `allowance` µs. Above the allowance, lowers
 * the most expensive functions first, one level at a time and not below `lowest`. Otherwise raises the cheapest functions first, as far as
 * the allowance suffices even when the service is busy. Returns the number of changed functions.
 */
export function adjustLevels(
  sites: Iterable<SiteUse>,
  allowance: number,
  fixed: number,
  lowest: 'structure' | 'off' = 'off',
): number {
  const all = [...sites];
  let total = all.reduce((sum, site) => sum + computeCost(site, site.level), fixed);
  return total > allowance ? stepDown() : stepUp();

  function stepDown(): number {
    const lowered = new Set<SiteUse>();
    while (total > allowance) {
      const hottest = findHottest(all, lowest);
      if (hottest === undefined) break;
      total -= computeCost(hottest, hottest.level);
      hottest.level = below[hottest.level];
      total += computeCost(hottest, hottest.level);
      lowered.add(hottest);
    }
    return lowered.size;
  }

  function stepUp(): number {
    const raised = new Set<SiteUse>();
    const busy = (site: SiteUse, level: Level) => computeCost(site, level, site.busyCalls);
    const added = (site: SiteUse) => busy(site, above[site.level]) - busy(site, site.level);
    let busyTotal = all.reduce((sum, site) => sum + busy(site, site.level), fixed);
    const candidates = all.filter((site) => site.level !== 'values').sort((a, b) => added(a) - added(b));
    for (const site of candidates) {
      const more = added(site);
      if (busyTotal + more > allowance * filledAtMost) break;
      busyTotal += more;
      site.level = above[site.level];
      raised.add(site);
    }
    return raised.size;
  }
}

/** Finds the most expensive function that can be lowered; undefined if there is none. */
function findHottest(sites: readonly SiteUse[], lowest: Level): SiteUse | undefined {
  let hottest: SiteUse | undefined;
  let most = 0;
  for (const site of sites) {
    if (site.level === lowest) continue;
    const cost = computeCost(site, site.level);
    if (cost > most) [hottest, most] = [site, cost];
  }
  return hottest;
}
