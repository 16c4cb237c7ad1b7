// Unpacks the report and builds the page. Runs after all other scripts.

function start() {
  readReport().then(show).catch((problem) => {
    byId('problem').textContent = `This browser cannot show this page; use a browser from 2023 or later: ${problem}`;
    byId('problem').hidden = false;
  });
}

function show(report) {
  const list = byId('questions');
  const items = report.questions.map((question) => questionItem(report, question));
  showTheme();

  const apply = (choice) => {
    const matches = matcher(report, choice);
    let shown = 0;
    items.forEach((item, i) => {
      item.hidden = !matches(report.questions[i]);
      shown += item.hidden ? 0 : 1;
    });
    list.append(...ordered(report.questions, choice.order).map((i) => items[i]));
    filters.count(shown);
    list.classList.toggle('empty', shown === 0);
  };
  const filters = showFilters(report, (choice) => { apply(choice); writeAddress(choice); });
  const open = (id) => {
    const at = report.questions.findIndex((question) => question.id === id);
    if (at < 0) return;
    items[at].open = true;
    items[at].hidden = false;
    items[at].scrollIntoView();
  };
  const fromAddress = () => {
    const choice = readAddress();
    if (choice === null) return;
    const { open: id } = choice;
    filters.choose(choice);
    if (id) writeAddress(choice);
    if (id) open(id);
  };
  showSummary(report, (facet, value) => {
    filters.choose({ [facet]: value });
    byId('filters').scrollIntoView();
  });
  apply({});
  fromAddress();
  window.addEventListener('hashchange', fromAddress);
  if (items.length === 1) items[0].open = true;
}
