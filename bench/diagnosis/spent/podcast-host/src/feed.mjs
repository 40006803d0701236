export function duration(seconds) {
  const pad = (value) => String(value).padStart(2, '0');
  return `${pad(Math.floor(seconds / 3600))}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`;
}

export function feedItem(show, episode) {
  const { number, title, seconds } = episode;
  return `<item><title>${title}</title><author>${
    show.title
  }</author><guid>${number}</guid><duration>${duration(seconds)}</duration></item>`;
}
