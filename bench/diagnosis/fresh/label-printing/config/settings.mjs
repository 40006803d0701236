import { BUILT_IN, SITES, STATIONS } from './profiles.mjs';

const PREFIXES = { ham: 'hamburg', mal: 'malmo', por: 'porto' };

export function findSite(station) {
  return PREFIXES[station.slice(0, 3)];
}

function layered(...layers) {
  return layers.reduce((merged, layer) => ({ ...merged, ...layer }), {});
}

/** The built-in settings, adapted by the site and then by the station. */
export class Settings {
  for(station) {
    const own = STATIONS[station];
    if (!own) throw Object.assign(new Error(`unknown station ${station}`), { status: 404 });
    return this.profile(own, SITES[findSite(station)]);
  }

  profile(own, site) {
    return layered(BUILT_IN, own, site);
  }
}
