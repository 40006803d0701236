import express from 'express';
import { findCourse } from './lib/courses.mjs';
import { buildRoster } from './lib/roster.mjs';

const app = express();

app.get('/courses/:code/roster', async (req, res) => {
  const course = await findCourse(req.params.code);
  if (!course) return res.status(404).json({ error: 'unknown course' });
  const roster = await buildRoster(course);
  res.json({ course: course.title, size: roster.length, roster });
});

app.use((err, req, res, next) => {
  res.status(500).json({ error: err.message });
});

app.listen(process.env.PORT, '127.0.0.1', () => console.log('listening'));
