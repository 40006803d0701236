const { isDuration, isKeywordList } = require('./validation.cjs');

const feeds = new Map();

async function latestEpisodes(feed) {
  return (feeds.get(feed) || []).slice(-10);
}

async function createEpisode(feed, input) {
  const problems = [];
  if (!input.title) problems.push('title is missing');
  if (!isDuration(input.duration)) problems.push('duration is not mm:ss');
  if (!isKeywordList(input.keywords)) problems.push('keywords are not a list');
  if (problems.length > 0) return { problems };
  const episodes = feeds.get(feed) || [];
  const episode = { number: episodes.length + 1, title: input.title, keywords: input.keywords.split(/,\s*/) };
  feeds.set(feed, [...episodes, episode]);
  return { problems, episode };
}

module.exports = { createEpisode, latestEpisodes };
