const SPELLED_OUT = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', æ: 'ae', ø: 'oe' };

exports.slugOf = function slugOf(name) {
  return name
    .trim()
    .toLowerCase()
    .replace(/[äöüßæø]/g, (letter) => SPELLED_OUT[letter])
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
};
