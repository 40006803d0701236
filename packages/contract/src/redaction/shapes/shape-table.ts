/**
 * Prefixes of services' keys. An entry has a prefix, the kind of the characters after it, and their minimum number, which is less than in a
 * complete key because strings can be cut off. A second number is the exact number of characters. `!` marks prefixes that ordinary words
 * have, too; such a key must contain a digit. To add a key, add an entry.
 *
 * Written for this product from the services' documentation and the public rule lists of gitleaks (MIT,
 * https://github.com/gitleaks/gitleaks) and secretlint (MIT, https://github.com/secretlint/secretlint).
 */
const TABLE = `
  sk_ alnum 24 ! | ST- word 24 ! | oauth: alnum 28 ! | live_ alnum 28 ! | open.feishu.cn/open-apis/bot/v2/hook/ word 30 | open.larksuite.com/open-apis/bot/v2/hook/ word 30
  4/0A word 24 | 4%2F0A word 24 |
  tl_ alnum 24 | tlr_ alnum 24 | sess_ alnum 14 !
  sk_live_ alnum 8 | sk_test_ alnum 8 | sk_prod_ alnum 8 | rk_live_ alnum 8 | rk_test_ alnum 8 | rk_prod_ alnum 8 | whsec_ base64 16
  ghp_ alnum 20 | gho_ alnum 20 | ghu_ alnum 20 | ghs_ alnum 20 | ghr_ alnum 20 | github_pat_ word 20
  glpat- word 12 | gldt- word 12 | glptt- word 12 | glrt- word 12 | glcbt- word 12 | glft- word 12 | glimt- word 12 | glagent- word 12 | glsoat- word 12
  gloas- word 12 | glffct- word 12 | GR1348941 word 12
  AKIA caps 16 16 | ASIA caps 16 16 | ABIA caps 16 16 | A3T caps 17 17
  AIza word 30 | ya29. word 20 | GOCSPX- word 20
  xoxb- dotted 10 | xoxp- dotted 10 | xoxa- dotted 10 | xoxr- dotted 10 | xoxs- dotted 10 | xoxo- dotted 10 | xoxe- dotted 10 | xoxe. dotted 10 | xoxc- dotted 10
  xoxd- base64 10 | xapp- dotted 10 | xwfp- dotted 10 | hooks.slack.com/services/ base64 16 | hooks.slack.com/workflows/ base64 16
  hooks.slack.com/triggers/ base64 16 | discord.com/api/webhooks/ base64 30 | discordapp.com/api/webhooks/ base64 30 | api.telegram.org/bot colon 24
  webhook.office.com/webhookb2/ url 60 | outlook.office.com/webhook/ url 60 | UGFzc3dvcmQ6 word 0 | hooks.zapier.com/hooks/catch/ base64 12 | maker.ifttt.com/trigger/ url 24
  pbkdf2_ hash 40 | pbkdf2: hash 40 | pbkdf2$ hash 40 | scrypt: hash 40 | scrypt$ hash 40 | bcrypt_sha256$ hash 40 | bcrypt$ hash 40 | SCRAM-SHA-1$ hash 40 | SCRAM-SHA-256$ hash 40
  SHA} base64 20 | SSHA} base64 20 | SSHA256} base64 20 | SSHA512} base64 20 | SMD5} base64 20
  npm_ alnum 24 | pypi- word 30 | rubygems_ hex 30 | CLOJARS_ alnum 40 | oy2 alnum 40 ! | cio alnum 32 !
  SG. dotted 24 | xkeysib- word 30 | xsmtpsib- word 30 | key- hex 32 | mlsn. hex 40 | re_ word 20 !
  sk-ant- word 20 | sk-proj- word 20 | sk-svcacct- word 20 | sk-admin- word 20 | sk-or- word 20 | sk-lf- word 20 | sk- word 20 ! | xai- alnum 40 | gsk_ alnum 30
  r8_ alnum 24 | pplx- alnum 30 | lsv2_ word 30 | nvapi- word 30 | tvly- word 20 | hf_ alnum 24 | api_org_ alnum 24
  dop_v1_ hex 32 | doo_v1_ hex 32 | dor_v1_ hex 32 | lin_api_ alnum 24 | lin_oauth_ alnum 24 | ntn_ alnum 30 | secret_ alnum 40 ! | figd_ word 24 | figo_ word 24
  dapi hex 32 | dp.pt. alnum 30 | dp.st. dotted 30 | dp.ct. alnum 30 | dp.sa. alnum 30 | dp.scim. alnum 30 | dp.audit. alnum 30 | dt0c01. dotted 24 | dt0s01. dotted 24
  duffel_live_ word 24 | duffel_test_ word 24 | EZAK alnum 40 | EZTK alnum 40 | FLWSECK_TEST- word 10 | FLWSECK- word 20 | fo1_ word 30 | fm1a_ base64 60
  fm1r_ base64 60 | fm2_ base64 60 | fio-u- word 40
  ATATT3 base64 60 | ATCTT3 base64 60 | ATBB alnum 20 ! | BBDC- base64 30 | AKCp alnum 40 | cmVmd alnum 40 | LTAI alnum 12 ! | p8e- alnum 24
  CCIPAT_ word 20 | CCIPRJ_ word 20 | CFPAT- word 30 | bkua_ alnum 30 | dckr_pat_ word 20 | dckr_oat_ word 20 | HRKU- word 24 | vercel_blob_rw_ word 16
  hvs. word 20 | hvb. word 60 | hvr. word 60 | atlasv1. word 40 | AGE-SECRET-KEY- caps 40 | ops_ base64 100 | A3- word 30 ! | sha256~ word 30
  NRAK- alnum 20 | NRII- word 24 | NRJS- hex 16 | NRRA- hex 30 | glsa_ word 30 | glc_ base64 40 | sntrys_ base64 40 | sntryu_ hex 40 | phx_ word 30 | phs_ word 30
  squ_ hex 40 | sqp_ hex 40 | sqa_ hex 40 | sgp_ word 40 | PMAK- word 40 | pul- hex 40 | pnu_ alnum 30 | rdme_ alnum 40 | tfp_ dotted 40 | tk-us- word 30
  tskey- word 16 | sbp_ hex 30 | sb_secret_ word 20 | nfp_ alnum 30 | pscale_tkn_ dotted 24 | pscale_oauth_ dotted 24 | pscale_pw_ dotted 24
  shpat_ hex 24 | shpca_ hex 24 | shppa_ hex 24 | shpss_ hex 24 | shptka_ hex 24 | shippo_live_ hex 24 | shippo_test_ hex 24
  sq0atp- word 16 | sq0csp- word 24 | EAAA word 40 ! | EAAC alnum 60 ! | EAAM alnum 60 ! | EAAG alnum 60 ! | EAAB alnum 60 ! | access-sandbox- word 30
  access-production- word 30 | access-development- word 30 | test_ hex 35
  pat-na1- word 30 | pat-eu1- word 30 | pat dotted 60 ! | sk.eyJ dotted 40 | sl. word 100 | sl.u. word 60 | dnkey- word 40 | sm_aat_ alnum 16 | sm_pat_ alnum 16 | sm_sat_ alnum 16
  xprv alnum 36 | yprv alnum 36 | zprv alnum 36 | tprv alnum 36 | nsec1 alnum 50 | syt_ word 24 | sdk- word 36 36
  infura.io/v3/ hex 32 32 | alchemy.com/v2/ word 24
  AKID alnum 32 32 | dG9rO base64 50 | access_token$production$ hash 30 | access_token$sandbox$ hash 30
  v1.local. dotted 40 | v2.local. dotted 40 | v3.local. dotted 40 | v4.local. dotted 40 | v1.public. dotted 40 | v2.public. dotted 40 | v3.public. dotted 40 | v4.public. dotted 40
  MIIEv base64 200 | MIIEp base64 200 | MIIEo base64 200 | MIIJQ base64 200 | MIIJR base64 200 | MIIJJ base64 200 | MIIJK base64 200 | MIICX base64 200 | MIICd base64 200
  MHcCAQEEI base64 60 | MIGHAgEAMB base64 60 | MIG2AgEAMB base64 60 | MC4CAQAwBQYDK2VwBCIEI base64 20 | MC4CAQAwBQYDK2VuBCIEI base64 20
  AQVN word 30 | y0_ word 30 ! | SK hex 32 32 | zpka_ word 20 | waka_ word 30 | cf_ word 40 ! | flb_ word 30 ! | trigger_ word 40 ! | E2E_ word 40 !
`;

