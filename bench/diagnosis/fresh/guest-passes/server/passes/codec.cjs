const VERSION = 'gp1';

function parts(pass) {
  const [version, payload, check] = pass.split('.');
  if (version !== VERSION || !payload) throw Object.assign(new Error('unreadable pass'), { status: 400 });
  return { payload, check };
}

/** A pass is printed as a QR code: the version, base64 of JSON in UTF-8, and a check digit. */
function decodePass(pass) {
  const { payload, check } = parts(pass);
  const { guest, host, day, lift } = JSON.parse(atob(payload));
  return { guest, host, day, lift, check };
}

function checkDigit(payload) {
  let sum = 0;
  for (const character of payload) sum = (sum * 31 + character.charCodeAt(0)) % 97;
  return String(sum).padStart(2, '0');
}

function isGenuine(pass) {
  const { payload, check } = parts(pass);
  return checkDigit(payload) === check;
}

module.exports = { decodePass, isGenuine, checkDigit };
