const zones = new Map([
  ['domestic', { base: 4.5, perKg: 0.8 }],
  ['eu', { base: 9, perKg: 1.6 }],
  ['world', { base: 18, perKg: 4.2 }],
]);

export async function loadZone(name) {
  await new Promise((resolve) => setTimeout(resolve, 2));
  return zones.get(name);
}

export function billableWeight(parcel) {
  const volumetric = (parcel.length * parcel.width * parcel.height) / 5000;
  return Math.ceil(Math.max(parcel.weight, volumetric));
}

export function isOversized(parcel) {
  const sides = [parcel.length, parcel.width, parcel.height].sort((a, b) => b - a);
  const girth = sides[0] + 2 * (sides[1] + sides[2]);
  return sides[0] > 120 || girth > 300;
}
