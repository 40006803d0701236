/** Marks each position in a program where white space, comments and line ends are allowed. */
export const gap = '§';

/** Texts that can fill a gap. Many of them look like code. */
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

/** Replaces each gap in a program by a text that `pick` selects. */
export function fillGaps(program: string, pick: (below: number) => number): string {
  return program.replaceAll(gap, () => trivia[pick(trivia.length)] ?? ' ');
}
