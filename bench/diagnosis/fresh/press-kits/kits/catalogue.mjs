const files = (slug, names) => names.map(([name, bytes, tier = 'standard']) => ({ path: `${slug}/${name}`, bytes, tier }));

const kits = [
  { slug: 'salt-marsh', title: 'Salt Marsh', distributor: 'Kiel Film', liftsAt: null, regions: null, files: files('salt-marsh', [['poster.tif', 48_120_334], ['stills.zip', 210_882_010], ['trailer.mov', 640_002_118, 'premium']]) },
  { slug: 'night-ferry', title: 'Night Ferry', distributor: 'Baltic Pictures', liftsAt: null, regions: ['DE', 'NL', 'GB'], files: files('night-ferry', [['poster.tif', 39_450_020], ['notes.pdf', 1_204_551]]) },
  { slug: 'the-orchard', title: 'The Orchard', distributor: 'Kiel Film', liftsAt: null, regions: null, files: files('the-orchard', [['stills.zip', 99_310_774], ['interview.wav', 55_870_120, 'premium']]) },
  { slug: 'copper-hill', title: 'Copper Hill', distributor: 'Veldt', liftsAt: '2025-02-01T09:00:00Z', regions: null, files: files('copper-hill', [['poster.tif', 51_233_908], ['stills.zip', 180_440_213], ['notes.pdf', 988_120]]) },
];

export async function findKit(slug) {
  return kits.find((kit) => kit.slug === slug);
}
