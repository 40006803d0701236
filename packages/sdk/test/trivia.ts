/** Stands in a program wherever blanks, comments and ends of lines may. */
export const gap = '§';

/** The texts that a gap may become: many look like code. */
const trivia = [
  ' ',
  ' ',
  ' ',
  '\n',
  '\t',
  ' /**/ ',
  ' /* } */ ',
  ' /* => { return */ ',
  ' // ) } await yield\n',
  ' //\n',
  '\r\n',
  ' /* \n */ ',
  '\u00a0',
  '\ufeff',
  '\u2028',
  ' // ?\u2029 ',
  ' /* 😀 ` ${ */ ',
];

/** Writes something into each gap. */
export function fillGaps(program: string, pick: (below: number) => number): string {
  return program.replaceAll(gap, () => trivia[pick(trivia.length)] ?? ' ');
}
