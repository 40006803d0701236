/** What the environment says about this run of the shop. */
export interface Settings {
  /** 0: any free port. */
  readonly port: number;
  /** Whether visitors come by themselves. */
  readonly visitors: boolean;
}

/** Reads `DEMO_PORT` (3002) and `DEMO_TRAFFIC` (`on`, or `off`). Throws an Error that names the wrong one and what it may be. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const port = env.DEMO_PORT ?? '3002';
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new Error(`DEMO_PORT is a port number, 0 to 65535; not "${port}"`);
  }
  const traffic = env.DEMO_TRAFFIC ?? 'on';
  if (traffic !== 'on' && traffic !== 'off')
    throw new Error(`DEMO_TRAFFIC is "on" or "off"; not "${traffic}"`);
  return { port: Number(port), visitors: traffic === 'on' };
}
