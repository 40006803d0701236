import { randomUUID } from 'node:crypto';
import { calibrate, energyMean, loudest, percentile } from './acoustics.mjs';
import { findLimit, verdict } from './limits.mjs';

export class ReportService {
  constructor(sites) {
    this.sites = sites;
  }

  async daily(code, day) {
    const [site, raw] = await Promise.all([this.sites.find(code), this.sites.samplesOf(code, day)]);
    const levels = calibrate(raw, site.offset);
    const figures = this.figures(levels);
    const result = verdict(figures.l10, findLimit(site.zone));
    return {
      id: randomUUID(),
      site: site.name,
      day,
      ...figures,
      ...result,
      text: this.summary(site, result),
    };
  }

  figures(levels) {
    return {
      leq: energyMean(levels),
      l10: percentile(levels, 0.9),
      peak: loudest(levels),
      samples: levels.length,
    };
  }

  summary(site, { passed, excess }) {
    return passed ? `${site.name} is within its limit` : `${site.name} is ${excess} dB over its limit`;
  }
}
