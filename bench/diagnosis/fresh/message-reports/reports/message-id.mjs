const LINK = /\/channels\/[\w-]+\/(\d+)$/;

/** Reporters paste an id or the link of a message. */
export function idFromReference(reference) {
  const link = LINK.exec(reference);
  return link ? link[1] : reference.trim();
}

export function parseMessageId(raw) {
  const id = Number(raw);
  if (!Number.isInteger(id) || id <= 0) throw Object.assign(new Error(`not a message id: ${raw}`), { status: 400 });
  return String(id);
}
