export interface Draft {
  kind: 'sale' | 'will' | 'mandate';
  signedOn: string;
  parties: string[];
}

const kinds = ['sale', 'will', 'mandate'];

export function parseDraft(body: unknown): Draft {
  const { kind, signedOn, parties } = body as Draft;
  const problems = [
    !kinds.includes(kind) && 'kind is unknown',
    Number.isNaN(Date.parse(signedOn)) && 'signedOn is no date',
    parties.length === 0 && 'a deed needs a party',
  ].filter((problem) => problem !== false);
  if (problems.length > 0) throw Object.assign(new Error(problems.join(', ')), { status: 400 });
  return { kind, signedOn, parties };
}
