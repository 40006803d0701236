import type { CapturedValue } from '@throughline/contract';
import type { Placed } from '../item.ts';
import { DIGITS, LOWER, type Random, uuid } from '../random.ts';

interface Found {
  readonly place: readonly Placed[];
  /** Strings that a reader must see, one per line. */
  readonly text: string;
}

const userId = (random: Random) => `u-${random.chars(DIGITS, 8)}`;
const role = (random: Random) => random.pick(['editor', 'auditor', 'support', 'billing-admin']);

function inLocals(value: CapturedValue, text: string): Found {
  return { text, place: [{ where: 'step.variables.localVariables', value }] };
}

/** Records of a signed-in user, whose ids, roles and dates are needed to understand a trace. */
export const ORDINARY_AUTH: Readonly<Record<string, (random: Random) => Found>> = {
  'user id in auth': (random) => {
    const id = userId(random);
    return inLocals({ auth: { userId: id, roles: ['reader'] } }, `userId\n${id}`);
  },
  'roles in auth': (random) => {
    const one = role(random);
    return inLocals({ auth: { userId: 'u-1', roles: [one, 'reader'] } }, `roles\n${one}\nreader`);
  },
  'dates in auth': (random) => {
    const exp = 1_767_000_000 + random.int(1_000_000);
    return inLocals({ req: { auth: { sub: 'u-1', iat: exp - 3600, exp } } }, `exp\n${exp}`);
  },
  'credentials of hapi': (random) => {
    const id = userId(random);
    return inLocals(
      {
        auth: {
          isAuthenticated: true,
          credentials: { id, scope: ['admin'] },
          strategy: 'session',
          mode: 'required',
        },
      },
      `id\n${id}\nscope\nadmin`,
    );
  },
  'JWT payload': (random) => {
    const sub = userId(random);
    return inLocals(
      { userJwtPayload: { sub, role: 'admin', iss: 'https://id.example.com' } },
      `sub\n${sub}\nrole\nadmin`,
    );
  },
  'decoded token': (random) => {
    const sub = userId(random);
    return inLocals(
      { decodedToken: { sub, aud: 'shop', scope: 'orders:read' } },
      `sub\n${sub}\naud\nshop\nscope\norders:read`,
    );
  },
  'session of a request': (random) => {
    const cart = `cart-${random.chars(DIGITS, 6)}`;
    return inLocals({ session: { userId: 'u-1', cart, locale: 'en' } }, `cart\n${cart}\nlocale\nen`);
  },
  'authorization of a resource': (random) => {
    const action = `orders.${random.chars(LOWER, 6)}`;
    return inLocals({ authorizationRequest: { action, allowed: true } }, `action\n${action}\nallowed\ntrue`);
  },
  'cookies that are settings': (random) => {
    const theme = `theme-${random.chars(LOWER, 6)}`;
    return {
      text: `theme\n${theme}`,
      place: [
        { where: 'step.variables.localVariables', value: { cookieSettings: { theme, analytics: false } } },
      ],
    };
  },
  'session id of a user': (random) => {
    const session = uuid(random);
    return { text: session, place: [{ where: 'sessionId', value: session }] };
  },
};

const given = (hidden: Placed, where: Placed['where'], value: CapturedValue, text: string): Found => ({
  text,
  place: [hidden, { where, value }],
});

/**
 * Values that by coincidence equal a value that is hidden elsewhere in the trace. They must stay readable: they are so short or common that
 * equality does not show that they come from the hidden value.
 */
export const ORDINARY_COINCIDENCES: Readonly<Record<string, (random: Random) => Found>> = {
  'password equal to a role': () =>
    given(
      { where: 'request.body', value: { user: 'admin', password: 'admin' } },
      'step.outputs',
      { role: 'admin', title: 'admin of the shop' },
      'role\nadmin\ntitle\nadmin of the shop',
    ),
  'token equal to a number': (random) => {
    const total = random.int(9);
    return given(
      { where: 'request.body', value: { token: String(total) } },
      'step.outputs',
      { total, page: total },
      `total\n${total}\npage\n${total}`,
    );
  },
  'empty password': (random) => {
    const note = `left at the door ${random.chars(DIGITS, 5)}`;
    return given(
      { where: 'request.body', value: { password: '' } },
      'step.outputs',
      { note },
      `note\n${note}`,
    );
  },
  'secret equal to a common word': (random) => {
    const note = `this is a test of order ${random.chars(DIGITS, 5)}, true enough`;
    return given(
      { where: 'request.body', value: { secret: 'test', apiKey: 'true' } },
      'step.outputs',
      { note, ok: true },
      `note\n${note}\nok\ntrue`,
    );
  },
  'password equal to a single letter': (random) => {
    const note = `a banana and an apple ${random.chars(DIGITS, 5)}`;
    return given(
      { where: 'request.body', value: { password: 'a' } },
      'step.outputs',
      { note },
      `note\n${note}`,
    );
  },
  'user beside basic credentials': (random) => {
    const user = `user${random.chars(DIGITS, 5)}`;
    const encoded = Buffer.from(`${user}:${random.chars(LOWER, 16)}`).toString('base64');
    return given(
      { where: 'request.headers', value: { authorization: `Basic ${encoded}` } },
      'step.outputs',
      { user, scheme: 'Basic' },
      `user\n${user}\nscheme\nBasic`,
    );
  },
  'value beside a hidden one': (random) => {
    const mail = `${random.chars(LOWER, 8)}@example.com`;
    return given(
      { where: 'response.headers', value: { 'content-language': 'en' } },
      'request.body',
      { mail, password: random.chars(LOWER, 16), remember: true },
      `mail\n${mail}`,
    );
  },
};
