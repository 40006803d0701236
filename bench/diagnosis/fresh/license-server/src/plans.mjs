const PLANS = {
  solo: ['edit', 'export-png'],
  team: ['edit', 'export-png', 'export-pdf', 'share'],
  studio: ['edit', 'export-png', 'export-pdf', 'export-geotiff', 'share', 'scripting'],
};
const SINCE = { scripting: '4.0', 'export-geotiff': '3.5' };

function isAtLeast(version, needed) {
  const [major, minor] = version.split('.').map(Number);
  const [wantedMajor, wantedMinor] = needed.split('.').map(Number);
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}

export function listEntitlements(plan, state, appVersion) {
  if (state === 'expired') return ['view'];
  const features = PLANS[plan].filter((name) => !SINCE[name] || isAtLeast(appVersion, SINCE[name]));
  return ['view', ...features];
}
