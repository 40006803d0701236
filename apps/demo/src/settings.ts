/** The settings of this run of the shop, from the environment. */
export interface Settings {
  /** Port; 0 selects a free port. */
  readonly port: number;
  /** True if the shop simulates its own visitors. */
  readonly visitors: boolean;
  readonly release: (typeof RELEASES)[number];
}

/** Releases of the shop that can be run, oldest first. */
export const RELEASES = ['1.4.0', '1.5.0'] as const;

/**
 * Parses `DEMO_PORT` (default 3002), `DEMO_TRAFFIC` (`on`, `off`) and `DEMO_RELEASE` (`1.5.0`, `1.4.0`). The error names the invalid
 * setting.
 */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const port = env.DEMO_PORT ?? '3002';
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new Error(`DEMO_PORT is a port number, 0 to 65535; not "${port}"`);
  }
  const traffic = env.DEMO_TRAFFIC ?? 'on';
  if (traffic !== 'on' && traffic !== 'off')
    throw new Error(`DEMO_TRAFFIC is "on" or "off"; not "${traffic}"`);
  const wanted = env.DEMO_RELEASE ?? '1.5.0';
  const release = RELEASES.find((one) => one === wanted);
  if (release === undefined) throw new Error(`DEMO_RELEASE is ${RELEASES.join(' or ')}; not "${wanted}"`);
  return { port: Number(port), visitors: traffic === 'on', release };
}
