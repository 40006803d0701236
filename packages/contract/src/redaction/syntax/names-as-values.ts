import { hasSecretName } from '../names/names.ts';

const NAME = /^-{0,2}([A-Za-z][A-Za-z_.-]{1,32})[=:]?\\*$/;

/** True for the name of a secret. Rules about commands and sentences could mistake it for the value: `login with ada / password: "X"`. */
export function isNameAsValue(value: string): boolean {
  const name = NAME.exec(value)?.[1];
  return name !== undefined && hasSecretName(name);
}
