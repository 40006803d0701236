const MM_PER_INCH = 25.4;

export function dimensions({ media, dpi }) {
  const [widthMm, heightMm] = media.split('x').map(Number);
  const dots = (mm) => Math.round((mm / MM_PER_INCH) * dpi);
  return { widthMm, heightMm, width: dots(widthMm), height: dots(heightMm) };
}

export function fontFor({ heightMm }) {
  return heightMm < 50 ? { name: 'A', size: 18 } : { name: '0', size: 36 };
}

export function wrap(text, maxChars) {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.length - 1;
    if (`${lines[last]} ${word}`.trim().length <= maxChars) lines[last] = `${lines[last]} ${word}`.trim();
    else lines.push(word);
  }
  return lines;
}
