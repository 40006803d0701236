'use strict';

const WIDTH = 84;
const SIZES = [24, 20, 16, 12, 10];

function textWidth(text, size) {
  return text.length * size * 0.2;
}

function fontSize(text) {
  return SIZES.find((size) => textWidth(text, size) <= WIDTH) ?? SIZES.at(-1);
}

function shortCompany(company) {
  return company.replace(/\b(Limited|Incorporated|Gesellschaft)\b/g, (word) => `${word.slice(0, 3)}.`);
}

module.exports = { fontSize, shortCompany };
