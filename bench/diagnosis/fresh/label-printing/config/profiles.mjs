export const BUILT_IN = { media: '100x150', dpi: 203, darkness: 12, speed: 4, cut: false, language: 'en' };

export const SITES = {
  hamburg: { language: 'de', darkness: 14 },
  malmo: { language: 'sv', media: '105x148', cut: true },
  porto: { language: 'pt' },
};

export const STATIONS = {
  'ham-pack-1': {},
  'ham-pack-2': { dpi: 300 },
  'mal-pack-1': {},
  'mal-pack-4': { dpi: 300, speed: 3 },
  'mal-jewel-1': { media: '62x29', dpi: 300 },
  'por-pack-1': { media: '62x29' },
};
