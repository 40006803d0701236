import { ALNUM, BASE64URL, base64, DIGITS, HEX, LOWER, type Random, UPPER, uuid } from '../random.ts';
import { cardNumber, privateKeyBlock } from './shape-blocks.ts';

/** A secret that is recognized by its shape, regardless of its name. */
export interface ShapedSecret {
  readonly text: string;
  /** The part of the text that must not be readable. If absent, the whole text. */
  readonly secret?: string;
}

type ShapeForm = (random: Random) => ShapedSecret;

/** Builds a shape: an issuer's prefix, followed by a number of characters from an alphabet. */
const issued =
  (prefix: string, length: number, alphabet: string = ALNUM, suffix = ''): ShapeForm =>
  (random) => {
    const core = random.chars(alphabet, length);
    return { text: prefix + core + suffix, secret: core };
  };

const jsonPart = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

function jwt(random: Random): string {
  const claims = { sub: random.chars(DIGITS, 8), name: 'Ada', iat: 1_767_225_600 + random.int(1_000_000) };
  return `${jsonPart({ alg: 'HS256', typ: 'JWT' })}.${jsonPart(claims)}.${random.chars(BASE64URL, 43)}`;
}

const block =
  (kind: string, lines: number): ShapeForm =>
  (random) =>
    privateKeyBlock(random, kind, lines);

