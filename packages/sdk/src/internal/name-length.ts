/** Maximum length of the names of steps, attributes and values that the SDK sends, in characters. */
export const maxName = 1000;
