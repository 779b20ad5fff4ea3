// Shows what GET /view and GET /start give, and sends what a person does to POST /actions/<name>.
//
// The markup says what goes where: data-text, -time, -href, -label, -tone and -value name a property of the record, data-list a
// list of records whose rows are made from the template "row", or from the one that data-of names. Everything is put in
// as text, never as markup, as most of it comes from requests.

const POLL_MS = 1000;
const SAID_FOR_MS = 12_000;
const FOCUSABLE = 'button, summary, a[href], input, textarea, select';
/** A row without anything; what is empty is not shown. */
const EMPTY = { text: '', badge: '', tone: '', code: '', link: '', href: '', quiet: '', at: '' };
const EMPTY_LISTS = { parts: [], actions: [], rows: [] };

let forgetting;
/** Where a dialog was opened. */
let openedAt;
/** The record behind a button. */
const records = new WeakMap();

const byId = (id) => document.getElementById(id);
const isVisible = (element) => element.isConnected && element.checkVisibility();
const put = (element, property, value) => {
	// What is not changed is left alone: a selection in it stays.
	if (element[property] !== value) element[property] = value;
};
const shownTime = (iso) =>
	new Date(iso).toLocaleString(undefined, { dateStyle: 'short', timeStyle: 'medium' });

const FILLERS = {
	text: (element, value) => {
		put(element, 'textContent', value);
		put(element, 'hidden', value === '');
	},
	time: (element, value) => {
		put(element, 'dateTime', value);
		put(element, 'textContent', value && shownTime(value));
	},
	href: (element, value) => put(element, 'href', value),
	label: (element, value) => put(element, 'ariaLabel', value),
	value: (element, value) => put(element, 'value', value),
	tone: (element, value) => put(element, 'className', value),
	list: (element, rows) => sync(element, rows),
};

function fill(element, record) {
	for (const [filler, property] of Object.entries(element.dataset)) {
		if (property in record) FILLERS[filler]?.(element, record[property]);
	}
	if ('list' in element.dataset) return;
	for (const child of element.children) if (!('own' in child.dataset)) fill(child, record);
}

/** One row for each record, in order; rows that stay are not moved more than needed. */
function sync(list, rows) {
	const known = new Map([...list.children].map((row) => [row.dataset.key, row]));
	let next = list.firstElementChild;
	for (const record of rows) {
		const template = byId(list.dataset.of ?? 'row').content.firstElementChild;
		const row = known.get(record.id) ?? template.cloneNode(true);
		known.delete(record.id);
		row.dataset.key = record.id;
		records.set(row, record);
		fill(row, { ...EMPTY, ...EMPTY_LISTS, ...record });
		if (row === next) next = row.nextElementSibling;
		else list.insertBefore(row, next);
	}
	for (const row of known.values()) row.remove();
}

/** Where somebody is, and what is near, should it vanish. */
const placeOf = (element) => ({
	element,
	row: element.closest('li'),
	heading: element.closest('section')?.querySelector('h2'),
});

/** Puts the focus of the keyboard back to where it was, or to the nearest place that is left. */
function goBack({ element, row, heading }) {
	if (element === document.activeElement && isVisible(element)) return;
	const inRow = row ? [...row.querySelectorAll(FOCUSABLE)] : [];
	[element, ...inRow, heading].find((one) => one && isVisible(one))?.focus({ preventScroll: true });
}

async function ask(path, options) {
	const response = await fetch(path, options);
	return { ok: response.ok, text: await response.text() };
}

async function refresh() {
	try {
		const { ok, text } = await ask('/view');
		if (!ok) throw new Error(text);
		byId('lost').textContent = '';
		const place = placeOf(document.activeElement);
		fill(document.body, JSON.parse(text));
		goBack(place);
	} catch {
		put(byId('lost'), 'textContent', 'The service does not answer. Is npm start still running?');
	}
}

/** Does something at the service; gives the reason if it was refused. */
async function act(name, fields) {
	const { ok, text } = await ask(`/actions/${name}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(fields),
	}).catch(() => ({ ok: false, text: '{"error":"The service does not answer."}' }));
	const { message, error } = JSON.parse(text);
	if (ok) say(message);
	return error;
}

/** Told to those who look and to those who listen; the same sentence twice is told twice. */
function say(message) {
	const said = byId('said');
	said.textContent = '';
	clearTimeout(forgetting);
	setTimeout(() => (said.textContent = message), 50);
	forgetting = setTimeout(() => (said.textContent = ''), SAID_FOR_MS);
}

/** Opens a dialog, or goes to a form, with these values in it. */
function open(id, values) {
	const target = byId(id);
	fill(target, values);
	target.querySelector('.error').textContent = '';
	openedAt = placeOf(document.activeElement);
	target.showModal?.();
	target.querySelector('textarea, button')?.focus();
}

/** What the buttons of the rows and of the markup do. */
document.addEventListener('click', async ({ target }) => {
	const button = target.closest('button[type=button]');
	if (!button) return;
	const { opens, copies, does, values } = records.get(button) ?? button.dataset;
	if (opens) open(opens, values ?? {});
	else if (does) {
		const error = await act(does, values ?? {});
		if (error) say(error);
		await refresh();
	} else if (copies) {
		await navigator.clipboard.writeText(values.text);
		say(`Copied: ${copies}`);
	} else button.closest('dialog').close();
});

document.addEventListener('submit', async (event) => {
	event.preventDefault();
	const form = event.target;
	if (form.ariaBusy === 'true') return;
	form.ariaBusy = 'true';
	const error = await act(form.dataset.do, Object.fromEntries(new FormData(form)));
	form.ariaBusy = 'false';
	form.querySelector('.error').textContent = error ?? '';
	if (error) return;
	if (!('keep' in form.dataset)) form.reset();
	const dialog = form.closest('dialog');
	dialog?.close();
	await refresh();
	if (dialog) goBack(openedAt);
});

/** What stays as it is while the page is open. */
const start = JSON.parse((await ask('/start')).text);
fill(document.body, start);
byId('fault').append(...start.faultChoices.map(([id, label]) => new Option(label, id)));
byId('secret').defaultValue = start.secret;

for (;;) {
	if (!document.hidden) await refresh();
	await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}
