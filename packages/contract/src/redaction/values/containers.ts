import { splitWords } from '../names/split-words.ts';

/** Names of strings that stay visible in an object with credentials: user, role, purpose and expiry. */
const SHOWN = new Set(
  `id ids uid uuid sub subject user users username name names login firstname lastname email mail role roles scope scopes permission permissions group groups type kind
  provider strategy mode method realm issuer iss aud audience azp iat exp nbf expires expiry expiration at date time created updated issued status error tenant org organization
  organisation company team plan tier level locale lang language country timezone version alg algorithm env environment region host hostname port protocol db database
  last four bin brand month year funding network app application service client path class tag flags grant tokentype`
    .trim()
    .split(/\s+/),
);

/** True if a string with this name stays visible in an object with credentials. */
export function isShownInContainer(name: string): boolean {
  const last = splitWords(name).at(-1);
  return last !== undefined && SHOWN.has(last);
}
