// The light and dark button, and the packed data of a page.

function showTheme() {
  const button = byId('theme');
  const dark = () => {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  };
  const tell = () => {
    button.setAttribute('aria-pressed', String(dark()));
    button.textContent = dark() ? 'Light' : 'Dark';
  };
  button.addEventListener('click', () => {
    document.documentElement.dataset.theme = dark() ? 'light' : 'dark';
    tell();
  });
  tell();
}

// The report is base64 of compressed JSON.
async function readReport() {
  const bytes = Uint8Array.from(atob(byId('data').textContent), (c) => c.charCodeAt(0));
  const unpacked = new DecompressionStream('deflate');
  const writer = unpacked.writable.getWriter();
  writer.write(bytes).then(() => writer.close()).catch(() => {}); // the reader gets the error, too
  return new Response(unpacked.readable).json();
}
