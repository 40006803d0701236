let client = null;

export function enterAs(newClient) {
  client = newClient;
}

export function currentClient() {
  return client;
}
