'use strict';

// The stamping machine has letters, but neither digits nor marks.
const STAMPABLE = /^(\p{L}+[ '-]?)+$/u;

function isStampable(name) {
  return STAMPABLE.test(name);
}

function collapse(text) {
  return text.normalize('NFC').trim().replace(/\s+/g, ' ');
}

function withoutMarks(name) {
  return collapse(name.replace(/[^\p{L} '-]/gu, ''));
}

function printedName(name) {
  const tidy = collapse(name);
  return isStampable(tidy) ? tidy : withoutMarks(tidy);
}

module.exports = { collapse, isStampable, printedName, withoutMarks };
