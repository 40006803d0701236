import { loadProject, markAccepted } from './projects.mjs';
import { currentClient } from './session.mjs';

function assertOwner(project, client) {
  if (project.client !== client.id) {
    throw Object.assign(new Error(`project ${project.id} belongs to another client`), { status: 403 });
  }
}

function countedWords({ words, repeated }) {
  return words - repeated + Math.round(repeated * 0.3);
}

function surcharge(cents, express) {
  return express ? Math.round(cents * 0.35) : 0;
}

export async function quoteFor(projectId, express) {
  const project = await loadProject(projectId);
  const client = currentClient();
  assertOwner(project, client);
  const net = countedWords(project) * client.centsPerWord;
  const extra = surcharge(net, express);
  return { project: project.id, client: client.name, net, extra, total: net + extra };
}

export async function acceptQuote(projectId, reference) {
  const { total } = await quoteFor(projectId, false);
  await markAccepted(projectId, reference);
  return { project: projectId, reference, total };
}
