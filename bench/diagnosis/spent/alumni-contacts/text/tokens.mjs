const SEPARATOR = /[,;\n]/;

function clean(token) {
  return token.trim().replace(/^[a-z]+:\s+/i, '');
}

export function tokens(text) {
  return text
    .split(SEPARATOR)
    .map(clean)
    .filter((token) => token.length > 0);
}
