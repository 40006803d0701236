const RANK = { standard: 1, premium: 2 };

function refusal(code, message, statusCode = 403) {
  return Object.assign(new Error(message), { code, statusCode });
}

export function isUnderEmbargo(kit, now) {
  if (kit.liftsAt === null) return false;
  return new Date(kit.liftsAt) <= now;
}

export function isInRegion(kit, journalist) {
  return kit.regions === null || journalist.regions.some((region) => kit.regions.includes(region));
}

export function visibleFiles(kit, journalist) {
  return kit.files.filter((file) => RANK[file.tier] <= RANK[journalist.tier]);
}

export function assertReadable(kit, journalist, now) {
  if (!journalist?.tier) throw refusal('NOT_ACCREDITED', 'press accreditation required', 401);
  if (!isInRegion(kit, journalist)) throw refusal('REGION', `${kit.title} is not released in your region`);
  if (isUnderEmbargo(kit, now)) throw refusal('EMBARGO', `${kit.title} is under embargo`);
}
