/** Result of one check. */
export interface Finding {
  readonly state: 'ok' | 'note' | 'wrong';
  readonly about: string;
  /** The result in plain words. If a check failed, the result includes a remedy. */
  readonly says: string;
}

const of =
  (state: Finding['state']) =>
  (about: string, says: string): Finding => ({ state, about, says });

export const found = { ok: of('ok'), note: of('note'), wrong: of('wrong') } as const;
