// The pictures of the next question: chosen, or pasted from the clipboard.

const kMostSentPictures = 8;  // that the server takes

let waiting = [];  // { name, data }: data URLs

function pictureOf({ name, data }) {
  return el('img', { src: data, alt: name, title: name });
}

function showPictures() {
  byId('pictures').replaceChildren(...waiting.map((one, i) =>
    el('li', {}, pictureOf(one), el('button', {
      type: 'button',
      'aria-label': `Remove ${one.name}`,
      onclick: () => {
        waiting.splice(i, 1);
        showPictures();
        byId('question').focus();
      },
    }, '\u00d7'))));
  byId('pick-picture').disabled = waiting.length >= kMostSentPictures;
}

async function addPictures(files) {
  for (const file of files) {
    if (waiting.length >= kMostSentPictures) break;
    waiting.push({ name: file.name || 'pasted.png', data: await asDataAddress(file) });
  }
  showPictures();
}

// They belong to one question: the next one begins without.
function takePictures() {
  const taken = waiting;
  waiting = [];
  showPictures();
  return taken;
}

function startPictures() {
  byId('pick-picture').addEventListener('click', () => byId('picture-files').click());
  byId('picture-files').addEventListener('change', (event) => {
    addPictures([...event.target.files]);
    event.target.value = '';
  });
  byId('question').addEventListener('paste', (event) => {
    const files = [...event.clipboardData.files].filter((file) => file.type.startsWith('image/'));
    if (files.length === 0) return;
    event.preventDefault();
    addPictures(files);
  });
}
