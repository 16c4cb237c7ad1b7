// Calls to the server.

const kTokenName = 'fineprint-token';

class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

function withToken(headers) {
  const token = sessionStorage.getItem(kTokenName);
  return token ? { ...headers, Authorization: `Bearer ${token}` } : headers;
}

async function refusalOf(reply) {
  let message = `${reply.status} ${reply.statusText}`;
  try {
    message = (await reply.json()).error.message;
  } catch {
    // Not this server's reply, for example a proxy's: its status has to do.
  }
  return new Refused(reply.status, message);
}

async function call(path, options) {
  let reply;
  try {
    reply = await fetch(path, { ...options, headers: withToken((options || {}).headers) });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Refused(0, 'The server does not answer. Check that it is still running.');
  }
  if (reply.status === 401) askForToken();
  if (!reply.ok) throw await refusalOf(reply);
  return reply;
}

function askForToken() {
  byId('token-form').hidden = false;
  byId('token').focus();
}

async function getJson(path) {
  return (await call(path)).json();
}

function postJson(path, body, signal) {
  const headers = { 'Content-Type': 'application/json' };
  return call(path, { method: 'POST', headers, body: JSON.stringify(body), signal });
}

// Calls take(name, data) for each server-sent event of a reply.
async function eachEvent(reply, take) {
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    waiting += value;
    const blocks = waiting.split('\n\n');
    waiting = blocks.pop();
    for (const block of blocks) {
      let name = 'message', data = '';
      for (const line of block.split('\n')) {
        if (line.startsWith('event: ')) name = line.slice(7);
        if (line.startsWith('data: ')) data += line.slice(6);
      }
      if (data) take(name, JSON.parse(data));
    }
  }
}
