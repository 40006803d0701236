import { dimensions, fontFor, wrap } from './layout.mjs';

const TITLES = { en: 'Ship to', de: 'An', sv: 'Till', pt: 'Para' };

function textBlock(lines, font, top) {
  return lines.map((line, at) => `^FO20,${top + at * (font.size + 6)}^A${font.name},${font.size}^FD${line}^FS`);
}

function barcode(number, size) {
  return `^FO20,${size.height - 110}^BCN,80,Y,N,N^FD${number}^FS`;
}

export function render(shipment, profile) {
  const size = dimensions(profile);
  const font = fontFor(size);
  const lines = [TITLES[profile.language], ...shipment.address.flatMap((line) => wrap(line, 28))];
  const commands = [
    '^XA',
    `^PW${size.width}`,
    `^LL${size.height}`,
    `^MD${profile.darkness}`,
    ...textBlock(lines, font, 24),
    barcode(shipment.number, size),
    profile.cut ? '^MMC' : '^MMT',
    '^XZ',
  ];
  return { zpl: commands.join('\n'), size };
}
