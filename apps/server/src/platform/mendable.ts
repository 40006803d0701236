/** What whoever started the program can mend: its message, which says what is wrong and what to do, is all that he is told. */
export class Mendable extends Error {}
