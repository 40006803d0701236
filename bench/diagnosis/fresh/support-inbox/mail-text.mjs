export function toPlainText(text) {
  return text.replaceAll('\r\n', '\n').replaceAll('\u00a0', ' ').trim();
}

export function stripQuotes(text) {
  return text
    .split('\n')
    .filter((line) => !line.startsWith('>'))
    .join('\n');
}