/** Shapes that issuers document or that repository scanners search for. */
export const SHAPE_FORMS: Readonly<Record<string, ShapeForm>> = {
  'Throughline API key': issued('tl_', 40),
  'Stripe live key': issued('sk_live_', 24),
  'Stripe live key, long': issued('sk_live_51', 97),
  'Stripe test key': issued('sk_test_', 24),
  'Stripe restricted key': issued('rk_live_', 24),
  'Stripe webhook secret': issued('whsec_', 32),
  'GitHub personal token': issued('ghp_', 36),
  'GitHub OAuth token': issued('gho_', 36),
  'GitHub user token': issued('ghu_', 36),
  'GitHub server token': issued('ghs_', 36),
  'GitHub refresh token': issued('ghr_', 76),
  'GitHub fine-grained token': (random) => {
    const core = random.chars(ALNUM, 59);
    return { text: `github_pat_${random.chars(ALNUM, 22)}_${core}`, secret: core };
  },
  'AWS access key id': issued('AKIA', 16, `${UPPER}234567`),
  'AWS temporary key id': issued('ASIA', 16, `${UPPER}234567`),
  'AWS key id and secret': (random) => {
    const secret = random.chars(`${ALNUM}+/`, 40);
    return { text: `AKIA${random.chars(`${UPPER}234567`, 16)}:${secret}`, secret };
  },
  'Slack bot token': (random) =>
    issued(`xoxb-${random.chars(DIGITS, 12)}-${random.chars(DIGITS, 12)}-`, 24)(random),
  'Slack user token': (random) =>
    issued(`xoxp-${random.chars(DIGITS, 12)}-${random.chars(DIGITS, 12)}-`, 32, HEX)(random),
  'Slack app token': (random) =>
    issued(`xapp-1-A${random.chars(UPPER + DIGITS, 10)}-${random.chars(DIGITS, 13)}-`, 64, HEX)(random),
  'Slack webhook': (random) =>
    issued(
      `https://hooks.slack.com/services/T${random.chars(UPPER + DIGITS, 8)}/B${random.chars(UPPER + DIGITS, 10)}/`,
      24,
    )(random),
  'Discord webhook': (random) =>
    issued(`https://discord.com/api/webhooks/${random.chars(DIGITS, 18)}/`, 68)(random),
  'Teams webhook': (random) =>
    issued(
      `https://shop.webhook.office.com/webhookb2/${uuid(random)}@${uuid(random)}/IncomingWebhook/`,
      32,
      HEX,
    )(random),
  'Telegram bot token': (random) =>
    issued(`${1 + random.int(8)}${random.chars(DIGITS, 9)}:AA`, 33, BASE64URL)(random),
  'Google API key': issued('AIza', 35, BASE64URL),
  'Google OAuth token': issued('ya29.a0', 120, BASE64URL),
  'Google OAuth secret': issued('GOCSPX-', 28, BASE64URL),
  'GitLab token': issued('glpat-', 20),
  'GitLab deploy token': issued('gldt-', 20),
  'GitLab runner token': issued('glrt-', 20),
  'npm token': issued('npm_', 36),
  'PyPI token': issued('pypi-AgEIcHlwaS5vcmc', 70, BASE64URL),
  'RubyGems key': issued('rubygems_', 48, HEX),
  'Docker token': issued('dckr_pat_', 27, BASE64URL),
  'SendGrid key': (random) => issued(`SG.${random.chars(ALNUM, 22)}.`, 43)(random),
  'Mailgun key': issued('key-', 32, HEX),
  'Mailchimp key': issued('', 32, HEX, '-us12'),
  'Twilio key': issued('SK', 32, HEX),
  'OpenAI key': issued('sk-', 48),
  'OpenAI project key': issued('sk-proj-', 120, BASE64URL),
  'Anthropic key': issued('sk-ant-api03-', 93, BASE64URL),
  'Hugging Face token': issued('hf_', 34, LOWER + UPPER),
  'Replicate token': issued('r8_', 37),
  'Shopify token': issued('shpat_', 32, HEX),
  'Shopify secret': issued('shpss_', 32, HEX),
  'Square token': issued('sq0atp-', 22, BASE64URL),
  'Square secret': issued('sq0csp-', 43, BASE64URL),
  'DigitalOcean token': issued('dop_v1_', 64, HEX),
  'Vault token': issued('hvs.', 95, BASE64URL),
  'Terraform token': (random) => {
    const secret = random.chars(ALNUM, 67);
    return { text: `${random.chars(ALNUM, 14)}.atlasv1.${secret}`, secret };
  },
  'Doppler token': issued('dp.pt.', 43),
  'Linear key': issued('lin_api_', 40),
  'Notion token': issued('ntn_', 46),
  'Figma token': issued('figd_', 40, BASE64URL),
  'Grafana token': issued('glsa_', 32, ALNUM, '_a1b2c3d4'),
  'New Relic key': issued('NRAK-', 27, UPPER + DIGITS),
  'Databricks token': issued('dapi', 32, HEX),
  'Postman key': (random) => issued(`PMAK-${random.chars(HEX, 24)}-`, 34, HEX)(random),
  'Atlassian token': issued('ATATT3xFfGF0', 180, BASE64URL),
  'Sentry token': issued('sntryu_', 64, HEX),
  'Supabase token': issued('sbp_', 40, HEX),
  'PlanetScale password': issued('pscale_pw_', 43, BASE64URL),
  'Facebook token': issued('EAACEdEose0cBA', 80),
  'Azure AD client secret': (random) => issued(`${random.chars(ALNUM, 3)}8Q~`, 34)(random),
  'Airtable token': (random) => issued(`pat${random.chars(ALNUM, 14)}.`, 64, HEX)(random),
  JWT: (random) => {
    const text = jwt(random);
    return { text, secret: text.slice(text.lastIndexOf('.') + 1) };
  },
  'JWT without a signature': (random) => {
    const claims = jsonPart({ sub: random.chars(DIGITS, 12), role: 'admin', jti: uuid(random) });
    return { text: `${jsonPart({ alg: 'none' })}.${claims}.`, secret: claims };
  },
  JWE: (random) => {
    const parts = [342, 16, 90, 22].map((length) => random.chars(BASE64URL, length));
    return {
      text: [jsonPart({ alg: 'RSA-OAEP', enc: 'A256GCM' }), ...parts].join('.'),
      secret: parts[2] ?? '',
    };
  },
  'RSA private key': block('RSA ', 25),
  'EC private key': block('EC ', 3),
  'PKCS 8 private key': block('', 26),
  'encrypted private key': block('ENCRYPTED ', 28),
  'OpenSSH private key': block('OPENSSH ', 7),
  'PGP private key': block('PGP ', 30),
  'private key on one line': (random) => {
    const { text, secret } = privateKeyBlock(random, '', 26);
    return { text: text.replaceAll('\n', '\\n'), secret };
  },
  'private key cut off': (random) => {
    const { text, secret } = privateKeyBlock(random, 'RSA ', 25);
    return { text: text.slice(0, text.indexOf(secret) + secret.length), secret };
  },
  'JSON web key': (random) => {
    const secret = random.chars(BASE64URL, 43);
    return {
      text: JSON.stringify({ kty: 'EC', crv: 'P-256', x: random.chars(BASE64URL, 43), d: secret }),
      secret,
    };
  },
  'age secret key': issued('AGE-SECRET-KEY-1', 58, `${UPPER}234567`),
  'bcrypt hash': issued('$2b$12$', 53, `${ALNUM}./`),
  'argon2 hash': (random) => issued(`$argon2id$v=19$m=65536,t=3,p=4$${random.chars(ALNUM, 22)}$`, 43)(random),
  'crypt hash': (random) => issued(`$6$${random.chars(ALNUM, 16)}$`, 86, `${ALNUM}./`)(random),
  'card number': (random) => ({ text: cardNumber(random, '') }),
  'card number with spaces': (random) => ({ text: cardNumber(random, ' ') }),
  'card number with hyphens': (random) => ({ text: cardNumber(random, '-') }),
  'basic credentials': (random) => {
    const secret = base64(`ada:${random.chars(ALNUM, 20)}`);
    return { text: `Basic ${secret}`, secret };
  },
};
