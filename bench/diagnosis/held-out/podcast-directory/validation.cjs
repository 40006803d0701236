const DURATION = /^\d{1,3}:[0-5]\d$/;
const KEYWORDS = /^([a-z0-9-]+\s*,?\s*)+$/;

function isDuration(text) {
  return DURATION.test(text);
}

function isKeywordList(text) {
  return KEYWORDS.test(text);
}

module.exports = { isDuration, isKeywordList };
