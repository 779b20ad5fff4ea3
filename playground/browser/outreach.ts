import type { INodeParameters } from 'n8n-workflow';
import { eventually } from '../eventually';
import { apiCredentialData, EXAMPLES_ASK_FOR } from '../setup';
import { exampleBook } from '../e2e/contactBook';
import type { World } from '../e2e/world';
import { CALL, createForContacts, PEOPLE, PLACE_CALL } from './contacts';
import { execute, field, openNode, outputPanel, see, showOutputAs, type InEditor } from './editor';
import { picture } from './pictures';

/** Wherever the sun stands, it is day in one of them and night in another. */
const CITIES = [
	'Europe/Berlin',
	'America/New_York',
	'America/Los_Angeles',
	'Asia/Tokyo',
	'Asia/Kolkata',
	'Australia/Sydney',
	'America/Sao_Paulo',
];

/** The hour that it is now in a time zone. */
const hourIn = (zone: string): number =>
	Number(
		new Intl.DateTimeFormat('en', { timeZone: zone, hour: 'numeric', hourCycle: 'h23' }).format(),
	);

function cityWhere(isHour: (hour: number) => boolean): string {
	const city = CITIES.find((zone) => isHour(hourIn(zone)));
	if (city === undefined) throw new Error('there is no such city now');
	return city;
}

/** One who may be called, one who asked not to be, one who sleeps. */
function contacts() {
	const day = cityWhere((hour) => hour >= 10 && hour < 17);
	const night = cityWhere((hour) => hour < 8 || hour >= 18);
	return PEOPLE.map(({ name, phone }, index) => ({
		name,
		phone,
		timezone: index < 2 ? day : night,
	}));
}

const RULES: INodeParameters = {
	allowedHours: 'Mon-Fri 09:00-18:00\nSat, Sun 10:00-18:00',
	timezone: '={{ $json.timezone }}',
	// For those that have no zone of their own.
	timezoneFromNumber: true,
	doNotContact: PEOPLE[1]?.phone ?? '',
	notAgainWithin: 24,
	atMostContacts: 3,
	atMostDays: 14,
	maxPeople: 500,
};

/** What the node holds back, and what only checks. */
export function describeOutreach(world: () => World, inEditor: InEditor): void {
	inEditor(
		'the rules of contact hold back who must not be called now, and say why',
		async (page) => {
			const people = contacts();
			await (await exampleBook(world().client)).clear();
			const call = { ...CALL, customFields: {}, contactRules: RULES };
			const workflow = await createForContacts(world(), PLACE_CALL, call, people);
			await page.setViewportSize({ width: 1440, height: 1800 });
			await openNode(page, workflow, PLACE_CALL);
			await execute(page);
			await see(
				outputPanel(page).getByText(
					'Of 3 items: 1 placed, 2 held back (1 do not contact, 1 outside hours).',
				),
			);
			await showOutputAs(page, 'JSON');
			const output = outputPanel(page);
			await see(output.getByText('doNotContact'), output.getByText('outsideHours'));
			const parameters = page.getByTestId('node-parameters');
			const rules = parameters
				.getByText('Rules of Contact', { exact: true })
				.or(parameters.getByTestId('inline-expression-editor-input').last())
				.or(field(page, 'timezoneFromNumber'));
			await picture(page, 'rules-of-contact', rules, { margin: 10 });
			await picture(page, 'held-back', output, { maxHeight: 560, colours: 64 });
			expect(world().simulator.processed('placeCall')).toHaveLength(1);
		},
	);

	inEditor('a credential in the mode Check Only shows the request and sends none', async (page) => {
		const { client, simulator } = world();
		const data = { ...apiCredentialData(simulator), mode: 'checkOnly' };
		const name = EXAMPLES_ASK_FOR;
		const credential = await client.saveCredential('assistantServiceApi', name, data);
		const workflow = await createForContacts(world(), PLACE_CALL, CALL, PEOPLE, {
			credentials: { assistantServiceApi: credential },
		});
		await openNode(page, workflow, PLACE_CALL);
		const chosen = page.getByTestId('node-credentials-select').locator('input');
		// The ID stands there until the editor has loaded the names.
		await eventually('the name of the credential', async () =>
			(await chosen.inputValue()) === name ? true : undefined,
		);
		await execute(page);
		await showOutputAs(page, 'JSON');
		await see(outputPanel(page).getByText('checked'));
		expect(simulator.requests).toEqual([]);
	});
}
