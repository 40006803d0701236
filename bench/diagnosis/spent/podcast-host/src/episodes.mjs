import { feedItem } from './feed.mjs';
import { saveEpisode } from './shows.mjs';
import { isPlainTitle, simplify } from './titles.mjs';

function assertComplete({ title, seconds }) {
  if (!title || !(seconds > 0))
    throw Object.assign(new Error('title and seconds are needed'), { status: 400 });
}

function feedTitle(title) {
  return isPlainTitle(title) ? title : simplify(title);
}

export async function publish(show, draft) {
  assertComplete(draft);
  const title = feedTitle(draft.title);
  const number = await saveEpisode(show, { ...draft, title });
  return { number, title, item: feedItem(show, { number, title, seconds: draft.seconds }) };
}
