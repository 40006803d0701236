const EMAIL = /^([a-z0-9]+[._+-]?)+@([a-z0-9-]+\.)+[a-z]{2,}$/;
const PHONE = /^\+?\d{6,15}$/;

export function looksLikePhone(value) {
  return PHONE.test(value.replace(/[()/-]/g, ''));
}

export function looksLikeEmail(value) {
  return EMAIL.test(value.toLowerCase());
}

function looksLikeLink(value) {
  return value.startsWith('https://') || value.startsWith('www.');
}

export function classify(value) {
  if (looksLikePhone(value)) return { kind: 'phone', value: value.replace(/[^+\d]/g, '') };
  if (looksLikeLink(value)) return { kind: 'link', value };
  if (looksLikeEmail(value)) return { kind: 'email', value: value.toLowerCase() };
  return { kind: 'handle', value };
}
