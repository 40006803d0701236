export function encodeCursor({ at, id }) {
  return Buffer.from(`${at}|${id}`).toString('base64url');
}

export function decodeCursor(text) {
  const [at, id] = Buffer.from(text, 'base64url').toString('utf8').split('|');
  if (!id || Number.isNaN(Date.parse(at))) {
    throw Object.assign(new Error('the cursor is not valid'), { status: 400 });
  }
  return { at, id };
}
