import { randomUUID } from 'node:crypto';
import { drawQuestions } from './draw.mjs';
import { listTopics, questionsOn } from './questions.mjs';

const rounds = new Map();

function scoreBoard(players) {
  return Object.fromEntries(players.map((player) => [player, 0]));
}

export async function start(topic, count, players) {
  const pool = await questionsOn(topic);
  const questions = drawQuestions(pool, count);
  const round = { id: randomUUID(), topic, questions: questions.map(({ text }) => text), scores: scoreBoard(players) };
  rounds.set(round.id, round);
  return round;
}

export const topics = () => listTopics();
