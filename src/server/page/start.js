// Starts the page.

function startTheme() {
  const button = byId('theme');
  const isDark = () => {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  };
  const tell = () => button.setAttribute('aria-pressed', isDark());
  const kept = localStorage.getItem('fineprint-theme');
  if (kept) document.documentElement.dataset.theme = kept;
  button.addEventListener('click', () => {
    const chosen = isDark() ? 'light' : 'dark';
    document.documentElement.dataset.theme = chosen;
    localStorage.setItem('fineprint-theme', chosen);
    tell();
  });
  tell();
}

async function load() {
  try {
    await Promise.all([loadPipelines(), loadDocuments()]);
    showWanted();
  } catch (error) {
    byId('state').textContent = error.message;
  }
}

function startToken() {
  byId('token-form').addEventListener('submit', (event) => {
    event.preventDefault();
    sessionStorage.setItem(kTokenName, byId('token').value.trim());
    byId('token').value = '';
    byId('token-form').hidden = true;
    load();
  });
}

function start() {
  startTheme();
  startToken();
  startAsking();
  startPictures();
  startConversation();
  startDocuments();
  startViewer();
  load();
  byId('question').focus();
}