/** Beginnings of JSON in base64: `{"`, `{ `, `{` and a line break, `[{`, `["`. */
export const ENCODED_JSON: readonly string[] = ['eyJ', 'eyI', 'eyA', 'ewo', 'ew0', 'W3s', 'WyJ', 'WyI'];

/** Kinds of characters after a key's prefix, as bits of {@link characterKinds}. */
const KINDS = {
  alnum: 1,
  word: 3,
  dotted: 7,
  base64: 27,
  colon: 35,
  hex: 64,
  caps: 128,
  url: 287,
  hash: 575,
} as const;

/** Kind bits of the characters in a password hash. */
export const HASH_KINDS: number = KINDS.hash;

/** The kind bits of each ASCII character. */
export const characterKinds: Uint16Array = Uint16Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[0-9]/.test(character)) return 1 | 64 | 128;
  if (/[a-fA-F]/.test(character)) return 1 | 64 | (character < 'a' ? 128 : 0);
  if (/[A-Z]/.test(character)) return 1 | 128;
  if (/[a-z]/.test(character)) return 1;
  if (character === '_' || character === '-') return 2;
  if (character === '.') return 4;
  if (character === '+' || character === '/' || character === '%') return 8;
  if (character === '=') return 16;
  if (character === ':') return 32;
  if (character === '@') return 256;
  return character === '$' || character === ',' ? 512 : 0;
});

export interface Shape {
  readonly start: string;
  /** Kind bits of the characters after the prefix. */
  readonly kinds: number;
  readonly min: number;
  /** Exact number of characters after the prefix, if the number is fixed. No letter or digit may follow them. */
  readonly max: number | undefined;
  readonly needsDigit: boolean;
}

let shapes: readonly Shape[] | undefined;

/** Parses the table on first use, so that a starting service does not wait for it. */
export function readShapes(): readonly Shape[] {
  shapes ??= TABLE.trim()
    .split(/\s*[|\n]\s*/)
    .map(readShape);
  return shapes;
}

function readShape(line: string): Shape {
  const [start = '', kind = '', min = '', ...rest] = line.split(' ');
  if (!isKind(kind)) throw new Error(`no kind of characters: ${line}`);
  const max = Number(rest.find((part) => part !== '!'));
  return {
    start,
    kinds: KINDS[kind],
    min: Number(min),
    max: Number.isNaN(max) ? undefined : max,
    needsDigit: rest.includes('!'),
  };
}

function isKind(kind: string): kind is keyof typeof KINDS {
  return Object.hasOwn(KINDS, kind);
}
