const express = require('express');
const { createEpisode, latestEpisodes } = require('./episodes.cjs');

const app = express();
app.use(express.json());

app.get('/feeds/:feed/episodes', async function (req, res) {
  res.json(await latestEpisodes(req.params.feed));
});

app.post('/feeds/:feed/episodes', async function (req, res) {
  const { problems, episode } = await createEpisode(req.params.feed, req.body);
  if (problems.length > 0) return res.status(200).json({ accepted: false, problems });
  res.status(200).json({ accepted: true, episode });
});

module.exports = app;
